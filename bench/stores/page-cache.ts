/**
 * The cost of SQLite's writer with a page cache of that many MiB, in µs of CPU for whole matches,
 * one transaction for 16 of each step, on the disk of this folder: `bun bench/stores/page-cache.ts
 * [matches] [rounds] [MiB…]`.
 */

import { join } from 'node:path';
import { openDatabase } from '../../src/store/sqlite/file/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { makeBatchWriter } from '../../src/store/sqlite/writer/batch-writer.ts';
import {
  gatherCommit,
  gatherWrite,
  makeGathered,
  toBatch,
} from '../../src/store/sqlite/writer/gathered.ts';
import type { MatchCommit, NewSession, SeatedRow } from '../../src/store/store.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { measureInTurns } from './in-turns.ts';

const matches = Number(process.argv[2] ?? 20_000);
const rounds = Number(process.argv[3] ?? 3);
const sizes = process.argv.length > 4 ? process.argv.slice(4).map(Number) : [64, 16, 8, 2];

const AT = Date.UTC(2026, 10, 27);
const HOUR_MS = 3_600_000;
/** Matches whose steps share one transaction. */
const TOGETHER = 16;
const MOVES = 6;
/** Spreads codes and players over their indexes, as chance would. */
const STRIDE = 7_919;
const WHOSE = { tenant: 'ten_bench', mode: 'live' } as const;
const STEPS = ['create', 'connect', 'start', ...Array<string>(MOVES).fill('move'), 'end'];

const idOf = (n: number): string => `ses_${String(n).padStart(26, '0')}`;
const scattered = (n: number): string => String((n * STRIDE) % 1_000_003).padStart(7, '0');

function seatOf(n: number, seat: number): SeatedRow {
  const newRef = `ply_${String(2 * n + seat).padStart(26, '0')}`;
  return {
    seat,
    playerId: `${seat}${scattered(n)}`,
    displayName: null,
    isBot: false,
    newRef,
    at: AT,
  };
}

function sessionOf(n: number): NewSession {
  return {
    row: {
      ...WHOSE,
      id: idOf(n),
      game: 'tictactoe',
      matchType: 'private',
      variant: 'standard',
      roomCode: `C${scattered(n)}`,
      metadata: null,
      theme: null,
      createdAt: AT + n,
    },
    seats: [seatOf(n, 0), seatOf(n, 1)],
    entry: { v: 0, at: AT, record: { k: 'connected', seat: 0 } },
    roomCodeExpiresAt: AT + HOUR_MS,
    wakeAt: null,
    quota: { month: null, sessionsPerMonthMax: null, openSessionsMax: null },
    idempotency: null,
  } as NewSession;
}

function commitOf(n: number, step: number): MatchCommit {
  const entry = { v: step, at: AT + step, record: { k: 'connected', seat: step % 2 } } as const;
  const change = {
    start: { status: 'active', startedAt: AT } as const,
    end: { status: 'ended', endedAt: AT, wasActive: true, seal: 'x'.repeat(500) } as const,
  }[STEPS[step] as 'start' | 'end'];
  return { ...WHOSE, session: idOf(n), entries: [entry], change: change ?? null };
}

/** µs of CPU a match, of the second half of them. */
async function measure(mib: number): Promise<number> {
  const folder = makeTempFolder();
  const file = join(folder, 'bench.db');
  await (await openSqliteStore(file)).close();
  const db = openDatabase(file, 'write');
  db.exec(`PRAGMA cache_size = -${mib * 1_024}`);
  const write = makeBatchWriter(db, { waitMs: 0, head: null });
  try {
    let before = process.cpuUsage();
    for (let from = 0; from < matches; from += TOGETHER) {
      if (from >= matches / 2 && from < matches / 2 + TOGETHER) before = process.cpuUsage();
      for (let step = 0; step < STEPS.length; step++) {
        const gathered = makeGathered();
        for (let n = from; n < from + TOGETHER; n++) {
          if (step > 0) gatherCommit(gathered, commitOf(n, step), () => {});
          else
            void gatherWrite(gathered, { op: 'script', name: 'createSession', ask: sessionOf(n) });
        }
        const reply = await write(toBatch(gathered));
        if (!reply.ok || reply.results.some(({ ok }) => !ok))
          throw new Error(JSON.stringify(reply));
      }
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (matches / 2);
  } finally {
    db.close();
    removeFolder(folder);
  }
}

const variants = new Map(sizes.map((mib) => [`${mib}`, () => measure(mib)]));
console.log(
  await measureInTurns(variants, rounds, {
    variants: `MiB of pages, ${matches} matches`,
    figure: 'µs a match',
    ratio: `÷ ${sizes[0]} MiB`,
  }),
);
