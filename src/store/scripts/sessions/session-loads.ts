/** A stored session: its row, its seats, and its whole log. */

import type { Entry, LogRecord } from '../../../match/record.ts';
import { numberOrNull, type Row, textOrNull } from '../../rows/row.ts';
import { toSessionRow } from '../../rows/session-rows.ts';
import type { SessionStore, StoredSession } from '../../store.ts';
import type { Runner } from '../shared/script.ts';

/**
 * One statement, so that all of it is as of one moment: a commit may come between two. Seats and
 * records are one JSON text each. Each seat's player is looked up row by row: a join may start from
 * all players.
 */
const LOAD = `SELECT session.*,
    (SELECT json_agg(json_build_array(seat, is_bot, (
         SELECT json_build_array(player_id, display_name) FROM player WHERE player.ref = seat.player)))
       FROM seat WHERE seat.session = session.id)::text AS seats,
    (SELECT string_agg('[' || v || ',' || at || ',' || record || ']', ',')
       FROM log WHERE log.session = session.id) AS entries
  FROM session WHERE id IN :ids(text)`;

/** A takeover loads many sessions, and logs can be long. */
const LIMITS = { lanes: 3, batchMax: 32 } as const;

/** All as of one moment, as above. */
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
/** SQLite returns the player as a JSON text. */
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
    // A missing player row leaves an empty seat: `verify` notices it (rule S7b).
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
  // Nearly always in order already, as the key has them.
  return entries.sort(byFirst).map(([v, at, record]) => ({ v, at, record }));
}

function byFirst(a: SeatJson | EntryJson, b: SeatJson | EntryJson): number {
  return a[0] - b[0];
}
