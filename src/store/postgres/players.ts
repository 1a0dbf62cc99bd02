/** Players: found, named and erased. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { makeErasing } from '../erasing.ts';
import { toLobbyCheck } from '../rows/player-rows.ts';
import { textOrNull } from '../rows/row.ts';
import {
  type AnswerPlace,
  FORGET_ANSWERS,
  WALKED_TOGETHER_MAX,
} from '../scripts/forgotten-answers.ts';
import type { Runner } from '../scripts/script.ts';
import type { AuditRow, LookedThrough, PlayerNaming, PlayerStore } from '../store.ts';
import { forgetAnswersSince, keep } from './answer-rows.ts';
import { insertAudit } from './audit-rows.ts';
import type { Database } from './database.ts';
import { playersOf, removeGuests } from './player-rows.ts';
import type { Tx } from './sql.ts';
import { leaveTickets } from './ticket-ops.ts';
import { leaveWaiting } from './waiting.ts';

const COUNT = `INSERT INTO revision (name, n) VALUES ('erasures', 1)
  ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`;

const FIND = `SELECT display_name, created_at FROM player
  WHERE tenant = $1 AND world = $2 AND player_id = $3`;

export function makePlayerStore(db: Database, { write }: Runner): PlayerStore {
  return {
    async findPlayer(tenant, world, playerId) {
      const row = await db.get(FIND, tenant, world, playerId);
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
         WHERE tenant = $1 AND world IN ('live', 'test') AND player_id = $2 ORDER BY mode`,
        tenant,
        playerId,
      );
      return rows.map(toLobbyCheck);
    },
    async listSessionsOf(tenant, playerId) {
      const rows = await db.all(
        `SELECT seat.session, seat.seat FROM player JOIN seat ON seat.player = player.ref
         WHERE player.tenant = $1 AND player.world IN ('live', 'test') AND player.player_id = $2
         ORDER BY seat.session`,
        tenant,
        playerId,
      );
      return rows.map(({ session, seat }) => ({ session: String(session), seat: Number(seat) }));
    },
    ...makeErasing<AnswerPlace>({
      together: WALKED_TOGETHER_MAX,
      isKnown: async (...who) => (await db.get(FIND, ...who)) !== undefined,
      forgetAnswers: (whom, after) => write(FORGET_ANSWERS, { whom, after }),
      erase: (whom, now, looked, audit) =>
        db.transaction((tx) => erase(tx, { ...whom, now, looked, audit })),
    }),
    removeGuests: (...asked) => db.transaction((tx) => removeGuests(tx, ...asked)),
  };
}

/** Nothing where the player is erased meanwhile: whoever does it takes the checks, too. */
async function keepCheck(
  tx: Tx,
  ref: string,
  { world, playerId, at }: PlayerNaming,
  verdict: string,
): Promise<void> {
  await tx.run(
    `WITH known AS (SELECT ref FROM player WHERE ref = $1 AND player_id = $2 FOR KEY SHARE)
     INSERT INTO lobby_check (player, mode, verdict, checked_at)
     SELECT ref, $3, $4, $5::bigint FROM known
     ON CONFLICT (player, mode) DO UPDATE SET
       verdict = excluded.verdict, checked_at = excluded.checked_at`,
    ref,
    playerId,
    world,
    verdict,
    at,
  );
}

interface Erasure {
  readonly tenant: string;
  readonly worlds: readonly KeyMode[];
  readonly playerId: string;
  readonly now: number;
  readonly looked: LookedThrough;
  readonly audit: AuditRow | null;
}

async function erase(tx: Tx, erasure: Erasure): Promise<boolean> {
  const { tenant, worlds, playerId, now, looked, audit } = erasure;
  for (const world of worlds) {
    await leaveTickets(tx, tenant, world, playerId);
    await leaveWaiting(tx, tenant, world, playerId);
  }
  const erased = await tx.all(
    `UPDATE player SET player_id = NULL, display_name = NULL, erased_at = $3
     WHERE tenant = $1 AND player_id = $2 AND world = ANY($4::text[]) RETURNING ref`,
    tenant,
    playerId,
    now,
    worlds,
  );
  const refs = erased.map(({ ref }) => String(ref));
  const isKnown = refs.length > 0;
  // Who was not known a moment ago: what else names him has not been looked for.
  const since = isKnown && !looked.isKnown ? 0 : looked.since;
  await forgetAnswersSince(tx, { tenant, worlds, playerId, isKnown }, since);
  if (!isKnown) return false;
  await tx.run('DELETE FROM lobby_check WHERE player = ANY($1::text[])', refs);
  await tx.run(
    'DELETE FROM presence WHERE tenant = $1 AND player_id = $2 AND mode = ANY($3::text[])',
    tenant,
    playerId,
    worlds,
  );
  if (audit !== null) await insertAudit(tx, audit);
  // Whoever has him in memory notices, also when this node dies before it says so.
  await tx.run(COUNT);
  return true;
}
