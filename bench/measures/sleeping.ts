/** Part 3: the cost of active sessions without connections, and how fast they return. */

import type { FillResult, SleepingSession, TouchFigures } from '../jobs.ts';
import type { MatchdServer } from '../matchd-server.ts';
import { makeDataDir, removeDataDir, startMatchdIn } from '../matchd-server.ts';
import type { Processes } from '../processes.ts';
import { makeNumber, makeTable } from '../report.ts';
import { underTest, whileRunning } from '../started-server.ts';
import type { Weight } from './weight.ts';
import { weigh, weighAtRest } from './weight.ts';

const SESSIONS = 100_000;
const QUICK_SESSIONS = 20_000;
/** Made first, so that what the server needs once is not charged to the sessions. */
const WARM_UP_SESSIONS = 2_000;
const CONCURRENCY = 64;
const TOUCHED = 200;
const FILL_WITHIN_MS = 20 * 60_000;
const TOUCH_WITHIN_MS = 60_000;
const MIB_BYTES = 1024 ** 2;

/** The first process: filled while it runs. */
interface Filled {
  readonly fill: Omit<FillResult, 'sample'>;
  /** Just started, nothing stored. */
  readonly empty: Weight;
  /** At rest after the warm-up, and after all sessions. */
  readonly before: Weight;
  readonly after: Weight;
  readonly touch: TouchFigures;
}

/** A second process on the same data. */
interface Restarted {
  readonly restartMs: number;
  readonly restarted: Weight;
  readonly touchAfterRestart: TouchFigures;
}

export type SleepingReport = { readonly sessions: number } & Filled & Restarted;

type Log = (text: string) => void;

export async function measureSleeping(
  processes: Processes,
  { quick }: { readonly quick: boolean },
  log: Log,
): Promise<SleepingReport> {
  const sessions = quick ? QUICK_SESSIONS : SESSIONS;
  const dataDir = makeDataDir();
  try {
    const server = await startMatchdIn(processes, dataDir, null);
    const { key } = server;
    const { sample, ...filled } = await whileRunning(server, () =>
      measureFilling(processes, server, sessions, log),
    );
    log('sleeping: a fresh process on the same data');
    const startedAt = performance.now();
    const again = await startMatchdIn(processes, dataDir, key);
    const restartMs = performance.now() - startedAt;
    const restarted = await whileRunning(again, async () => ({
      restarted: await weighAtRest(again),
      touchAfterRestart: await touch(processes, again, sample.slice(TOUCHED)),
    }));
    return { sessions, ...filled, restartMs, ...restarted };
  } finally {
    removeDataDir(dataDir);
  }
}

async function measureFilling(
  processes: Processes,
  server: MatchdServer,
  sessions: number,
  log: Log,
): Promise<Filled & { readonly sample: readonly SleepingSession[] }> {
  const fill = (firstIndex: number, count: number, sample: number): Promise<FillResult> =>
    processes.drive<'fill'>(
      {
        kind: 'fill',
        server: underTest(server),
        sessions: count,
        firstIndex,
        concurrency: CONCURRENCY,
        sample,
      },
      FILL_WITHIN_MS,
    );
  const empty = weigh(server);
  await fill(0, WARM_UP_SESSIONS, 0);
  const before = await weighAtRest(server);
  log(`sleeping: making ${makeNumber(sessions)} sessions`);
  const { sample, ...figures } = await fill(WARM_UP_SESSIONS, sessions, 2 * TOUCHED);
  log('sleeping: waiting until all are parked');
  const after = await weighAtRest(server);
  const touched = await touch(processes, server, sample.slice(0, TOUCHED));
  return { fill: figures, empty, before, after, touch: touched, sample };
}

function touch(
  processes: Processes,
  server: MatchdServer,
  sessions: readonly SleepingSession[],
): Promise<TouchFigures> {
  return processes.drive<'touch'>(
    { kind: 'touch', server: underTest(server), sessions },
    TOUCH_WITHIN_MS,
  );
}

export function makeSleepingTable(report: SleepingReport): string {
  const { sessions, fill, empty, before, after, restarted } = report;
  const all = sessions + WARM_UP_SESSIONS;
  const perSession = (bytes: number, count: number): string => makeNumber(bytes / count);
  const mib = (bytes: number): string => makeNumber(bytes / MIB_BYTES);
  const times = (figures: TouchFigures): string =>
    [figures.p50Ms, figures.p99Ms, figures.maxMs].map(makeNumber).join(' / ');
  const grown = after.residentBytes - before.residentBytes;
  const grownOwn = after.anonymousBytes - before.anonymousBytes;
  const fresh = restarted.residentBytes - empty.residentBytes;
  const freshOwn = restarted.anonymousBytes - empty.anonymousBytes;
  const rows = [
    ['sessions made a second', makeNumber(fill.sessionsPerSecond)],
    ['CPU to make one: create, both connect, both leave, µs', makeNumber(fill.cpuUsPerSession)],
    [
      'RSS just started / after the warm-up / with all, MiB',
      [empty, before, after].map((weight) => mib(weight.residentBytes)).join(' / '),
    ],
    [
      'memory a session: RSS / anonymous, bytes',
      `${perSession(grown, sessions)} / ${perSession(grownOwn, sessions)}`,
    ],
    [
      'disk a session (database and log), bytes',
      perSession(after.diskBytes - empty.diskBytes, all),
    ],
    ['touch one: p50 / p99 / max, ms', times(report.touch)],
    ['a fresh process is ready after, ms', makeNumber(report.restartMs)],
    ['its RSS, MiB', mib(restarted.residentBytes)],
    [
      'its memory a session: RSS / anonymous, bytes',
      `${perSession(fresh, all)} / ${perSession(freshOwn, all)}`,
    ],
    ['touch one there: p50 / p99 / max, ms', times(report.touchAfterRestart)],
  ];
  const columns = [
    { title: `${makeNumber(all)} active sessions, no sockets`, align: 'left' },
    { title: 'matchd', align: 'right' },
  ] as const;
  return makeTable(columns, rows);
}
