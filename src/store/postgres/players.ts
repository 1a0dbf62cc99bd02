/** Players: found, named and erased. */

import { makeErasing } from '../erasing.ts';
import { toLobbyCheck } from '../rows/player-rows.ts';
import { textOrNull } from '../rows/row.ts';
import type { AuditRow, LobbyCheck, LookedThrough, PlayerNaming, PlayerStore } from '../store.ts';
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
        const [player] = await playersOf(tx, [naming]);
        if (naming.check !== undefined) await keepCheck(tx, player!.ref, naming, naming.check);
        if (idempotency !== null) await keep(tx, idempotency);
      }),
    async listLobbyChecks(tenant, playerId) {
      const rows = await db.all(
        `SELECT mode, verdict FROM lobby_check JOIN player ON player.ref = lobby_check.player
         WHERE tenant = $1 AND player_id = $2 ORDER BY mode`,
        tenant,
        playerId,
      );
      return rows.map(toLobbyCheck);
    },
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

/** Nothing where the player is erased meanwhile: whoever does it takes the checks, too. */
async function keepCheck(
  tx: Tx,
  ref: string,
  { playerId, at }: PlayerNaming,
  { mode, verdict }: LobbyCheck,
): Promise<void> {
  await tx.run(
    `WITH known AS (SELECT ref FROM player WHERE ref = $1 AND player_id = $2 FOR KEY SHARE)
     INSERT INTO lobby_check (player, mode, verdict, checked_at)
     SELECT ref, $3, $4, $5::bigint FROM known
     ON CONFLICT (player, mode) DO UPDATE SET
       verdict = excluded.verdict, checked_at = excluded.checked_at`,
    ref,
    playerId,
    mode,
    verdict,
    at,
  );
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
  const erased = await tx.all(
    `UPDATE player SET player_id = NULL, display_name = NULL, erased_at = $3
     WHERE tenant = $1 AND player_id = $2 RETURNING ref`,
    tenant,
    playerId,
    now,
  );
  const refs = erased.map(({ ref }) => String(ref));
  const isKnown = refs.length > 0;
  // Who was not known a moment ago: what else names him has not been looked for.
  const since = isKnown && !looked.isKnown ? 0 : looked.since;
  await forgetAnswersSince(tx, { tenant, playerId, isKnown }, since);
  if (!isKnown) return false;
  await tx.run('DELETE FROM lobby_check WHERE player = ANY($1::text[])', refs);
  await tx.run('DELETE FROM presence WHERE tenant = $1 AND player_id = $2', tenant, playerId);
  if (audit !== null) await insertAudit(tx, audit);
  // Whoever has him in memory notices, also when this node dies before it says so.
  await tx.run(COUNT);
  return true;
}
