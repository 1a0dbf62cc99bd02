/** Reads of tickets, groups and the pool, each as of one moment. */

import type { PromotedTicket, Ticket } from '../../matchmaking/ticket.ts';
import { newestTickets, queriesOf, type TicketQuery } from '../rows/ticket-lists.ts';
import { toTicket } from '../rows/ticket-rows.ts';
import type { TicketFilter, TicketRef, TicketWorld } from '../tickets.ts';
import type { Prepare, Row } from './rows.ts';
import { PLAYERS_OF_TICKET, TICKET_BY_GROUP, TICKET_BY_ID } from './ticket-rows.ts';

export interface TicketReads {
  findTicket(ref: TicketRef): Ticket | null;
  findGroups(world: TicketWorld, groups: readonly string[]): readonly (Ticket | null)[];
  listTickets(filter: TicketFilter): readonly Ticket[];
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
  const ofStatus = all(
    `SELECT * FROM ticket WHERE tenant = ? AND mode = ? AND game = ? AND status = ? AND id < ?
     ORDER BY id DESC LIMIT ?`,
  );
  const withPlayer = all(
    `SELECT ticket.* FROM ticket_player CROSS JOIN ticket ON ticket.id = ticket_player.ticket
     WHERE ticket_player.player = (SELECT ref FROM player
         WHERE tenant = ? AND world = ? AND player_id = ?)
       AND ticket.mode = ? AND ticket.game = ? AND ticket.status = coalesce(?, ticket.status)
       AND ticket_player.ticket < ? ORDER BY ticket_player.ticket DESC LIMIT ?`,
  );
  const query = ({ tenant, mode, game, status, playerId, before, limit }: TicketQuery): Row[] =>
    playerId === null
      ? ofStatus(tenant, mode, game, status, before, limit)
      : withPlayer(tenant, mode, playerId, mode, game, status, before, limit);
  const ofPlayer = all(
    `SELECT ticket.* FROM player JOIN ticket_player ON ticket_player.player = player.ref
       JOIN ticket ON ticket.id = ticket_player.ticket
     WHERE player.tenant = ? AND player.world IN ('live', 'test') AND player.player_id = ?
     ORDER BY ticket.id`,
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
    listTickets: (filter) =>
      atOnce(() => newestTickets(queriesOf(filter).flatMap(query).map(whole), filter.limit)),
    listPool: ({ tenant, mode, game }, afterPlace, limit) =>
      atOnce(() => pool(tenant, mode, game, afterPlace, limit).map(whole) as PromotedTicket[]),
    listTicketsOf: (tenant, playerId) => atOnce(() => ofPlayer(tenant, playerId).map(whole)),
  };
}
