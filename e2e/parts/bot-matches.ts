/** Matches of people against bots on the real server: created as a tenant, played by programs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePlayer, type Player } from '../torture/player.ts';
import { call } from './matches.ts';
import { freePort, type ServerProcess, startServer } from './server-process.ts';

/** A server that can be killed and started again on the same port and data. */
export interface KillableServer {
  now(): ServerProcess;
  killAndStart(): Promise<void>;
  close(): Promise<void>;
}

export async function startKillableServer(): Promise<KillableServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'matchd-bots-'));
  const port = await freePort();
  let server = await startServer({ port, dataDir });
  return {
    now: () => server,
    async killAndStart() {
      await server.kill();
      server = await startServer({ port, dataDir });
    },
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export interface BotMatch {
  readonly id: string;
  readonly human: Player;
}

interface Made {
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly players: readonly { readonly isBot: boolean; readonly seat: number }[];
}

/** Creates a session and takes its only human seat. */
export async function playAgainstBots(
  server: ServerProcess,
  request: object,
  choose: (count: number) => number,
  thinkMs: number,
): Promise<BotMatch> {
  const made = (await call(server, 'POST', '/v1/sessions', request)) as Made;
  const { seat } = made.players.find(({ isBot }) => !isBot)!;
  const human = makePlayer({
    url: server.url,
    token: made.sessionToken,
    session: made.sessionId,
    seat,
    choose,
    thinkMs,
    address: '203.0.113.20',
  });
  return { id: made.sessionId, human };
}
