/** What is seldom done to tickets: each in a transaction of its own, that holds the ticket's row while it decides. */

import { makePlayerMark } from '../../events/marks.ts';
import { decideCancelGroup, decideCancelTicket, decideRemove } from '../../matchmaking/ticket.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { openTicketsCounter, statusOf } from '../rows/ticket-rows.ts';
import type {
  CancelOutcome,
  GroupCancel,
  PlayerRemove,
  RemoveOutcome,
  TicketCancel,
  TicketWorld,
  TicketWrite,
} from '../tickets.ts';
import { keep } from './answer-rows.ts';
import { uncount } from './counters.ts';
import type { Tx } from './sql.ts';
import { lockTicket } from './ticket-rows.ts';

export async function removeFromTicket(tx: Tx, remove: PlayerRemove): Promise<RemoveOutcome> {
  const { ticket: id, tenant, mode, game, playerId } = remove;
  const row = await lockTicket(tx, remove);
  const inside =
    row &&
    (await tx.get(
      `SELECT ref FROM player JOIN ticket_player ON ticket_player.player = player.ref
        WHERE tenant = $1 AND world = $2 AND player_id = $3 AND ticket = $4`,
      tenant,
      mode,
      playerId,
      id,
    ));
  const decision = decideRemove(row ? { status: statusOf(row) } : null, inside !== undefined);
  if (decision.kind !== 'remove') return decision;
  const ref = String(inside!['ref']);
  await takeOut(tx, [{ ticket: id, ref }]);
  const taken = Number(row!['taken']) - 1;
  const data = { ticketId: id, game, playerId: makePlayerMark(ref), taken };
  await tell(tx, remove, 'ticket.player_removed', { ...data, capacity: Number(row!['capacity']) });
  return { kind: 'removed' };
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

export async function cancelTicket(tx: Tx, cancel: TicketCancel): Promise<CancelOutcome> {
  const { ticket: id, tenant, mode, game } = cancel;
  const row = await lockTicket(tx, cancel);
  const decision = decideCancelTicket(row ? { status: statusOf(row) } : null);
  if (decision.kind !== 'cancel') return decision;
  await end(tx, cancel, id);
  await tell(tx, cancel, 'ticket.cancelled', { ticketId: id, game });
  await uncount(tx, tenant, openTicketsCounter(mode));
  return { kind: 'cancelled' };
}

export async function cancelGroup(tx: Tx, cancel: GroupCancel): Promise<CancelOutcome> {
  const { group, tenant, mode, game } = cancel;
  const row = await tx.get(
    `SELECT id, status FROM ticket
      WHERE group_id = $1 AND tenant = $2 AND mode = $3 AND game = $4 FOR UPDATE`,
    group,
    tenant,
    mode,
    game,
  );
  const decision = decideCancelGroup(group, row ? { status: statusOf(row) } : null);
  if (decision.kind !== 'cancel') return decision;
  const id = String(row!['id']);
  await end(tx, cancel, id);
  await tell(tx, cancel, 'group.cancelled', { groupId: group, ticketId: id, game });
  await uncount(tx, tenant, openTicketsCounter(mode));
  return { kind: 'cancelled' };
}

async function end(tx: Tx, { at }: TicketWrite, id: string): Promise<void> {
  await tx.run(
    `WITH closed AS (UPDATE ticket_player SET forming = FALSE WHERE ticket = $1)
     UPDATE ticket SET status = 'cancelled', ended_at = $2 WHERE id = $1`,
    id,
    at,
  );
}

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

export async function removeTickets(tx: Tx, endedBefore: number, limit: number): Promise<number> {
  const rows = await tx.all(
    `SELECT id FROM ticket WHERE ended_at < $1 ORDER BY ended_at, id LIMIT $2
     FOR UPDATE SKIP LOCKED`,
    endedBefore,
    limit,
  );
  if (rows.length === 0) return 0;
  const doomed = rows.map(({ id }) => String(id));
  await tx.run('DELETE FROM ticket_player WHERE ticket = ANY($1::text[])', doomed);
  return tx.run('DELETE FROM ticket WHERE id = ANY($1::text[])', doomed);
}

type TicketEvent = 'ticket.player_removed' | 'ticket.cancelled' | 'group.cancelled';

/** The event of a change, and the answer to keep for repeats of the request. */
async function tell(
  tx: Tx,
  { tenant, mode, eventId, at, idempotency }: TicketWorld & TicketWrite,
  type: TicketEvent,
  data: object,
): Promise<void> {
  tx.emit({ id: eventId, tenant, mode, type, session: null, at, data: JSON.stringify(data) });
  if (idempotency !== null) await keep(tx, idempotency);
}
