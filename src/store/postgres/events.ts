/** The log of events in PostgreSQL as it is read; it is written at the end of each transaction. */

import { setImmediate } from 'node:timers/promises';
import type { EventWorld, KeptEvent } from '../../events/event.ts';
import { makeRecordEvent } from '../../events/session-events.ts';
import type { LogRecord } from '../../match/record.ts';
import type { EventStore, EventSubject } from '../events.ts';
import { parseChunk, type RecordPlace, toChunk } from '../rows/event-chunk.ts';
import { type ChunkReads, findEventSeq } from '../rows/event-search.ts';
import { toEventSeat, toFormerSeat, toSessionRow } from '../rows/session-rows.ts';
import type { Heads } from './heads.ts';
import type { Row, Sql } from './sql.ts';

/** Rows read at a time. */
const ROWS = 64;
/** Rows the database looks through at a time: it keeps nobody waiting with that. */
const ROWS_LOOKED_THROUGH = 5_000;
/** Records read at a time. */
const LOOKS_AT_ONCE = 500;
/** The fewest: a reader who wants but one may have to look past many that are gone. */
const LOOKS_MIN = 50;

type Placed = KeptEvent | RecordPlace;

export function makeEventStore(db: Sql, heads: Pick<Heads, 'listen'>): EventStore {
  return {
    onEvents: heads.listen,
    ...makeLogReads(db),
    ...makeSubjectReads(db),
    async removeEvents({ tenant, mode }, olderThan, limit) {
      const row = await db.get(
        `WITH gone AS (
           DELETE FROM event_chunk WHERE tenant = $1 AND mode = $2 AND last_seq IN (
             SELECT last_seq FROM event_chunk WHERE tenant = $1 AND mode = $2 AND at < $3
             ORDER BY at, last_seq LIMIT $4)
           RETURNING n)
         SELECT coalesce(sum(n), 0) AS n FROM gone`,
        tenant,
        mode,
        olderThan,
        limit,
      );
      return Number(row!['n']);
    },
  };
}

function makeLogReads(db: Sql) {
  const chunks = makeChunkReads(db);
  return {
    async eventHead({ tenant, mode }) {
      const row = await db.get(
        'SELECT seq FROM event_head WHERE tenant = $1 AND mode = $2',
        tenant,
        mode,
      );
      return Number(row?.['seq'] ?? 0);
    },
    async readEvents(world, afterSeq, limit) {
      const events: KeptEvent[] = [];
      const next = (after: number) =>
        db.all(
          `SELECT last_seq, n, body FROM event_chunk
           WHERE tenant = $1 AND mode = $2 AND last_seq > $3 ORDER BY last_seq LIMIT ${ROWS}`,
          world.tenant,
          world.mode,
          after,
        );
      const size = Math.max(LOOKS_MIN, Math.min(limit, LOOKS_AT_ONCE));
      for await (const placed of inParts(world, afterSeq, size, next)) {
        const missing = limit - events.length;
        events.push(...(await resolve(db, world, placed)).slice(0, missing));
        if (events.length === limit) break;
      }
      return events;
    },
    findEventSeq: (world, id, from) => findEventSeq(chunks, world, id, from),
  } satisfies Partial<EventStore>;
}

function makeChunkReads(db: Sql): ChunkReads {
  const holding = (between: string, order: '' | ' DESC') =>
    `SELECT * FROM (
       SELECT at, last_seq, n, body FROM event_chunk
        WHERE tenant = $1 AND mode = $2 AND ${between}
        ORDER BY at${order}, last_seq${order} LIMIT $5 OFFSET $6) AS near
     WHERE position($7 IN body) > 0`;
  const forth = holding('at BETWEEN $3 AND $4', '');
  const back = holding('at < $3 AND at >= $4', ' DESC');
  return {
    next: ({ tenant, mode }, { at, lastSeq }, to, limit) =>
      db.all(
        `SELECT at, last_seq, n, body FROM event_chunk
          WHERE tenant = $1 AND mode = $2 AND (at, last_seq) > ($3, $4) AND at <= $5
          ORDER BY at, last_seq LIMIT $6`,
        ...[tenant, mode, at, lastSeq, to, limit],
      ),
    holding: ({ tenant, mode }, text, { from, to }, skip, limit) =>
      db.all(from < to ? forth : back, tenant, mode, from, to, limit, skip, text),
    rowsAtOnce: ROWS_LOOKED_THROUGH,
    turn: () => setImmediate(),
  };
}

/** The events after a place, `size` at a time: a log can be long, and its records gone. */
async function* inParts(
  world: EventWorld,
  afterSeq: number,
  size: number,
  next: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Placed[]> {
  for (let after = afterSeq; ; ) {
    const rows = await next(after);
    const chunks = rows.map(toChunk);
    const placed = chunks
      .flatMap((chunk) => parseChunk(world, chunk))
      .filter(({ seq }) => seq > afterSeq);
    for (let i = 0; i < placed.length; i += size) {
      yield placed.slice(i, i + size);
    }
    const last = chunks.at(-1);
    if (last === undefined || chunks.length < ROWS) return;
    after = last.lastSeq;
  }
}

/** Without those whose session has been removed: what its records told went with it. */
async function resolve(
  db: Sql,
  world: EventWorld,
  placed: readonly Placed[],
): Promise<readonly KeptEvent[]> {
  const places = placed.filter((each) => 'v' in each);
  if (places.length === 0) return placed as readonly KeptEvent[];
  const rows = await db.all(
    `SELECT session, v, at, record FROM log
     WHERE (session, v) IN (SELECT * FROM unnest($1::text[], $2::int[]))`,
    places.map(({ session }) => session),
    places.map(({ v }) => v),
  );
  const records = new Map(rows.map((row) => [`${row['session']}:${row['v']}`, row]));
  return placed.flatMap((each): KeptEvent[] => {
    if (!('v' in each)) return [each];
    const found = records.get(`${each.session}:${each.v}`);
    if (found === undefined) return [];
    const told = { ...world, ...each, at: Number(found['at']) };
    const event = makeRecordEvent(told, JSON.parse(String(found['record'])) as LogRecord);
    return event === null ? [] : [{ ...event, seq: each.seq }];
  });
}

function makeSubjectReads(db: Sql) {
  return {
    async findEventSubjects(sessions) {
      const ids = [...new Set(sessions)];
      if (ids.length === 0) return new Map();
      const rows = await db.all('SELECT * FROM session WHERE id = ANY($1::text[])', ids);
      const seats = await db.all(
        `SELECT session, seat, is_bot, player_id, display_name
         FROM seat JOIN player ON player.ref = seat.player
         WHERE session = ANY($1::text[]) ORDER BY session, seat`,
        ids,
      );
      const former = await db.all(
        `SELECT session, left_v, seat, is_bot, player_id, display_name
         FROM former_seat JOIN player ON player.ref = former_seat.player
         WHERE session = ANY($1::text[]) ORDER BY session, left_v`,
        ids,
      );
      const seatsBySession = Map.groupBy(seats, ({ session }) => session);
      const formerBySession = Map.groupBy(former, ({ session }) => session);
      return new Map(
        rows.map((row): [string, EventSubject] => {
          const id = row['id']!;
          const subject = {
            row: toSessionRow(row),
            seats: (seatsBySession.get(id) ?? []).map(toEventSeat),
            former: (formerBySession.get(id) ?? []).map(toFormerSeat),
          };
          return [String(id), subject];
        }),
      );
    },
    async findPlayerIds(refs) {
      const wanted = [...new Set(refs)];
      if (wanted.length === 0) return new Map();
      const rows = await db.all(
        'SELECT ref, player_id FROM player WHERE ref = ANY($1::text[]) AND player_id IS NOT NULL',
        wanted,
      );
      return new Map(rows.map((row) => [String(row['ref']), String(row['player_id'])]));
    },
  } satisfies Partial<EventStore>;
}
