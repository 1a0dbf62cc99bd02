/** The log of events in PostgreSQL as it is read; it is written at the end of each transaction. */

import { setImmediate } from 'node:timers/promises';
import type { EventWorld, KeptEvent } from '../../events/event.ts';
import { isRecordEventId } from '../../events/event-id.ts';
import { makeRecordEvent } from '../../events/session-events.ts';
import type { LogRecord } from '../../match/record.ts';
import type { EventStore, EventSubject } from '../events.ts';
import { parseChunk, type RecordPlace, toChunk } from '../rows/event-chunk.ts';
import { toEventSeat, toSessionRow } from '../rows/session-rows.ts';
import type { Heads } from './heads.ts';
import type { Row, Sql } from './sql.ts';

/** An event is written about when its id is made: so near by it is looked for first. */
const ID_NEAR_MS = 1_000;
/** At most so long after, and its clock may be so far off. */
const ID_AGE_MS = 60_000;
/** Rows read at a time. */
const ROWS = 64;
/** Events looked at before others have their turn, and records read at a time. */
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
             ORDER BY last_seq LIMIT $4)
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
    async findEventSeq(world, id, from) {
      const near = await findSeq(db, world, id, [from - ID_NEAR_MS, from + ID_NEAR_MS]);
      return near ?? findSeq(db, world, id, [from - ID_AGE_MS, from + ID_AGE_MS]);
    },
  } satisfies Partial<EventStore>;
}

/** An event's place, if it was written between two times, ms since 1970. */
async function findSeq(
  db: Sql,
  world: EventWorld,
  id: string,
  [from, to]: readonly [number, number],
): Promise<number | null> {
  const next = (after: number) =>
    db.all(
      `SELECT last_seq, n, body FROM event_chunk
       WHERE tenant = $1 AND mode = $2 AND at BETWEEN $3 AND $4 AND last_seq > $5
       ORDER BY last_seq LIMIT ${ROWS}`,
      world.tenant,
      world.mode,
      from,
      to,
      after,
    );
  for await (const placed of inParts(world, 0, LOOKS_AT_ONCE, next)) {
    const found = placed.find((each) =>
      'v' in each ? isRecordEventId(id, each.session, each.v) : each.id === id,
    );
    if (found !== undefined) return found.seq;
    await setImmediate();
  }
  return null;
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
      const bySession = Map.groupBy(seats, ({ session }) => session);
      return new Map(
        rows.map((row): [string, EventSubject] => [
          String(row['id']),
          { row: toSessionRow(row), seats: (bySession.get(row['id']!) ?? []).map(toEventSeat) },
        ]),
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
