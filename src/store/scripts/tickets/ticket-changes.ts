/** Players removed from tickets, tickets and groups cancelled, and old tickets removed. */

import { makePlayerMark } from '../../../events/marks.ts';
import {
  decideCancelGroup,
  decideCancelTicket,
  decideRemove,
  type TicketStatus,
} from '../../../matchmaking/ticket.ts';
import type { Row } from '../../rows/row.ts';
import { openTicketsCounter, statusOf } from '../../rows/ticket-rows.ts';
import type {
  CancelOutcome,
  GroupCancel,
  PlayerRemove,
  RemoveOutcome,
  TicketCancel,
} from '../../tickets.ts';
import { uncountAll } from '../shared/counters.ts';
import { type Script, scriptOfOne, type Tx } from '../shared/script.ts';
import { emitTicketEvent, inWorld, keepAnswersOf, lockTickets, playersIn } from './ticket-rows.ts';

// ── players ────────────────────────────────────────────────────────────────────────────────────

export const REMOVE_FROM_TICKETS: Script<PlayerRemove, RemoveOutcome> = {
  name: 'removeFromTicket',
  act: removeAll,
};

/** A ticket's current players: pseudonyms by name. */
type Inside = Map<string, string>;

async function removeAll(
  tx: Tx,
  removes: readonly PlayerRemove[],
): Promise<readonly RemoveOutcome[]> {
  const rows = await lockTickets(
    tx,
    removes.map(({ ticket }) => ticket),
  );
  const insides = new Map(Array.from(rows, ([id, row]) => [id, toInside(row)]));
  const taken = new Map(Array.from(rows, ([id, row]) => [id, Number(row['taken'])]));
  const removed: { readonly remove: PlayerRemove; readonly ref: string }[] = [];
  const outcomes = removes.map((remove): RemoveOutcome => {
    const { ticket: ticketId, game, playerId } = remove;
    const row = inWorld(rows.get(ticketId), remove);
    const ref = insides.get(ticketId)?.get(playerId);
    const decision = decideRemove(row && { status: statusOf(row) }, ref !== undefined);
    if (decision.kind !== 'remove') return decision;
    insides.get(ticketId)!.delete(playerId);
    taken.set(ticketId, taken.get(ticketId)! - 1);
    removed.push({ remove, ref: ref! });
    const counts = { taken: taken.get(ticketId)!, capacity: Number(row!['capacity']) };
    const data = { ticketId, game, playerId: makePlayerMark(ref!), ...counts };
    emitTicketEvent(tx, remove, 'ticket.player_removed', data);
    return { kind: 'removed' };
  });
  if (removed.length === 0) return outcomes;
  await takeOut(
    tx,
    removed.map(({ remove, ref }) => ({ ticket: remove.ticket, player: ref })),
  );
  await keepAnswersOf(
    tx,
    removed.map(({ remove }) => remove),
  );
  return outcomes;
}

function toInside(row: Row): Inside {
  return new Map(
    playersIn(row).map(({ player_id, ref }) => [String(player_id ?? ''), String(ref)]),
  );
}

/** Removes players from locked tickets. */
async function takeOut(
  tx: Tx,
  given: readonly { readonly ticket: string; readonly player: string }[],
): Promise<void> {
  await tx.run(
    `DELETE FROM ticket_player WHERE (ticket, player) IN (
       SELECT ticket, player FROM @given(ticket text, player text))`,
    { given },
  );
  await tx.run(
    `UPDATE ticket SET taken = taken - given.n FROM @given(ticket text, n int)
      WHERE ticket.id = given.ticket`,
    {
      given: Array.from(
        Map.groupBy(given, ({ ticket }) => ticket),
        ([ticket, of]) => ({ ticket, n: of.length }),
      ),
    },
  );
}

// ── ends ───────────────────────────────────────────────────────────────────────────────────────

export const CANCEL_TICKETS: Script<TicketCancel, CancelOutcome> = {
  name: 'cancelTicket',
  async act(tx, asks) {
    const rows = await tx.all(
      'SELECT * FROM ticket WHERE id IN :ids(text) ORDER BY id FOR UPDATE',
      { ids: asks.map(({ ticket }) => ticket) },
    );
    const byId = new Map(rows.map((row) => [row['id'], row]));
    return cancelAll(tx, asks, {
      rowOf: ({ ticket }) => byId.get(ticket),
      decide: (_, ticket) => decideCancelTicket(ticket),
      tell: (cancel) => {
        const { ticket: ticketId, game } = cancel;
        emitTicketEvent(tx, cancel, 'ticket.cancelled', { ticketId, game });
      },
    });
  },
};

export const CANCEL_GROUPS: Script<GroupCancel, CancelOutcome> = {
  name: 'cancelGroup',
  async act(tx, asks) {
    const rows = await tx.all(
      'SELECT * FROM ticket WHERE group_id IN :groups(text) ORDER BY id FOR UPDATE',
      { groups: asks.map(({ group }) => group) },
    );
    const byGroup = new Map(rows.map((row) => [row['group_id'], row]));
    return cancelAll(tx, asks, {
      rowOf: ({ group }) => byGroup.get(group),
      decide: ({ group }, ticket) => decideCancelGroup(group, ticket),
      tell: (cancel, ticketId) => {
        const { group: groupId, game } = cancel;
        emitTicketEvent(tx, cancel, 'group.cancelled', { groupId, ticketId, game });
      },
    });
  },
};

type Status = { readonly status: TicketStatus } | null;

interface Cancelling<Ask> {
  rowOf(ask: Ask): Row | undefined;
  decide(ask: Ask, ticket: Status): CancelOutcome | { readonly kind: 'cancel' };
  tell(ask: Ask, ticket: string): void;
}

/** Requires the tickets' locks. */
async function cancelAll<Ask extends TicketCancel | GroupCancel>(
  tx: Tx,
  asks: readonly Ask[],
  { rowOf, decide, tell }: Cancelling<Ask>,
): Promise<readonly CancelOutcome[]> {
  const cancelled = new Map<string, Ask>();
  const outcomes = asks.map((ask): CancelOutcome => {
    const row = inWorld(rowOf(ask), ask);
    const id = String(row?.['id']);
    const status = cancelled.has(id) ? 'cancelled' : row && statusOf(row);
    const decision = decide(ask, status && { status });
    if (decision.kind !== 'cancel') return decision;
    cancelled.set(id, ask);
    tell(ask, id);
    return { kind: 'cancelled' };
  });
  if (cancelled.size > 0) await end(tx, cancelled);
  return outcomes;
}

/** By ticket, what cancelled it. */
async function end(
  tx: Tx,
  cancelled: ReadonlyMap<string, TicketCancel | GroupCancel>,
): Promise<void> {
  const ids = [...cancelled.keys()];
  await tx.run('UPDATE ticket_player SET forming = FALSE WHERE ticket IN :ids(text)', { ids });
  await tx.run(
    `UPDATE ticket SET status = 'cancelled', ended_at = given.at FROM @given(id text, at bigint)
      WHERE ticket.id = given.id`,
    { given: ids.map((id) => ({ id, at: cancelled.get(id)!.at })) },
  );
  const asks = [...cancelled.values()];
  await keepAnswersOf(tx, asks);
  await uncountAll(
    tx,
    asks.map(({ tenant, mode }) => ({ tenant, name: openTicketsCounter(mode) })),
  );
}

export const REMOVE_TICKETS = scriptOfOne(
  'removeTickets',
  async (tx, ask: { readonly endedBefore: number; readonly limit: number }) => {
    const rows = await tx.all(
      `SELECT id FROM ticket WHERE ended_at < :endedBefore ORDER BY ended_at, id LIMIT :limit
       FOR UPDATE SKIP LOCKED`,
      ask,
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => String(id));
    await tx.run('DELETE FROM ticket_player WHERE ticket IN :ids(text)', { ids });
    return tx.run('DELETE FROM ticket WHERE id IN :ids(text)', { ids });
  },
);
