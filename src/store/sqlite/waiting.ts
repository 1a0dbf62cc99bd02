/** The rows of those who wait in the queue: written with the seats, read by line and by player. */

import { NEW_RATING } from '../../matchmaking/glicko2.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { KeptWaiting, Line, QueueStore } from '../queue.ts';
import type { SeatedRow } from '../store.ts';
import type { Prepare } from './rows.ts';
import type { Statements } from './statements.ts';

/** Does one of those who are to be seated wait for this game already? */
export function isAnyWaiting(
  sql: Statements,
  { tenant, mode, game }: Pick<Line, 'tenant' | 'mode' | 'game'>,
  seats: readonly SeatedRow[],
): boolean {
  return seats.some(
    ({ playerId }) =>
      sql.get(
        `SELECT 1 FROM waiting WHERE mode = ? AND game = ?
           AND player = (SELECT ref FROM player WHERE tenant = ? AND world = ? AND player_id = ?)`,
        mode,
        game,
        tenant,
        mode,
        playerId,
      ) !== undefined,
  );
}

/** Everybody seated in a new session waits in its line. */
export function insertWaiting(
  sql: Statements,
  { tenant, mode, game, pairing }: Line,
  session: string,
  since: number,
): void {
  sql.run(
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT seat.player, ?1, ?2, ?3, ?4, seat.session, coalesce(rating.rating, ?7), ?6
       FROM seat LEFT JOIN rating
         ON rating.player = seat.player AND rating.mode = ?1 AND rating.game = ?2
      WHERE seat.session = ?5 AND seat.is_bot = 0`,
    mode,
    game,
    tenant,
    pairing,
    session,
    since,
    NEW_RATING.rating,
  );
}

/**
 * Whoever takes a seat in a session that waits, waits too. Of a player who waits elsewhere, which
 * only a room code lets him do, the first place stands.
 */
export function joinWaiting(sql: Statements, session: string, seat: number, at: number): void {
  sql.run(
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT seat.player, line.mode, line.game, line.tenant, line.pairing, seat.session,
         coalesce(rating.rating, ?4), ?3
       FROM seat
       JOIN (SELECT * FROM waiting WHERE session = ?1 LIMIT 1) AS line
       LEFT JOIN rating ON rating.player = seat.player AND rating.mode = line.mode
         AND rating.game = line.game
      WHERE seat.session = ?1 AND seat.seat = ?2 AND seat.is_bot = 0
     ON CONFLICT DO NOTHING`,
    session,
    seat,
    at,
    NEW_RATING.rating,
  );
}

/**
 * A session from the queue has an open seat again: who sits in it waits in its line. Of a player who waits
 * elsewhere the first place stands; where an erased player sits nobody waits.
 */
export function requeue(sql: Statements, session: string, pairing: string): void {
  sql.run(
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT seat.player, session.mode, session.game, session.tenant, ?2, session.id,
         coalesce(rating.rating, ?3), session.created_at
       FROM session JOIN seat ON seat.session = session.id
       LEFT JOIN rating ON rating.player = seat.player AND rating.mode = session.mode
         AND rating.game = session.game
      WHERE session.id = ?1 AND session.status = 'pending' AND seat.is_bot = 0
        AND NOT EXISTS (SELECT 1 FROM seat AS other JOIN player ON player.ref = other.player
          WHERE other.session = ?1 AND player.player_id IS NULL)
     ON CONFLICT DO NOTHING`,
    session,
    pairing,
    NEW_RATING.rating,
  );
}

/** A session that is full, active or over waits for nobody. */
export function removeWaiting(sql: Statements, session: string): void {
  sql.run('DELETE FROM waiting WHERE session = ?', session);
}

/** Where an erased player sits no match will ever begin: nobody waits in his sessions any more. */
export function leaveWaiting(
  sql: Statements,
  tenant: string,
  world: KeyMode,
  playerId: string,
): void {
  sql.run(
    `DELETE FROM waiting WHERE session IN (SELECT seat.session FROM player
       JOIN seat ON seat.player = player.ref
      WHERE player.tenant = ? AND player.world = ? AND player.player_id = ?)`,
    tenant,
    world,
    playerId,
  );
}

export function makeWaitingReads(all: Prepare): QueueStore {
  const ofPlayer = all(
    `SELECT session FROM waiting WHERE mode = ? AND game = ?
       AND player = (SELECT ref FROM player WHERE tenant = ? AND world = ? AND player_id = ?)`,
  );
  const ofLine = all(
    `SELECT session, avg(rating) AS rating, min(since) AS since,
         (SELECT count(*) FROM seat WHERE seat.session = waiting.session) AS taken
       FROM waiting WHERE tenant = ? AND mode = ? AND game = ? AND pairing = ?
      GROUP BY session ORDER BY min(since), session LIMIT ?`,
  );
  return {
    findWaiting: async ({ tenant, mode, game }, playerIds) =>
      playerIds.flatMap((playerId) =>
        ofPlayer(mode, game, tenant, mode, playerId).map(({ session }) => ({
          playerId,
          session: String(session),
        })),
      ),
    listWaiting: async ({ tenant, mode, game, pairing }, limit) =>
      ofLine(tenant, mode, game, pairing, limit).map(
        ({ session, rating, since, taken }): KeptWaiting => ({
          session: String(session),
          rating: Number(rating),
          since: Number(since),
          taken: Number(taken),
        }),
      ),
  };
}
