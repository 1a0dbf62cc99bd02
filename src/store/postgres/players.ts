/** Players: found, named and erased. */

import { makeErasing } from '../erasing.ts';
import { textOrNull } from '../rows/row.ts';
import type { AuditRow, LookedThrough, PlayerStore } from '../store.ts';
import { type AnswerPlace, forgetAnswers, forgetAnswersSince, keep } from './answer-rows.ts';
import { insertAudit } from './audit-rows.ts';
import type { Database } from './database.ts';
import { playersOf, removeGuests } from './player-rows.ts';
import type { Tx } from './sql.ts';
import { leaveTickets } from './ticket-ops.ts';
import { leaveWaiting } from './waiting.ts';

/** Players that are looked for in one walk: their names make one regular expression. */
const TOGETHER = 32;

const COUNT = `INSERT INTO revision (name, n) VALUES ('erasures', 1)
  ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`;

const FIND = 'SELECT display_name, created_at FROM player WHERE tenant = $1 AND player_id = $2';

export function makePlayerStore(db: Database): PlayerStore {
  return {
    async findPlayer(tenant, playerId) {
      const row = await db.get(FIND, tenant, playerId);
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
    ...makeErasing<AnswerPlace>({
      together: TOGETHER,
      isKnown: async (tenant, playerId) => (await db.get(FIND, tenant, playerId)) !== undefined,
      forgetAnswers: (whom, after) => forgetAnswers(db, whom, after),
      erase: (whom, now, looked, audit) =>
        db.transaction((tx) => erase(tx, { ...whom, now, looked, audit })),
    }),
    removeGuests: (tenant, after, limit) =>
      db.transaction((tx) => removeGuests(tx, tenant, after, limit)),
  };
}

interface Erasure {
  readonly tenant: string;
  readonly playerId: string;
  readonly now: number;
  readonly looked: LookedThrough;
  readonly audit: AuditRow | null;
}

async function erase(tx: Tx, erasure: Erasure): Promise<boolean> {
  const { tenant, playerId, now, looked, audit } = erasure;
  await leaveTickets(tx, tenant, playerId);
  await leaveWaiting(tx, tenant, playerId);
  const erased = await tx.run(
    `UPDATE player SET player_id = NULL, display_name = NULL, erased_at = $3
     WHERE tenant = $1 AND player_id = $2`,
    tenant,
    playerId,
    now,
  );
  const isKnown = erased > 0;
  // Who was not known a moment ago: what else names him has not been looked for.
  const since = isKnown && !looked.isKnown ? 0 : looked.since;
  await forgetAnswersSince(tx, { tenant, playerId, isKnown }, since);
  if (!isKnown) return false;
  await tx.run('DELETE FROM presence WHERE tenant = $1 AND player_id = $2', tenant, playerId);
  if (audit !== null) await insertAudit(tx, audit);
  // Whoever has him in memory notices, also when this node dies before it says so.
  await tx.run(COUNT);
  return true;
}
