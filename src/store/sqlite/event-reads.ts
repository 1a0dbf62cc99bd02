/** Reads of the log of events, and of what its events are about. */

import { setImmediate } from 'node:timers/promises';
import type { EventWorld, KeptEvent } from '../../events/event.ts';
import { makeRecordEvent } from '../../events/session-events.ts';
import type { LogRecord } from '../../match/record.ts';
import type { EventStore, EventSubject } from '../events.ts';
import { parseChunk, type RecordPlace, toChunk } from '../rows/event-chunk.ts';
import { type ChunkReads, findEventSeq } from '../rows/event-search.ts';
import { toEventSeat, toFormerSeat, toSessionRow } from '../rows/session-rows.ts';
import type { Prepare } from './rows.ts';

export type EventReads = Pick<
  EventStore,
  'readEvents' | 'eventHead' | 'findEventSeq' | 'findEventSubjects' | 'findPlayerIds'
>;

/** Rows that SQLite looks through for a text before others have their turn: a few milliseconds. */
const ROWS_LOOKED_THROUGH = 2_500;
/** Rows read at a time. */
const ROWS = 64;
/** Events looked at before others have their turn: a log can be long, and its records gone. */
const LOOKS_AT_ONCE = 500;

export function makeEventReads(all: Prepare): EventReads {
  const head = all('SELECT seq FROM event_head WHERE tenant = ? AND mode = ?');
  const player = all('SELECT player_id FROM player WHERE ref = ? AND player_id IS NOT NULL');
  const read = makeLogRead(all);
  const findSeq = makeSeqSearch(all);
  const findSubject = makeSubjectRead(all);
  return {
    readEvents: read,
    eventHead: async ({ tenant, mode }) => Number(head(tenant, mode)[0]?.['seq'] ?? 0),
    findEventSeq: findSeq,
    async findEventSubjects(ids) {
      const subjects = new Map<string, EventSubject>();
      for (const id of new Set(ids)) {
        const subject = findSubject(id);
        if (subject !== null) subjects.set(id, subject);
      }
      return subjects;
    },
    async findPlayerIds(refs) {
      const found = new Map<string, string>();
      for (const ref of new Set(refs)) {
        const [row] = player(ref);
        if (row !== undefined) found.set(ref, String(row['player_id']));
      }
      return found;
    },
  };
}

function makeLogRead(all: Prepare) {
  const chunks = all(
    `SELECT last_seq, n, body FROM event_chunk
     WHERE tenant = ? AND mode = ? AND last_seq > ? ORDER BY last_seq LIMIT ?`,
  );
  const record = all('SELECT at, record FROM log WHERE session = ? AND v = ?');
  /** Null when the session has been removed: what its records told went with it. */
  const resolve = (world: EventWorld, place: RecordPlace): KeptEvent | null => {
    const [found] = record(place.session, place.v);
    if (found === undefined) return null;
    const told = { ...world, ...place, at: Number(found['at']) };
    const event = makeRecordEvent(told, JSON.parse(String(found['record'])) as LogRecord);
    return event === null ? null : { ...event, seq: place.seq };
  };
  return async (world: EventWorld, afterSeq: number, limit: number): Promise<KeptEvent[]> => {
    const events: KeptEvent[] = [];
    const look = makeLooks();
    for (let after = afterSeq; ; ) {
      const rows = chunks(world.tenant, world.mode, after, ROWS);
      for (const row of rows) {
        const chunk = toChunk(row);
        after = chunk.lastSeq;
        for (const each of parseChunk(world, chunk)) {
          if (each.seq <= afterSeq) continue;
          await look();
          const event = 'v' in each ? resolve(world, each) : each;
          if (event !== null) events.push(event);
          if (events.length === limit) return events;
        }
      }
      if (rows.length < ROWS) return events;
    }
  };
}

function makeSeqSearch(all: Prepare) {
  const next = all(
    `SELECT at, last_seq, n, body FROM event_chunk
     WHERE tenant = ? AND mode = ? AND (at, last_seq) > (?, ?) AND at <= ?
     ORDER BY at, last_seq LIMIT ?`,
  );
  const holding = (between: string, order: '' | ' DESC') =>
    all(
      `SELECT * FROM (
         SELECT at, last_seq, n, body FROM event_chunk WHERE tenant = ? AND mode = ? AND ${between}
         ORDER BY at${order}, last_seq${order} LIMIT ? OFFSET ?)
       WHERE instr(body, ?) > 0`,
    );
  const forth = holding('at BETWEEN ? AND ?', '');
  const back = holding('at < ? AND at >= ?', ' DESC');
  const reads: ChunkReads = {
    next: ({ tenant, mode }, { at, lastSeq }, to, limit) =>
      next(tenant, mode, at, lastSeq, to, limit),
    holding: ({ tenant, mode }, text, { from, to }, skip, limit) =>
      (from < to ? forth : back)(tenant, mode, from, to, limit, skip, text),
    rowsAtOnce: ROWS_LOOKED_THROUGH,
    turn: () => setImmediate(),
  };
  return (world: EventWorld, id: string, from: number) => findEventSeq(reads, world, id, from);
}

/** To be waited for before each event that is looked at. */
function makeLooks(): () => Promise<void> | undefined {
  let looks = 0;
  return () => {
    looks += 1;
    return looks % LOOKS_AT_ONCE === 0 ? setImmediate() : undefined;
  };
}

function makeSubjectRead(all: Prepare) {
  const session = all('SELECT * FROM session WHERE id = ?');
  const seats = all(
    `SELECT seat, is_bot, player_id, display_name FROM seat JOIN player ON player.ref = seat.player
     WHERE session = ? ORDER BY seat`,
  );
  const former = all(
    `SELECT left_v, seat, is_bot, player_id, display_name
       FROM former_seat JOIN player ON player.ref = former_seat.player
     WHERE session = ? ORDER BY left_v`,
  );
  return (id: string): EventSubject | null => {
    const [row] = session(id);
    if (row === undefined) return null;
    return {
      row: toSessionRow(row),
      seats: seats(id).map(toEventSeat),
      former: former(id).map(toFormerSeat),
    };
  };
}
