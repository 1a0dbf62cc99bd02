/** Rows of tickets, as scripts lock and read them. */

import type { Ticket } from '../../../matchmaking/ticket.ts';
import type { Row } from '../../rows/row.ts';
import { toTicket } from '../../rows/ticket-rows.ts';
import type { TicketWorld, TicketWrite } from '../../tickets.ts';
import { keepAll } from '../shared/answers.ts';
import type { Tx } from '../shared/script.ts';

const OF_PLAYER = 'FROM player WHERE player.ref = ticket_player.player';

/**
 * The input of `toWholeTicket` from a table or alias `ticket`, with its players as ordered JSON:
 * one statement, so as of one moment. Each player is looked up by key, because a join is planned
 * for the players of all tickets.
 */
export const WHOLE_TICKET = `ticket.*, (
  SELECT coalesce(json_agg(json_build_object('ref', player, 'player_id', (SELECT player_id ${OF_PLAYER}),
      'display_name', (SELECT display_name ${OF_PLAYER}), 'integrity', integrity) ORDER BY place), '[]')::text
    FROM ticket_player WHERE ticket_player.ticket = ticket.id) AS players`;

export function toWholeTicket(row: Row): Ticket {
  return toTicket(row, playersIn(row));
}

/** The players' pseudonyms, in order. */
export function refsOf(row: Row): string[] {
  return playersIn(row).map(({ ref }) => String(ref));
}

/** Rows of a ticket's players, in order. */
export function playersIn(row: Row): readonly Row[] {
  return JSON.parse(String(row['players'])) as readonly Row[];
}

/** Whole rows of tickets by id, locked in the common order. */
export async function lockTickets(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const locked = await tx.all(
    'SELECT id FROM ticket WHERE id IN :ids(text) ORDER BY id FOR UPDATE',
    { ids: [...new Set(ids)] },
  );
  // Only those: a ticket created since is not locked. The locking statement itself shows the
  // players as of before the lock.
  const rows = await tx.all(`SELECT ${WHOLE_TICKET} FROM ticket WHERE id IN :ids(text)`, {
    ids: locked.map(({ id }) => String(id)),
  });
  return new Map(rows.map((row) => [String(row['id']), row]));
}

/** The row, if it belongs to that tenant, mode and game; null otherwise. */
export function inWorld(row: Row | undefined, { tenant, mode, game }: TicketWorld): Row | null {
  const isThere = row?.['tenant'] === tenant && row['mode'] === mode && row['game'] === game;
  return isThere ? row! : null;
}

type TicketEvent =
  | 'ticket.created'
  | 'ticket.player_added'
  | 'ticket.player_removed'
  | 'ticket.promoted'
  | 'ticket.cancelled'
  | 'group.cancelled';

/** The event of a change. */
export function emitTicketEvent(
  tx: Tx,
  { tenant, mode, eventId, at }: TicketWorld & TicketWrite,
  type: TicketEvent,
  data: object,
): void {
  tx.emit({ id: eventId, tenant, mode, type, session: null, at, data: JSON.stringify(data) });
}

/** Stores the responses of changes, for repeats of their requests. */
export async function keepAnswersOf(
  tx: Tx,
  writes: readonly Pick<TicketWrite, 'idempotency'>[],
): Promise<void> {
  await keepAll(
    tx,
    writes.flatMap(({ idempotency }) => idempotency ?? []),
  );
}
