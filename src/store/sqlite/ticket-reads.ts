/** Reads of tickets, groups and the pool, each as of one moment. */

import type { PromotedTicket, Ticket } from '../../matchmaking/ticket.ts';
import { toTicket } from '../rows/ticket-rows.ts';
import type { TicketRef, TicketWorld } from '../tickets.ts';
import type { Prepare, Row } from './rows.ts';
import { PLAYERS_OF_TICKET, TICKET_BY_GROUP, TICKET_BY_ID } from './ticket-rows.ts';

export interface TicketReads {
  findTicket(ref: TicketRef): Ticket | null;
  findGroups(world: TicketWorld, groups: readonly string[]): readonly (Ticket | null)[];
  listPool(world: TicketWorld, afterPlace: number, limit: number): readonly PromotedTicket[];
  listTicketsOf(tenant: string, playerId: string): readonly Ticket[];
}

export function makeTicketReads(all: Prepare): TicketReads {
  const begin = all('BEGIN');
  const commit = all('COMMIT');
  const byId = all(TICKET_BY_ID);
  const byGroup = all(TICKET_BY_GROUP);
  const players = all(PLAYERS_OF_TICKET);
  const pool = all(
    `SELECT * FROM ticket WHERE tenant = ? AND mode = ? AND game = ? AND status = 'promoted'
       AND pool_place > ? ORDER BY pool_place LIMIT ?`,
  );
  const ofPlayer = all(
    `SELECT ticket.* FROM player JOIN ticket_player ON ticket_player.player = player.ref
       JOIN ticket ON ticket.id = ticket_player.ticket
     WHERE player.tenant = ? AND player.player_id = ? ORDER BY ticket.id`,
  );
  /** A commit may come between two reads, but never into one moment. */
  const atOnce = <T>(read: () => T): T => {
    begin();
    try {
      return read();
    } finally {
      commit();
    }
  };
  const whole = (row: Row): Ticket => toTicket(row, players(row['id']!));
  return {
    findTicket: ({ ticket, tenant, mode, game }) =>
      atOnce(() => byId(ticket, tenant, mode, game).map(whole)[0] ?? null),
    findGroups: ({ tenant, mode, game }, groups) =>
      atOnce(() => groups.map((id) => byGroup(id, tenant, mode, game).map(whole)[0] ?? null)),
    listPool: ({ tenant, mode, game }, afterPlace, limit) =>
      atOnce(() => pool(tenant, mode, game, afterPlace, limit).map(whole) as PromotedTicket[]),
    listTicketsOf: (tenant, playerId) => atOnce(() => ofPlayer(tenant, playerId).map(whole)),
  };
}
