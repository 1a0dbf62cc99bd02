/** Reads and removal of the event log; each transaction appends to it at its end. */

import type { EventWorld, StoredEvent } from '../../../events/event.ts';
import { makeRecordEvent } from '../../../events/session-events.ts';
import type { LogRecord } from '../../../match/record.ts';
import type { EventStore, EventSubject } from '../../events.ts';
import { parseChunk, type RecordPlace, toChunk } from '../../rows/event-chunk.ts';
import { type ChunkReads, findEventSeq } from '../../rows/event-search.ts';
import type { Row } from '../../rows/row.ts';
import { toEventSeat, toFormerSeat, toSessionRow } from '../../rows/session-rows.ts';
import { type Runner, type Sql, scriptOfOne } from '../shared/script.ts';

/** Rows of the log read at a time. */
const ROWS = 64;
/** Rows that the database searches for a text at a time: some milliseconds. */
const ROWS_LOOKED_THROUGH = 2_500;
/** Records read before yielding to other work. */
const READ_AT_ONCE = 500;
/** The minimum: a reader who wants a single event may have to skip many removed ones. */
const READ_MIN = 50;

type Placed = StoredEvent | RecordPlace;

export function makeEventStore({ sql, write, turn }: Runner): Omit<EventStore, 'onEvents'> {
  return {
    ...makeLogReads(sql, turn),
    ...makeSubjectReads(sql),
    removeEvents: ({ tenant, mode }, olderThan, limit) =>
      write(REMOVE, { tenant, mode, olderThan, limit }),
  };
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

interface Remove extends EventWorld {
  readonly olderThan: number;
  readonly limit: number;
}

const REMOVE = scriptOfOne('removeEvents', async (tx, ask: Remove) => {
  const { tenant, mode, olderThan, limit } = ask;
  const gone = await tx.all(
    `DELETE FROM event_chunk WHERE tenant = :tenant AND mode = :mode AND last_seq IN (
       SELECT last_seq FROM event_chunk WHERE tenant = :tenant AND mode = :mode AND at < :older_than
       ORDER BY at, last_seq LIMIT :limit)
     RETURNING n`,
    { tenant, mode, older_than: olderThan, limit },
  );
  return gone.reduce((sum, { n }) => sum + Number(n), 0);
});

export const EVENT_SCRIPTS = [REMOVE];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

const CHUNKS = `SELECT last_seq, n, body FROM event_chunk
  WHERE tenant = :tenant AND mode = :mode AND last_seq > :after ORDER BY last_seq LIMIT ${ROWS}`;

function makeLogReads(sql: Sql, turn: Runner['turn']) {
  const chunks = makeChunkReads(sql, turn);
  return {
    async eventHead({ tenant, mode }) {
      const row = await sql.get(
        'SELECT seq FROM event_head WHERE tenant = :tenant AND mode = :mode',
        { tenant, mode },
      );
      return Number(row?.['seq'] ?? 0);
    },
    async readEvents(world, afterSeq, limit) {
      const events: StoredEvent[] = [];
      const next = (after: number) =>
        sql.all(CHUNKS, { tenant: world.tenant, mode: world.mode, after });
      const size = Math.max(READ_MIN, Math.min(limit, READ_AT_ONCE));
      for await (const placed of inParts(world, afterSeq, size, next, turn)) {
        const missing = limit - events.length;
        events.push(...(await resolve(sql, world, placed)).slice(0, missing));
        if (events.length === limit) break;
      }
      return events;
    },
    findEventSeq: (world, id, from) => findEventSeq(chunks, world, id, from),
  } satisfies Partial<EventStore>;
}

const NEXT = `SELECT at, last_seq, n, body FROM event_chunk
  WHERE tenant = :tenant AND mode = :mode AND (at, last_seq) > (:at, :last_seq) AND at <= :to
  ORDER BY at, last_seq LIMIT :limit`;

const holding = (between: string, order: '' | ' DESC') =>
  `SELECT * FROM (
     SELECT at, last_seq, n, body FROM event_chunk
      WHERE tenant = :tenant AND mode = :mode AND ${between}
      ORDER BY at${order}, last_seq${order} LIMIT :limit OFFSET :skip) AS near
   WHERE strpos(body, :text) > 0`;
const HOLDING_FORTH = holding('at BETWEEN :from AND :to', '');
const HOLDING_BACK = holding('at < :from AND at >= :to', ' DESC');

function makeChunkReads(sql: Sql, turn: Runner['turn']): ChunkReads {
  return {
    next: ({ tenant, mode }, { at, lastSeq }, to, limit) =>
      sql.all(NEXT, { tenant, mode, at, last_seq: lastSeq, to, limit }),
    holding: ({ tenant, mode }, text, { from, to }, skip, limit) =>
      sql.all(from < to ? HOLDING_FORTH : HOLDING_BACK, {
        tenant,
        mode,
        from,
        to,
        text,
        skip,
        limit,
      }),
    rowsAtOnce: ROWS_LOOKED_THROUGH,
    turn,
  };
}

/** The events after a position, `size` at a time: a log can be long, and its records removed. */
async function* inParts(
  world: EventWorld,
  afterSeq: number,
  size: number,
  next: (after: number) => Promise<readonly Row[]>,
  turn: Runner['turn'],
): AsyncGenerator<readonly Placed[]> {
  let parts = 0;
  for (let after = afterSeq; ; ) {
    const rows = await next(after);
    const chunks = rows.map(toChunk);
    const placed = chunks
      .flatMap((chunk) => parseChunk(world, chunk))
      .filter(({ seq }) => seq > afterSeq);
    for (let i = 0; i < placed.length; i += size) {
      parts += 1;
      if (parts > 1) await turn();
      yield placed.slice(i, i + size);
    }
    const last = chunks.at(-1);
    if (last === undefined || chunks.length < ROWS) return;
    after = last.lastSeq;
  }
}

/** With the join order fixed, or SQLite may read the whole log for a few records. */
const RECORDS = `SELECT log.session, log.v, log.at, log.record
  FROM @given(session text, v int) CROSS JOIN log
  WHERE log.session = given.session AND log.v = given.v`;

/** Leaves out events of removed sessions, whose records are gone. */
async function resolve(
  sql: Sql,
  world: EventWorld,
  placed: readonly Placed[],
): Promise<readonly StoredEvent[]> {
  const given = placed.filter((each) => 'v' in each);
  if (given.length === 0) return placed as readonly StoredEvent[];
  const rows = await sql.all(RECORDS, { given });
  const records = new Map(rows.map((row) => [`${row['session']}:${row['v']}`, row]));
  return placed.flatMap((each): StoredEvent[] => {
    if (!('v' in each)) return [each];
    const found = records.get(`${each.session}:${each.v}`);
    if (found === undefined) return [];
    const told = { ...world, ...each, at: Number(found['at']) };
    const event = makeRecordEvent(told, JSON.parse(String(found['record'])) as LogRecord);
    return event === null ? [] : [{ ...event, seq: each.seq }];
  });
}

const SEATS = `SELECT session, seat, is_bot, player_id, display_name
  FROM seat JOIN player ON player.ref = seat.player
  WHERE session IN :ids(text) ORDER BY session, seat`;

const FORMER = `SELECT session, left_v, seat, is_bot, player_id, display_name
  FROM former_seat JOIN player ON player.ref = former_seat.player
  WHERE session IN :ids(text) ORDER BY session, left_v`;

function makeSubjectReads(sql: Sql) {
  return {
    async findEventSubjects(sessions) {
      const ids = [...new Set(sessions)];
      if (ids.length === 0) return new Map();
      const rows = await sql.all('SELECT * FROM session WHERE id IN :ids(text)', { ids });
      const bySession = (of: readonly Row[]) => Map.groupBy(of, ({ session }) => session);
      const seats = bySession(await sql.all(SEATS, { ids }));
      const former = bySession(await sql.all(FORMER, { ids }));
      return new Map(
        rows.map((row): [string, EventSubject] => {
          const { id } = row;
          const subject = {
            row: toSessionRow(row),
            seats: (seats.get(id) ?? []).map(toEventSeat),
            former: (former.get(id) ?? []).map(toFormerSeat),
          };
          return [String(id), subject];
        }),
      );
    },
    async findPlayerIds(refs) {
      const wanted = [...new Set(refs)];
      if (wanted.length === 0) return new Map();
      const rows = await sql.all(
        'SELECT ref, player_id FROM player WHERE ref IN :wanted(text) AND player_id IS NOT NULL',
        { wanted },
      );
      return new Map(rows.map((row) => [String(row['ref']), String(row['player_id'])]));
    },
  } satisfies Partial<EventStore>;
}
