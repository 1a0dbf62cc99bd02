/** A session as it is kept: its row, who sits where, and its whole log. */

import type { Entry, LogRecord } from '../../../match/record.ts';
import { numberOrNull, type Row, textOrNull } from '../../rows/row.ts';
import { toSessionRow } from '../../rows/session-rows.ts';
import type { SessionStore, StoredSession } from '../../store.ts';
import type { Runner } from '../shared/script.ts';

/**
 * One statement, so that all of it is of one moment: a commit may come between two. Seats and records are one text
 * each. From each seat to its player, row by row in both databases: a join may begin at all players there are.
 */
const LOAD = `SELECT session.*,
    (SELECT json_agg(json_build_array(seat, is_bot, (
         SELECT json_build_array(player_id, display_name) FROM player WHERE player.ref = seat.player)))
       FROM seat WHERE seat.session = session.id)::text AS seats,
    (SELECT string_agg('[' || v || ',' || at || ',' || record || ']', ',')
       FROM log WHERE log.session = session.id) AS entries
  FROM session WHERE id IN :ids(text)`;

/** Many are asked for when a node takes over; logs can be long. */
const LIMITS = { lanes: 3, batchMax: 32 } as const;

/** All of one moment, as above. */
const part = (range: string): string => `SELECT session.*,
    (SELECT max(v) FROM log WHERE log.session = session.id) AS last,
    (SELECT '[' || v || ',' || at || ',' || record || ']' FROM log
      WHERE log.session = session.id AND v = 0) AS first,
    (SELECT string_agg('[' || v || ',' || at || ',' || record || ']', ',') FROM (
       SELECT v, at, record FROM log WHERE log.session = session.id AND ${range} LIMIT :limit) AS part) AS entries
  FROM session WHERE id = :id`;
const AFTER = part('v > :v::bigint ORDER BY v');
const BEFORE = part('v < :v::bigint ORDER BY v DESC');

export function makeSessionLoads({
  sql,
  gather,
}: Runner): Pick<SessionStore, 'loadSession' | 'loadLogPart'> {
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
    async loadLogPart(id, { from, v, limit }) {
      const row = await sql.get(from === 'after' ? AFTER : BEFORE, { id, v, limit });
      if (row === undefined) return null;
      return {
        row: toSessionRow(row),
        first: toEntries(textOrNull(row['first']))[0] ?? null,
        entries: toEntries(textOrNull(row['entries'])),
        last: numberOrNull(row['last']) ?? -1,
      };
    },
  };
}

type PlayerJson = readonly [playerId: string | null, displayName: string | null];
/** SQLite writes the player as a text of JSON. */
type SeatJson = readonly [
  seat: number,
  isBot: boolean | number,
  player: PlayerJson | string | null,
];
type EntryJson = readonly [v: number, at: number, record: LogRecord];

function toStored(row: Row): StoredSession {
  const seats = JSON.parse(textOrNull(row['seats']) ?? '[]') as SeatJson[];
  seats.sort(byFirst);
  const roster: StoredSession['roster'][number][] = [];
  for (const [seat, , player] of seats) {
    const [id, displayName] = playerIn(player) ?? [];
    // A player's row that is gone leaves a seat that nobody took: `verify` notices (rule S7b).
    if (id === undefined || displayName === undefined) continue;
    while (roster.length < seat) roster.push(null);
    roster[seat] = { id, displayName };
  }
  return {
    row: toSessionRow(row),
    roster,
    entries: toEntries(textOrNull(row['entries'])),
    botSeats: seats.flatMap(([seat, isBot, player]) => (isBot && player !== null ? [seat] : [])),
    holder: textOrNull(row['holder']),
    isAsleep: row['holder'] === null,
    wakeAt: numberOrNull(row['wake_at']),
  };
}

function playerIn(player: SeatJson[2]): PlayerJson | null {
  return typeof player === 'string' ? (JSON.parse(player) as PlayerJson) : player;
}

function toEntries(text: string | null): Entry[] {
  const entries = JSON.parse(`[${text ?? ''}]`) as EntryJson[];
  // They nearly always come so, as the key has them.
  return entries.sort(byFirst).map(([v, at, record]) => ({ v, at, record }));
}

function byFirst(a: SeatJson | EntryJson, b: SeatJson | EntryJson): number {
  return a[0] - b[0];
}
