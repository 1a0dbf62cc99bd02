/** Tickets at the erasure of a player, in a transaction that holds their rows while it decides. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Tx } from './sql.ts';

/**
 * Takes a player, who is about to be erased, out of all that has not ended: nobody may sit down in
 * his name any more. His row is locked first, so that he is put into no ticket until the transaction ends.
 */
export async function leaveTickets(
  tx: Tx,
  tenant: string,
  world: KeyMode,
  playerId: string,
): Promise<void> {
  const player = await tx.get(
    'SELECT ref FROM player WHERE tenant = $1 AND world = $2 AND player_id = $3 FOR UPDATE',
    tenant,
    world,
    playerId,
  );
  if (player === undefined) return;
  const ref = String(player['ref']);
  const rows = await tx.all(
    `SELECT ticket.id FROM ticket JOIN ticket_player ON ticket_player.ticket = ticket.id
      WHERE ticket_player.player = $1 AND ticket.ended_at IS NULL
      ORDER BY ticket.id FOR UPDATE OF ticket`,
    ref,
  );
  if (rows.length === 0) return;
  await takeOut(
    tx,
    rows.map(({ id }) => ({ ticket: String(id), ref })),
  );
}

/** Takes players out of tickets that are locked; of each ticket one. */
async function takeOut(
  tx: Tx,
  places: readonly { readonly ticket: string; readonly ref: string }[],
): Promise<void> {
  await tx.run(
    `WITH gone AS (
       DELETE FROM ticket_player USING unnest($1::text[], $2::text[]) AS given (ticket, player)
        WHERE ticket_player.ticket = given.ticket AND ticket_player.player = given.player
       RETURNING ticket_player.ticket
     )
     UPDATE ticket SET taken = taken - 1 WHERE id IN (SELECT ticket FROM gone)`,
    places.map(({ ticket }) => ticket),
    places.map(({ ref }) => ref),
  );
}
