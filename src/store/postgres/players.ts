/** Players: found, named and erased. */

import { textOrNull } from '../rows/row.ts';
import type { PlayerStore } from '../store.ts';
import { forgetAnswers, forgetTokens, keep } from './answer-rows.ts';
import { insertAudit } from './audit-rows.ts';
import type { Database } from './database.ts';
import { playersOf, removeGuests } from './player-rows.ts';
import type { Tx } from './sql.ts';
import { leaveTickets } from './ticket-ops.ts';
import { leaveWaiting } from './waiting.ts';

const COUNT = `INSERT INTO revision (name, n) VALUES ('erasures', 1)
  ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`;

export function makePlayerStore(db: Database): PlayerStore {
  return {
    async findPlayer(tenant, playerId) {
      const row = await db.get(
        'SELECT display_name, created_at FROM player WHERE tenant = $1 AND player_id = $2',
        tenant,
        playerId,
      );
      if (row === undefined) return null;
      const displayName = textOrNull(row['display_name']);
      return { playerId, displayName, createdAt: Number(row['created_at']) };
    },
    namePlayer: (naming, idempotency) =>
      db.transaction(async (tx) => {
        await playersOf(tx, [naming]);
        if (idempotency !== null) await keep(tx, idempotency);
      }),
    async listSessionsOf(tenant, playerId) {
      const rows = await db.all(
        `SELECT seat.session, seat.seat FROM player JOIN seat ON seat.player = player.ref
         WHERE player.tenant = $1 AND player.player_id = $2 ORDER BY seat.session`,
        tenant,
        playerId,
      );
      return rows.map(({ session, seat }) => ({ session: String(session), seat: Number(seat) }));
    },
    erasePlayer: (tenant, playerId, now, audit) =>
      db.transaction(async (tx) => {
        const isErased = await erase(tx, tenant, playerId, now);
        if (isErased && audit !== undefined) await insertAudit(tx, audit);
        // Whoever has him in memory notices, also when this node dies before it says so.
        if (isErased) await tx.run(COUNT);
        return isErased;
      }),
    removeGuests: (tenant, after, limit) =>
      db.transaction((tx) => removeGuests(tx, tenant, after, limit)),
  };
}

async function erase(tx: Tx, tenant: string, playerId: string, now: number): Promise<boolean> {
  await leaveTickets(tx, tenant, playerId);
  await leaveWaiting(tx, tenant, playerId);
  const erased = await tx.run(
    `UPDATE player SET player_id = NULL, display_name = NULL, erased_at = $3
     WHERE tenant = $1 AND player_id = $2`,
    tenant,
    playerId,
    now,
  );
  if (erased > 0) {
    await tx.run('DELETE FROM presence WHERE tenant = $1 AND player_id = $2', tenant, playerId);
  }
  await (erased > 0 ? forgetAnswers : forgetTokens)(tx, tenant, playerId);
  return erased > 0;
}
