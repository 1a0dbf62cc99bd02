/** Reads of the log of events, and of what its events are about. */

import { setImmediate } from 'node:timers/promises';
import type { EventWorld, KeptEvent } from '../../events/event.ts';
import { isRecordEventId } from '../../events/event-id.ts';
import { makeRecordEvent } from '../../events/session-events.ts';
import type { LogRecord } from '../../match/record.ts';
import type { EventStore, EventSubject } from '../events.ts';
import { parseChunk, type RecordPlace, toChunk } from '../rows/event-chunk.ts';
import { toEventSeat, toSessionRow } from '../rows/session-rows.ts';
import type { Prepare } from './rows.ts';

export type EventReads = Pick<
  EventStore,
  'readEvents' | 'eventHead' | 'findEventSeq' | 'findEventSubjects' | 'findPlayerIds'
>;

/** An event is written about when its id is made: so near by it is looked for first. */
const ID_NEAR_MS = 1_000;
/** At most so long after, and its clock may be so far off. */
const ID_AGE_MS = 60_000;
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
  const around = all(
    `SELECT last_seq, n, body FROM event_chunk
     WHERE tenant = ? AND mode = ? AND at BETWEEN ? AND ? AND last_seq > ?
     ORDER BY last_seq LIMIT ?`,
  );
  const search = async (world: EventWorld, id: string, from: number, to: number) => {
    const look = makeLooks();
    for (let after = 0; ; ) {
      const rows = around(world.tenant, world.mode, from, to, after, ROWS);
      for (const row of rows) {
        const chunk = toChunk(row);
        after = chunk.lastSeq;
        for (const each of parseChunk(world, chunk)) {
          await look();
          const isIt = 'v' in each ? isRecordEventId(id, each.session, each.v) : each.id === id;
          if (isIt) return each.seq;
        }
      }
      if (rows.length < ROWS) return null;
    }
  };
  return async (world: EventWorld, id: string, from: number): Promise<number | null> =>
    (await search(world, id, from - ID_NEAR_MS, from + ID_NEAR_MS)) ??
    search(world, id, from - ID_AGE_MS, from + ID_AGE_MS);
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
  return (id: string): EventSubject | null => {
    const [row] = session(id);
    return row === undefined ? null : { row: toSessionRow(row), seats: seats(id).map(toEventSeat) };
  };
}
