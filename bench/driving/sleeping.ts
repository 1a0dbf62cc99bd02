/** Fills a server with active sessions without connections, and wakes some of them. */

import {
  createSession,
  keyHeaders,
  openMatchdMatch,
  PATIENT,
  SOCKET_PATH,
  socketProtocols,
} from '../adapters/matchd.ts';
import { kindOf } from '../adapters/matchd-frames.ts';
import type { FillJob, FillResult, SleepingSession, TouchFigures, TouchJob } from '../jobs.ts';
import { makeHttpClient } from './http-client.ts';
import type { Target } from './match.ts';
import { costOf, perSecond, quantile, runMany } from './measure.ts';
import type { Player } from './player.ts';
import { connectPlayer } from './player.ts';

/** Makes sessions, connects both players of each until it is active, and leaves. */
export async function fillWithSessions(job: FillJob, target: Target): Promise<FillResult> {
  const http = makeHttpClient(target.address, job.concurrency, keyHeaders(target.key));
  const chosen = drawIndexes(job.sessions, job.sample);
  const sample: SleepingSession[] = [];
  const cost = await costOf(job.server.pid, async () => {
    await runMany(job.sessions, job.concurrency, async (i) => {
      const index = job.firstIndex + i;
      const { sessionId, tokens } = await createSession(http, index, PATIENT);
      const welcomed = (payload: Buffer): void => {
        sample.push({ sessionId, resumeToken: resumeTokenOf(payload) });
      };
      const doors = tokens.map((token, seat) => ({
        path: SOCKET_PATH,
        protocols: socketProtocols(token),
        ...(seat === 0 && chosen.has(i) ? { welcomed } : {}),
      }));
      const match = await openMatchdMatch(target, index, sessionId, doors, QUIET);
      await match.leave();
    });
  });
  http.close();
  return {
    sample,
    cpuUsPerSession: cost.cpuUs / job.sessions,
    sessionsPerSecond: perSecond(job.sessions, cost),
  };
}

/** One session after the other: how long until its player sees it again. */
export async function touchSessions(job: TouchJob, target: Target): Promise<TouchFigures> {
  const timesMs: number[] = [];
  for (const [index, session] of job.sessions.entries()) {
    const startedAt = performance.now();
    const player = await returnTo(session, target, index);
    timesMs.push(performance.now() - startedAt);
    await player.leave();
  }
  return {
    p50Ms: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
    maxMs: Math.max(...timesMs),
  };
}

/** Resolves when the session's state has come. */
function returnTo(session: SleepingSession, target: Target, index: number): Promise<Player> {
  return new Promise((resolve, reject) => {
    connectPlayer({
      target,
      index,
      path: SOCKET_PATH,
      protocols: socketProtocols(session.resumeToken),
      lost: reject,
      message(payload, player) {
        if (kindOf(payload) === 'state') resolve(player);
      },
    });
  });
}

const QUIET = { seen: () => {}, failed: () => {} };

function resumeTokenOf(welcome: Buffer): string {
  return (JSON.parse(welcome.toString()) as { resumeToken: string }).resumeToken;
}

function drawIndexes(below: number, count: number): Set<number> {
  const drawn = new Set<number>();
  while (drawn.size < Math.min(count, below)) drawn.add(Math.floor(Math.random() * below));
  return drawn;
}
