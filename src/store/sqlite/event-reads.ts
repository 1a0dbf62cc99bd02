/** Reads of the log of events, and of what its events are about. */

import type { EventWorld, KeptEvent } from '../../events/event.ts';
import type { EventSeat } from '../../events/render.ts';
import type { EventStore, EventSubject } from '../events.ts';
import { parseChunk } from './event-log.ts';
import { type Prepare, textOrNull, toSessionRow } from './rows.ts';

export type EventReads = Pick<
  EventStore,
  'readEvents' | 'eventHead' | 'findEventSeq' | 'findEventSubjects' | 'findPlayerIds'
>;

/** An event is written at most so long after its id was made, and its clock may be so far off. */
const ID_AGE_MS = 60_000;
/** Rows read at a time. */
const ROWS = 64;

export function makeEventReads(all: Prepare): EventReads {
  const chunks = all(
    `SELECT last_seq, n, body FROM event_chunk
     WHERE tenant = ? AND mode = ? AND last_seq > ? ORDER BY last_seq LIMIT ?`,
  );
  const head = all('SELECT seq FROM event_head WHERE tenant = ? AND mode = ?');
  const withId = all(
    `SELECT last_seq, n, body FROM event_chunk
     WHERE tenant = ? AND mode = ? AND at BETWEEN ? AND ? AND instr(body, ?) > 0
     ORDER BY at LIMIT 1`,
  );
  const session = all('SELECT * FROM session WHERE id = ?');
  const seats = all(
    `SELECT seat, is_bot, player_id, display_name FROM seat JOIN player ON player.ref = seat.player
     WHERE session = ? ORDER BY seat`,
  );
  const player = all('SELECT player_id FROM player WHERE ref = ? AND player_id IS NOT NULL');

  const read = (world: EventWorld, afterSeq: number, limit: number): KeptEvent[] => {
    const events: KeptEvent[] = [];
    for (let after = afterSeq; events.length < limit; ) {
      const rows = chunks(world.tenant, world.mode, after, ROWS);
      for (const row of rows) {
        after = Number(row['last_seq']);
        const chunk = { lastSeq: after, n: Number(row['n']), body: String(row['body']) };
        for (const event of parseChunk(world, chunk)) if (event.seq > afterSeq) events.push(event);
        if (events.length >= limit) break;
      }
      if (rows.length < ROWS) break;
    }
    return events.slice(0, limit);
  };

  return {
    readEvents: async (world, afterSeq, limit) => read(world, afterSeq, limit),
    eventHead: async ({ tenant, mode }) => Number(head(tenant, mode)[0]?.['seq'] ?? 0),
    async findEventSeq(world, id, from) {
      const { tenant, mode } = world;
      const [row] = withId(tenant, mode, from - ID_AGE_MS, from + ID_AGE_MS, `"id":"${id}"`);
      if (row === undefined) return null;
      const lastSeq = Number(row['last_seq']);
      const chunk = { lastSeq, n: Number(row['n']), body: String(row['body']) };
      return parseChunk(world, chunk).find((event) => event.id === id)?.seq ?? null;
    },
    async findEventSubjects(ids) {
      const subjects = new Map<string, EventSubject>();
      for (const id of new Set(ids)) {
        const [row] = session(id);
        if (row === undefined) continue;
        const seated = seats(id).map(
          (each): EventSeat => ({
            seat: Number(each['seat']),
            playerId: textOrNull(each['player_id']),
            displayName: textOrNull(each['display_name']),
            isBot: Number(each['is_bot']) === 1,
          }),
        );
        subjects.set(id, { row: toSessionRow(row), seats: seated });
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
