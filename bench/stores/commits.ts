/**
 * Durable moves per second of a store only, without sockets and rules: `bun bench/stores/commits.ts
 * [postgres|sqlite] [seconds]`. PostgreSQL is the machine's own, started for it.
 */

import { join } from 'node:path';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { CommitOutcome, MatchCommit, SessionChange } from '../../src/store/store.ts';
import type { Store } from '../../src/store/whole-store.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { cpuNs } from '../kernel.ts';
import { makeNumber, makeTable } from '../report.ts';

const SECONDS_DEFAULT = 8;
const IN_FLIGHT = [50, 200, 1_000] as const;
/** Of the load of whole matches: records of one, of which the first two and the last change rows. */
const RECORDS_A_MATCH = 40;
/** Players of that load; two of them meet again and again. */
const PLAYERS = 5_000;
const TENANT = 'ten_bench';
const T0 = Date.UTC(2026, 10, 21);
const HOUR_MS = 3_600_000;
const NS_PER_US = 1_000;

type Kind = 'create' | 'start' | 'move' | 'end';

interface Figures {
  readonly inFlight: number;
  readonly seconds: number;
  /** For this process, which also makes the calls and measures. */
  readonly cpuUsPerCommit: number;
  /** For the database's own processes; 0 if it has none. */
  readonly serverUsPerCommit: number;
  readonly latenciesMs: Readonly<Record<Kind, number[]>>;
}

interface Place {
  readonly store: Store;
  /** Processes of the database. */
  pids(): readonly number[];
  close(): Promise<void>;
}

async function openPlace(kind: string): Promise<Place> {
  if (kind === 'sqlite') {
    const folder = makeTempFolder();
    const store = await openSqliteStore(join(folder, 'bench.db'));
    const close = () => store.close().then(() => removeFolder(folder));
    return { store, pids: () => [], close };
  }
  const server = await startPostgres();
  const store = await openPostgresStore({ url: await server.createDatabase(), node: 'nod_bench' });
  return { store, pids: server.pids, close: () => store.close().then(() => server.stop()) };
}

let sessions = 0;

/** Creates sessions and plays in each, one move after the other, until the time is over. */
async function measure(
  { store, pids }: Place,
  inFlight: number,
  seconds: number,
  recordsMax: number,
): Promise<Figures> {
  const latenciesMs: Record<Kind, number[]> = { create: [], start: [], move: [], end: [] };
  const cpu = process.cpuUsage();
  const before = new Map(pids().map((pid) => [pid, cpuNs(pid)]));
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const timed = async <T>(kind: Kind, act: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await act();
    latenciesMs[kind].push(performance.now() - from);
    return result;
  };
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < endsAt) await playOne(store, timed, endsAt, recordsMax);
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  const all = Object.values(latenciesMs).reduce((sum, { length }) => sum + length, 0);
  const took = (performance.now() - startedAt) / 1_000;
  const cpuUsPerCommit = (user + system) / all;
  // New ones count in full, ended ones not at all: they are few.
  const serverNs = pids().reduce((sum, pid) => sum + cpuNs(pid) - (before.get(pid) ?? 0), 0);
  const serverUsPerCommit = serverNs / NS_PER_US / all;
  return { inFlight, seconds: took, cpuUsPerCommit, serverUsPerCommit, latenciesMs };
}

type Timed = <T>(kind: Kind, act: () => Promise<T>) => Promise<T>;

async function playOne(
  store: Store,
  timed: Timed,
  endsAt: number,
  recordsMax: number,
): Promise<void> {
  sessions += 1;
  const n = sessions;
  const id = `ses_${String(n).padStart(8, '0')}`;
  await timed('create', () => create(store, id, n));
  const append = async (kind: Kind, v: number, change: SessionChange | null): Promise<void> => {
    const record =
      kind === 'end'
        ? {
            k: 'ended' as const,
            outcome: { winners: [0], places: [1, 2], reason: 'line', detail: {} },
          }
        : {
            k: 'action' as const,
            seat: v % 2,
            id: `c-${n}-${v}`,
            action: { from: 12, to: v % 64 },
          };
    const outcome = await timed(kind, () =>
      commit(store, {
        session: id,
        tenant: TENANT,
        mode: 'live',
        entries: [{ v, at: T0 + v, record: record as never }],
        change,
        events: [{ tenant: TENANT, mode: 'live', session: id, v, at: T0 + v }],
      }),
    );
    if (outcome !== 'committed') throw new Error(`${kind} ${v} of ${id}: ${outcome}`);
  };
  await append('start', 1, { status: 'active', startedAt: T0, full: true, seats: [seat(1, n)] });
  let v = 2;
  for (; v < recordsMax && performance.now() < endsAt; v++) await append('move', v, null);
  await append('end', v, { status: 'ended', endedAt: T0 + v });
}

function commit(store: Store, commit: MatchCommit): Promise<CommitOutcome> {
  return new Promise((resolve) => store.commit(commit, resolve));
}

function create(store: Store, id: string, n: number): Promise<unknown> {
  return store.createSession({
    row: {
      id,
      tenant: TENANT,
      mode: 'live',
      game: 'tictactoe',
      matchType: 'private',
      variant: 'standard',
      roomCode: `C${n}`,
      metadata: null,
      theme: null,
      createdAt: T0,
    },
    seats: [seat(0, n)],
    entry: { v: 0, at: T0, record: { k: 'connected', seat: 0 } },
    roomCodeExpiresAt: T0 + HOUR_MS,
    wakeAt: null,
    quota: { month: '2026-11', sessionsPerMonthMax: null, openSessionsMax: 1_000_000 },
    idempotency: null,
  });
}

function seat(index: number, n: number) {
  const playerId = `${index}-${n % PLAYERS}`;
  return {
    seat: index,
    playerId,
    displayName: null,
    isBot: false,
    newRef: `ply_${index}_${n}`,
    at: T0,
  };
}

const COLUMNS = ['in flight', 'commit', 'a second', 'p50 ms', 'p99 ms'].map((title, i) => ({
  title,
  align: i < 2 ? ('left' as const) : ('right' as const),
}));

function makeRow(kind: Kind, { inFlight, seconds, latenciesMs }: Figures): string[] {
  const sorted = latenciesMs[kind].sort((a, b) => a - b);
  const at = (share: number) => makeNumber(sorted[Math.floor(sorted.length * share)] ?? 0);
  return [`${inFlight}`, kind, makeNumber(sorted.length / seconds), at(0.5), at(0.99)];
}

function makeCpuRow(title: string, inFlight: number, us: number): string[] {
  return [`${inFlight}`, title, makeNumber(us), '', ''];
}

const [kind = 'postgres', seconds = `${SECONDS_DEFAULT}`] = process.argv.slice(2);
const place = await openPlace(kind);
try {
  for (const recordsMax of [Number.POSITIVE_INFINITY, RECORDS_A_MATCH]) {
    const rows: string[][] = [];
    for (const inFlight of IN_FLIGHT) {
      const figures = await measure(place, inFlight, Number(seconds), recordsMax);
      const kinds: Kind[] =
        recordsMax === RECORDS_A_MATCH ? ['create', 'start', 'move', 'end'] : ['move'];
      rows.push(...kinds.map((each) => makeRow(each, figures)));
      rows.push(makeCpuRow('CPU here, µs a commit', inFlight, figures.cpuUsPerCommit));
      if (kind === 'postgres') {
        rows.push(makeCpuRow('CPU there, µs a commit', inFlight, figures.serverUsPerCommit));
      }
    }
    const title =
      recordsMax === RECORDS_A_MATCH ? `matches of ${recordsMax} records` : 'moves alone';
    console.log(`${kind}, ${title}\n`);
    console.log(`${makeTable(COLUMNS, rows)}\n`);
  }
} finally {
  await place.close();
}
process.exit(0);
