/** Whole tickets, read in one statement and so as of one moment. */

import type { Ticket } from '../../matchmaking/ticket.ts';
import { toTicket } from '../rows/ticket-rows.ts';
import type { TicketRef, TicketWorld } from '../tickets.ts';
import type { Row, Tx } from './sql.ts';

/**
 * What `toWholeTicket` takes, of a table or alias `ticket`: with its players as JSON, in their order.
 * Each is looked up by his key: a join is planned as if there were as many as in all tickets.
 */
export const WHOLE_TICKET = `ticket.*, (
  SELECT coalesce(json_agg((
      SELECT json_build_object('ref', ref, 'player_id', player_id, 'display_name', display_name,
          'integrity', ticket_player.integrity)
        FROM player WHERE player.ref = ticket_player.player) ORDER BY place), '[]')::text
    FROM ticket_player WHERE ticket_player.ticket = ticket.id) AS players`;

const LOCK_TICKET = `SELECT * FROM ticket
  WHERE id = $1 AND tenant = $2 AND mode = $3 AND game = $4 FOR UPDATE`;

export function toWholeTicket(row: Row): Ticket {
  return toTicket(row, JSON.parse(String(row['players'])));
}

/** The players' pseudonyms, in their order. */
export function refsOf(row: Row): string[] {
  const players = JSON.parse(String(row['players'])) as readonly { readonly ref: string }[];
  return players.map(({ ref }) => ref);
}

/** Its row, which nobody else changes until the transaction ends; undefined where there is none. */
export function lockTicket(
  tx: Tx,
  { ticket, tenant, mode, game }: TicketRef,
): Promise<Row | undefined> {
  return tx.get(LOCK_TICKET, ticket, tenant, mode, game);
}

/** Whole rows of tickets by their ids, locked in the order that everybody keeps. */
export async function lockTickets(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const locked = await tx.all(
    'SELECT id FROM ticket WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE',
    [...new Set(ids)],
  );
  // Of those alone: one that was made since is not locked.
  const rows = await readWhole(
    tx,
    locked.map(({ id }) => String(id)),
  );
  return new Map(rows.map((row) => [String(row['id']), row]));
}

/** The row, if it is in that world; null where there is none. */
export function inWorld(row: Row | undefined, { tenant, mode, game }: TicketWorld): Row | null {
  const isThere = row?.['tenant'] === tenant && row['mode'] === mode && row['game'] === game;
  return isThere ? row! : null;
}

/** The tickets that are locked, as they now are. The lock itself shows players as of before it was had. */
export function readWhole(tx: Tx, tickets: readonly string[]): Promise<readonly Row[]> {
  return tx.all(`SELECT ${WHOLE_TICKET} FROM ticket WHERE id = ANY($1::text[])`, tickets);
}
