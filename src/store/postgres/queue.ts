/** Who waits in which line, read. */

import type { KeptWaiting, QueueStore } from '../queue.ts';
import type { Sql } from './sql.ts';

export function makeQueueStore(db: Sql): QueueStore {
  return {
    async findWaiting({ tenant, mode, game }, playerIds) {
      // From player to row, whatever the planner believes: before it has counted the rows it would read all.
      const rows = await db.all(
        `SELECT asked.player_id, found.session FROM unnest($4::text[])
             WITH ORDINALITY AS asked (player_id, place)
           CROSS JOIN LATERAL (SELECT ref FROM player
              WHERE player.tenant = $1 AND player.world = $2
                AND player.player_id = asked.player_id LIMIT 1) AS who
           CROSS JOIN LATERAL (SELECT session FROM waiting WHERE waiting.player = who.ref
                AND waiting.mode = $2 AND waiting.game = $3 LIMIT 1) AS found
          ORDER BY asked.place`,
        tenant,
        mode,
        game,
        playerIds,
      );
      return rows.map(({ player_id, session }) => ({
        playerId: String(player_id),
        session: String(session),
      }));
    },
    async listWaiting({ tenant, mode, game, pairing }, limit) {
      const rows = await db.all(
        `SELECT session, avg(rating) AS rating, min(since) AS since,
             (SELECT count(*) FROM seat WHERE seat.session = waiting.session) AS taken
           FROM waiting WHERE tenant = $1 AND mode = $2 AND game = $3 AND pairing = $4
          GROUP BY session ORDER BY min(since), session LIMIT $5`,
        tenant,
        mode,
        game,
        pairing,
        limit,
      );
      return rows.map(
        ({ session, rating, since, taken }): KeptWaiting => ({
          session: String(session),
          rating: Number(rating),
          since: Number(since),
          taken: Number(taken),
        }),
      );
    },
  };
}
