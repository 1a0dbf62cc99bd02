/** The rows of those who wait in the queue: written with the seats they go with (rule S2). */

import { NEW_RATING } from '../../matchmaking/glicko2.ts';
import type { Line } from '../queue.ts';
import type { SeatedRow } from '../store.ts';
import type { Sql } from './sql.ts';

/** Does one of those who are to be seated wait for this game already? */
export async function isAnyWaiting(
  sql: Sql,
  { tenant, mode, game }: Pick<Line, 'tenant' | 'mode' | 'game'>,
  seats: readonly SeatedRow[],
): Promise<boolean> {
  if (seats.length === 0) return false;
  const found = await sql.get(
    `SELECT 1 FROM waiting JOIN player ON player.ref = waiting.player
      WHERE player.tenant = $1 AND player.player_id = ANY($2::text[])
        AND waiting.mode = $3 AND waiting.game = $4 LIMIT 1`,
    tenant,
    seats.map(({ playerId }) => playerId),
    mode,
    game,
  );
  return found !== undefined;
}

/**
 * Everybody seated in a new session waits in its line. False when one of them waits elsewhere for
 * the game, as seen by nobody but the key: then the transaction has to be undone.
 */
export async function insertWaiting(
  sql: Sql,
  { tenant, mode, game, pairing }: Line,
  session: string,
  since: number,
): Promise<boolean> {
  const row = await sql.get(
    `WITH seated AS (SELECT player FROM seat WHERE session = $5 AND NOT is_bot), made AS (
       INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
       SELECT seated.player, $1, $2, $3, $4, $5, coalesce(rating.rating, $7), $6
         FROM seated LEFT JOIN rating
           ON rating.player = seated.player AND rating.mode = $1 AND rating.game = $2
        ORDER BY seated.player
       ON CONFLICT DO NOTHING RETURNING 1
     )
     SELECT (SELECT count(*) FROM seated) = (SELECT count(*) FROM made) AS all_wait`,
    mode,
    game,
    tenant,
    pairing,
    session,
    since,
    NEW_RATING.rating,
  );
  return row!['all_wait'] === true;
}

/**
 * Whoever takes seats in a session that waits, waits too; answers how many do now. Of a player who
 * waits elsewhere, which only a room code lets him do, the first place stands. The row that says in
 * which line is locked, so that nobody joins a line that an erasure is taking the session out of.
 */
export function joinWaiting(
  sql: Sql,
  session: string,
  seats: readonly Pick<SeatedRow, 'seat' | 'at'>[],
): Promise<number> {
  return sql.run(
    `WITH line AS MATERIALIZED (
       SELECT * FROM waiting WHERE session = $1 LIMIT 1 FOR KEY SHARE)
     INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT seat.player, line.mode, line.game, line.tenant, line.pairing, seat.session,
         coalesce(rating.rating, $4), given.at
       FROM unnest($2::int[], $3::bigint[]) AS given (seat, at)
       JOIN seat ON seat.session = $1 AND seat.seat = given.seat AND NOT seat.is_bot
       CROSS JOIN line
       LEFT JOIN rating ON rating.player = seat.player AND rating.mode = line.mode
         AND rating.game = line.game
      ORDER BY seat.player
     ON CONFLICT DO NOTHING`,
    session,
    seats.map(({ seat }) => seat),
    seats.map(({ at }) => at),
    NEW_RATING.rating,
  );
}

/** Sessions that are full, active or over wait for nobody. Answers how many players waited. */
export function removeWaiting(sql: Sql, sessions: readonly string[]): Promise<number> {
  return sql.run(
    `DELETE FROM waiting WHERE (player, mode, game) IN (
       SELECT player, mode, game FROM waiting WHERE session = ANY($1::text[])
       ORDER BY player, mode, game FOR UPDATE)`,
    sessions,
  );
}

/** Where an erased player sits no match will ever begin: nobody waits in his sessions any more. */
export async function leaveWaiting(sql: Sql, tenant: string, playerId: string): Promise<void> {
  // By his seats: of one who waits elsewhere no row says that he sits here, too.
  const rows = await sql.all(
    `SELECT DISTINCT waiting.session FROM player JOIN seat ON seat.player = player.ref
       JOIN waiting ON waiting.session = seat.session
      WHERE player.tenant = $1 AND player.player_id = $2`,
    tenant,
    playerId,
  );
  if (rows.length === 0) return;
  const sessions = rows.map(({ session }) => String(session));
  // Whoever joined while the rows' locks were waited for is seen by the next statement alone.
  while ((await removeWaiting(sql, sessions)) > 0);
}
