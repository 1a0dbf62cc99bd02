/** Sessions: their logs, their lists, who holds them and when they are due. */

import type { Entry, LogRecord } from '../../match/record.ts';
import type { OnBatch } from '../batches.ts';
import { numberOrNull, textOrNull } from '../rows/row.ts';
import { toSessionRow } from '../rows/session-rows.ts';
import { COMMIT } from '../scripts/commits.ts';
import { CREATE_SESSION } from '../scripts/creates.ts';
import { toLogRows } from '../scripts/log-rows.ts';
import type { SessionListStore } from '../scripts/session-lists.ts';
import type { SessionSweepStore } from '../scripts/session-sweeps.ts';
import type {
  CommitOutcome,
  CreateOutcome,
  NewSession,
  SessionStore,
  StoredSession,
} from '../store.ts';
import { appendMoves, type CommitWork } from './commits.ts';
import type { Database, HeadListener } from './database.ts';
import { makeLanes, makeTurns, tellSafely } from './lanes.ts';
import { HAS_LEASE } from './lease.ts';
import { idsOf, type Row } from './sql.ts';
import { doTogether, makeByKey, type Work } from './together.ts';

/** Batches under way at once: of plain records, of changes, of new sessions. */
const MOVE_LANES = 3;
const CHANGE_LANES = 2;
const CREATE_LANES = 1;
/** Connections that the lanes need in all. */
export const LANES = MOVE_LANES + CHANGE_LANES + CREATE_LANES;
/** Items that make a full batch. */
const MOVES_MAX = 512;
const CHANGES_MAX = 256;
const CREATES_MAX = 256;
/** Fewer than these wait for the batch before them, or for so long. Milliseconds. */
const MOVES_TOGETHER = { batchMin: 16, waitMs: 8 } as const;
const CHANGES_TOGETHER = { batchMin: 8, waitMs: 8 } as const;
/** New sessions have one connection: they wait for it in any case. */
const CREATES_TOGETHER = { batchMin: 1, waitMs: 0 } as const;

export interface SessionTools {
  readonly db: Database;
  readonly node: string;
  readonly onHead: HeadListener;
  /** For all that is not on the way of a move. */
  readonly reads: Database;
  readonly onBatch?: OnBatch | undefined;
}

/** All that is not written once for all databases. */
export type OwnSessionStore = Omit<SessionStore, keyof SessionListStore | keyof SessionSweepStore>;

/** With `settled`, which resolves when nothing is under way. */
export function makeSessionStore(
  tools: SessionTools,
): OwnSessionStore & { readonly settled: () => Promise<void> } {
  return {
    ...makeWrites(tools),
    ...makeLoads(tools.reads),
    ...makeClaims(tools.reads, tools.node),
  };
}

/** A session on its way to sleep. */
type SleepWork = Work<{ readonly id: string; readonly wakeAt: number | null }, null>;
type CreateWork = Work<NewSession, CreateOutcome>;

function makeWrites(tools: SessionTools) {
  const { db, node, onHead } = tools;
  const turns = makeTurns();
  const moves = makeLanes<CommitWork>(turns, {
    lanes: MOVE_LANES,
    batchMax: MOVES_MAX,
    ...MOVES_TOGETHER,
    work: (works) => observed(tools, works, appendMoves(db, onHead, works)),
  });
  const changes = makeLanes<CommitWork | SleepWork>(turns, {
    lanes: CHANGE_LANES,
    batchMax: CHANGES_MAX,
    ...CHANGES_TOGETHER,
    work: (works) => observed(tools, works, change(db, node, works)),
  });
  const creates = makeLanes<CreateWork>(turns, {
    lanes: CREATE_LANES,
    batchMax: CREATES_MAX,
    ...CREATES_TOGETHER,
    work: (works) => observed(tools, works, doTogether(db, CREATE_SESSION, works)),
  });
  return {
    settled: turns.settled,
    commit(ask, done: (outcome: CommitOutcome) => void) {
      const { session } = ask;
      // What cannot be written down is refused here, and spoils no batch.
      const rows = toLogRows(session, ask.entries);
      const tell = tellSafely(done);
      const work = { session, ask, rows, done: tell, failed: () => tell('unknown') };
      if (ask.change === null) moves.push(work);
      else changes.push(work);
    },
    createSession: (ask) =>
      new Promise((done, failed) => {
        // It throws where the record cannot be written down.
        toLogRows(ask.row.id, [ask.entry]);
        creates.push({ session: ask.row.id, ask, done, failed });
      }),
    async sleep(sessions) {
      const each = sessions.map(
        (ask) =>
          new Promise<null>((done, failed) => changes.push({ session: ask.id, ask, done, failed })),
      );
      await Promise.all(each);
    },
  } satisfies Partial<SessionStore> & { settled: () => Promise<void> };
}

/** What changes more than the log of a session. */
async function change(
  db: Database,
  node: string,
  works: readonly (CommitWork | SleepWork)[],
): Promise<void> {
  const sleeps = works.filter((each): each is SleepWork => !('rows' in each));
  const commits = works.filter((each): each is CommitWork => 'rows' in each);
  if (sleeps.length > 0) await putToSleep(db, node, sleeps);
  if (commits.length > 0) await doTogether(db, COMMIT, commits);
}

/** A session of another node is left alone: whoever is late must not put it to sleep. */
const SLEEP = `UPDATE session SET holder = NULL, wake_at = given.wake_at, due_node = NULL
  FROM unnest($1::text[], $2::bigint[]) AS given (id, wake_at)
  WHERE session.id = given.id AND session.status <> 'ended'
    AND (session.holder IS NULL OR session.holder = $3)`;

async function putToSleep(db: Database, node: string, works: readonly SleepWork[]): Promise<void> {
  try {
    const ids = works.map(({ ask }) => ask.id);
    const times = works.map(({ ask }) => ask.wakeAt);
    await db.run(SLEEP, ids, times, node);
    for (const { done } of works) done(null);
  } catch (error) {
    for (const { failed } of works) failed(error);
  }
}

async function observed(
  { onBatch }: SessionTools,
  works: readonly (CommitWork | SleepWork | CreateWork)[],
  work: Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  await work;
  const traces = works.flatMap(({ ask }) => ('trace' in ask ? (ask.trace ?? []) : []));
  onBatch?.({ size: works.length, startedAt, endedAt: performance.now(), traces });
}

/**
 * One statement, so that all of it is of one moment: a commit may come between two. From each seat to its
 * player, whatever the planner believes: before it has counted the rows it would read all players for each.
 */
const LOAD = `SELECT session.*,
    (SELECT json_agg(json_build_array(seat, player_id, display_name, is_bot) ORDER BY seat)
       FROM seat CROSS JOIN LATERAL (
         SELECT player_id, display_name FROM player WHERE player.ref = seat.player LIMIT 1) AS who
      WHERE seat.session = session.id) AS seats,
    (SELECT json_agg(json_build_array(v, at, record) ORDER BY v)
       FROM log WHERE log.session = session.id) AS entries
  FROM session WHERE id = ANY($1::text[])`;
/** Many are asked for when a node takes over; logs can be long. */
const LOADS = { lanes: 3, batchMax: 32 } as const;

function makeLoads(db: Database) {
  const load = makeByKey(db, LOADS, LOAD);
  return {
    async loadSession(id): Promise<StoredSession | null> {
      const row = await load(id);
      return row === null ? null : toStored(row);
    },
  } satisfies Partial<SessionStore>;
}

/**
 * The holders are few and the sessions many: from one holder the index leads to the next. Those of
 * whom no lease is known are gone.
 */
const CLAIM_HELD = `WITH RECURSIVE
  holders AS (
    SELECT min(holder) AS holder FROM session WHERE holder IS NOT NULL
    UNION ALL
    SELECT (SELECT min(holder) FROM session WHERE session.holder > holders.holder)
      FROM holders WHERE holder IS NOT NULL
  ),
  gone AS (
    SELECT holder FROM holders WHERE holder IS NOT NULL AND NOT EXISTS (
      SELECT FROM node WHERE node.id = holders.holder AND ${HAS_LEASE})
  )
  UPDATE session SET holder = $3 FROM (
    SELECT id FROM session WHERE id > $1 AND holder IN (SELECT holder FROM gone)
     ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED) AS held
   WHERE session.id = held.id
  RETURNING held.id`;

/** What several nodes want to take up at once: each row goes to one of them. */
function makeClaims(db: Database, node: string) {
  return {
    /** A node that lives and has taken one upon itself is left to wake it. */
    async listDue(now, limit) {
      const rows = await db.all(
        `UPDATE session SET due_node = $3 WHERE id IN (
           SELECT id FROM session
            WHERE wake_at <= $1 AND holder IS NULL AND (due_node IS NULL OR due_node = $3 OR NOT EXISTS (
              SELECT FROM node WHERE node.id = due_node AND ${HAS_LEASE}))
            ORDER BY wake_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING id, wake_at`,
        now,
        limit,
        node,
      );
      const order = (row: Row): number => Number(row['wake_at']);
      return idsOf([...rows].sort((a, b) => order(a) - order(b) || (a['id']! < b['id']! ? -1 : 1)));
    },
    /** Those whose holder has no lease are this node's from now on. */
    async listAwake(after, limit) {
      return idsOf(await db.all(CLAIM_HELD, after, limit, node)).toSorted();
    },
  } satisfies Partial<SessionStore>;
}

type SeatJson = readonly [
  seat: number,
  playerId: string | null,
  displayName: string | null,
  isBot: boolean,
];
type EntryJson = readonly [v: number, at: number, record: string];

/** The driver has read the JSON that PostgreSQL made. */
function toStored(row: Row): StoredSession {
  const seats = (row['seats'] ?? []) as unknown as readonly SeatJson[];
  const entries = (row['entries'] ?? []) as unknown as readonly EntryJson[];
  const roster: StoredSession['roster'][number][] = [];
  for (const [seat, id, displayName] of seats) {
    while (roster.length < seat) roster.push(null);
    roster[seat] = { id, displayName };
  }
  return {
    row: toSessionRow(row),
    roster,
    entries: entries.map(
      ([v, at, record]): Entry => ({ v, at, record: JSON.parse(record) as LogRecord }),
    ),
    botSeats: seats.flatMap(([seat, , , isBot]) => (isBot ? [seat] : [])),
    holder: textOrNull(row['holder']),
    isAsleep: row['holder'] === null,
    wakeAt: numberOrNull(row['wake_at']),
  };
}
