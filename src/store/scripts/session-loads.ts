/** A session as it is kept: its row, who sits where, and its whole log. */

import type { Entry, LogRecord } from '../../match/record.ts';
import { numberOrNull, type Row, textOrNull } from '../rows/row.ts';
import { toSessionRow } from '../rows/session-rows.ts';
import type { SessionStore, StoredSession } from '../store.ts';
import type { Runner } from './script.ts';

/**
 * One statement, so that all of it is of one moment: a commit may come between two. Seats and records are one text
 * each. From each seat to its player, row by row in both databases: a join may begin at all players there are. A seat whose
 * player's row is gone is no seat: `verify` notices that (rule S7b).
 */
const LOAD = `SELECT session.*,
    (SELECT json_agg(json_build_array(seat,
         (SELECT player_id FROM player WHERE player.ref = seat.player),
         (SELECT display_name FROM player WHERE player.ref = seat.player), is_bot))
       FROM seat WHERE seat.session = session.id
         AND EXISTS (SELECT 1 FROM player WHERE player.ref = seat.player))::text AS seats,
    (SELECT string_agg('[' || v || ',' || at || ',' || record || ']', ',')
       FROM log WHERE log.session = session.id) AS entries
  FROM session WHERE id IN :ids(text)`;

/** Many are asked for when a node takes over; logs can be long. */
const LIMITS = { lanes: 3, batchMax: 32 } as const;

export function makeSessionLoads({ sql, gather }: Runner): Pick<SessionStore, 'loadSession'> {
  const load = gather(async (ids: readonly string[]) => {
    const rows = await sql.all(LOAD, { ids: [...new Set(ids)] });
    const byId = new Map(rows.map((row) => [row['id'], row]));
    return ids.map((id) => byId.get(id) ?? null);
  }, LIMITS);
  return {
    async loadSession(id) {
      const row = await load(id);
      return row === null ? null : toStored(row);
    },
  };
}

type SeatJson = readonly [
  seat: number,
  playerId: string | null,
  displayName: string | null,
  isBot: boolean | number,
];
type EntryJson = readonly [v: number, at: number, record: LogRecord];

function toStored(row: Row): StoredSession {
  const seats = JSON.parse(textOrNull(row['seats']) ?? '[]') as SeatJson[];
  seats.sort(byFirst);
  const roster: StoredSession['roster'][number][] = [];
  for (const [seat, id, displayName] of seats) {
    while (roster.length < seat) roster.push(null);
    roster[seat] = { id, displayName };
  }
  return {
    row: toSessionRow(row),
    roster,
    entries: toEntries(textOrNull(row['entries'])),
    botSeats: seats.flatMap(([seat, , , isBot]) => (isBot ? [seat] : [])),
    holder: textOrNull(row['holder']),
    isAsleep: row['holder'] === null,
    wakeAt: numberOrNull(row['wake_at']),
  };
}

function toEntries(text: string | null): Entry[] {
  const entries = JSON.parse(`[${text ?? ''}]`) as EntryJson[];
  // They nearly always come so, as the key has them.
  return entries.sort(byFirst).map(([v, at, record]) => ({ v, at, record }));
}

function byFirst(a: SeatJson | EntryJson, b: SeatJson | EntryJson): number {
  return a[0] - b[0];
}
