/** Erasing a player (rule R2): everything that names the player goes, and the rows of matches stay. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { makeErasing } from '../shared/erasing.ts';
import type { AnswerSearch, AuditRow, CoreStore } from '../store.ts';
import type { NamedPlayerStore } from './sessions/players.ts';
import { insertAudit } from './shared/audit.ts';
import {
  type AnswerPlace,
  FORGET_ANSWERS,
  forgetAnswersSince,
  WALKED_TOGETHER_MAX,
} from './shared/forgotten-answers.ts';
import { type Runner, scriptOfOne, type Tx } from './shared/script.ts';
import { leaveWaiting } from './shared/waiting.ts';

export function makeErasingStore(
  { write }: Runner,
  findPlayer: NamedPlayerStore['findPlayer'],
): Pick<CoreStore, 'forgetAnswersOf' | 'erasePlayer'> {
  return makeErasing<AnswerPlace>({
    together: WALKED_TOGETHER_MAX,
    isKnown: async (...who) => (await findPlayer(...who)) !== null,
    forgetAnswers: (whom, after) => write(FORGET_ANSWERS, { whom, after }),
    erase: (whom, now, looked, audit) => write(ERASE, { ...whom, now, looked, audit }),
  });
}

interface Erasure {
  readonly tenant: string;
  readonly worlds: readonly KeyMode[];
  readonly playerId: string;
  readonly now: number;
  readonly looked: AnswerSearch;
  readonly audit: AuditRow | null;
}

const ERASE = scriptOfOne('erasePlayer', erase);

export const ERASING_SCRIPTS = [FORGET_ANSWERS, ERASE];

async function erase(tx: Tx, erasure: Erasure): Promise<boolean> {
  const { tenant, worlds, playerId, looked, audit } = erasure;
  // Locked first: until the transaction ends the players join no ticket. A row created later is
  // left alone, as a player who came after the erasure.
  const rows = await tx.all(
    `SELECT ref FROM player
      WHERE tenant = :tenant AND world IN :worlds(text) AND player_id = :playerId
      ORDER BY ref FOR UPDATE`,
    { tenant, worlds, playerId },
  );
  const refs = rows.map(({ ref }) => String(ref));
  const isKnown = refs.length > 0;
  if (isKnown) await eraseRows(tx, erasure, refs);
  // The player was unknown a moment ago, so their other data has not been searched.
  const since = isKnown && !looked.isKnown ? 0 : looked.since;
  await forgetAnswersSince(tx, { tenant, worlds, playerIds: [playerId], isKnown }, since);
  if (!isKnown) return false;
  if (audit !== null) await insertAudit(tx, audit);
  // Nodes that have the player in memory notice this, even if this process dies before it tells
  // them.
  await tx.run(
    `INSERT INTO revision (name, n) VALUES ('erasures', 1)
     ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`,
  );
  return true;
}

async function eraseRows(
  tx: Tx,
  { tenant, worlds, playerId, now }: Erasure,
  refs: readonly string[],
): Promise<void> {
  await leaveTickets(tx, refs);
  await leaveWaiting(tx, refs);
  await tx.run(
    `UPDATE player SET player_id = NULL, display_name = NULL, erased_at = :now
      WHERE ref IN :refs(text)`,
    { refs, now },
  );
  // An endpoint may have returned what it was sent.
  await tx.run(
    `UPDATE webhook_attempt SET response = NULL WHERE response IS NOT NULL AND webhook IN (
       SELECT id FROM webhook WHERE tenant = :tenant AND mode IN :worlds(text))`,
    { tenant, worlds },
  );
  await tx.run('DELETE FROM lobby_check WHERE player IN :refs(text)', { refs });
  await tx.run(
    'DELETE FROM presence WHERE tenant = :tenant AND player_id = :playerId AND mode IN :worlds(text)',
    { tenant, playerId, worlds },
  );
}

/** Removes players from all open tickets: nobody may take a seat in their names any more. */
async function leaveTickets(tx: Tx, refs: readonly string[]): Promise<void> {
  const tickets = await tx.all(
    `SELECT id FROM ticket WHERE ended_at IS NULL AND id IN (
       SELECT ticket FROM ticket_player WHERE player IN :refs(text))
      ORDER BY id FOR UPDATE`,
    { refs },
  );
  if (tickets.length === 0) return;
  const gone = await tx.all(
    `DELETE FROM ticket_player WHERE player IN :refs(text) AND ticket IN :tickets(text)
     RETURNING ticket`,
    { refs, tickets: tickets.map(({ id }) => String(id)) },
  );
  const counts = Map.groupBy(gone, ({ ticket }) => String(ticket));
  await tx.run(
    'UPDATE ticket SET taken = taken - given.n FROM @given(id text, n int) WHERE ticket.id = given.id',
    { given: Array.from(counts, ([id, rows]) => ({ id, n: rows.length })) },
  );
}
