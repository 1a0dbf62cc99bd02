/** Players: found, named and erased. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { makeErasing } from '../erasing.ts';
import {
  type AnswerPlace,
  FORGET_ANSWERS,
  WALKED_TOGETHER_MAX,
} from '../scripts/forgotten-answers.ts';
import { makeNamedPlayerStore } from '../scripts/players.ts';
import type { Runner } from '../scripts/script.ts';
import type { AuditRow, LookedThrough, PlayerStore } from '../store.ts';
import { forgetAnswersSince } from './answer-rows.ts';
import { insertAudit } from './audit-rows.ts';
import type { Database } from './database.ts';
import type { Tx } from './sql.ts';
import { leaveTickets } from './ticket-ops.ts';
import { leaveWaiting } from './waiting.ts';

const COUNT = `INSERT INTO revision (name, n) VALUES ('erasures', 1)
  ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`;

export function makePlayerStore(db: Database, runner: Runner): Omit<PlayerStore, 'removeGuests'> {
  const named = makeNamedPlayerStore(runner);
  return {
    ...named,
    ...makeErasing<AnswerPlace>({
      together: WALKED_TOGETHER_MAX,
      isKnown: async (...who) => (await named.findPlayer(...who)) !== null,
      forgetAnswers: (whom, after) => runner.write(FORGET_ANSWERS, { whom, after }),
      erase: (whom, now, looked, audit) =>
        db.transaction((tx) => erase(tx, { ...whom, now, looked, audit })),
    }),
  };
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
