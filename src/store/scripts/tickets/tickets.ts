/** Tickets and groups: each change is a script, each read one statement, so as of one moment. */

import { type PromotedTicket, TICKET_STATUSES, type Ticket } from '../../../matchmaking/ticket.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import type { TicketFilter, TicketStore } from '../../tickets.ts';
import { WORLDS } from '../../world.ts';
import { AFTER_ALL_IDS, type Runner, type Sql } from '../shared/script.ts';
import { START_GROUPS } from './group-starts.ts';
import { ADD_TO_TICKETS } from './ticket-adds.ts';
import {
  CANCEL_GROUPS,
  CANCEL_TICKETS,
  REMOVE_FROM_TICKETS,
  REMOVE_TICKETS,
} from './ticket-changes.ts';
import { CREATE_TICKETS } from './ticket-creates.ts';
import { PROMOTE_TICKETS } from './ticket-promotions.ts';
import { inWorld, toWholeTicket, WHOLE_TICKET } from './ticket-rows.ts';

export function makeTicketStore({ sql, write }: Runner): TicketStore {
  return {
    createTicket: (ticket) => write(CREATE_TICKETS, ticket),
    addToTicket: (add) => write(ADD_TO_TICKETS, add),
    removeFromTicket: (remove) => write(REMOVE_FROM_TICKETS, remove),
    promoteTicket: (promotion) => write(PROMOTE_TICKETS, promotion),
    cancelTicket: (cancel) => write(CANCEL_TICKETS, cancel),
    cancelGroup: (cancel) => write(CANCEL_GROUPS, cancel),
    startGroups: (start) => write(START_GROUPS, start),
    removeTickets: (endedBefore, limit) => write(REMOVE_TICKETS, { endedBefore, limit }),
    ...makeReads(sql),
  };
}

export const TICKET_SCRIPTS = [
  CREATE_TICKETS,
  ADD_TO_TICKETS,
  REMOVE_FROM_TICKETS,
  PROMOTE_TICKETS,
  CANCEL_TICKETS,
  CANCEL_GROUPS,
  START_GROUPS,
  REMOVE_TICKETS,
];

function makeReads(sql: Sql) {
  return {
    async findTicket(ref) {
      const { ticket: id } = ref;
      const row = await sql.get(`SELECT ${WHOLE_TICKET} FROM ticket WHERE id = :id`, { id });
      const found = inWorld(row, ref);
      return found && toWholeTicket(found);
    },
    async findGroups(world, groups) {
      const rows = await sql.all(
        `SELECT ${WHOLE_TICKET} FROM ticket WHERE group_id IN :groups(text)`,
        { groups },
      );
      const byGroup = new Map(rows.map((row) => [row['group_id'], row]));
      return groups.map((group) => {
        const found = inWorld(byGroup.get(group), world);
        return found && toWholeTicket(found);
      });
    },
    listTickets: (filter) => listTickets(sql, filter),
    async listPool({ tenant, mode, game }, after, limit) {
      const rows = await sql.all(
        `SELECT ${WHOLE_TICKET} FROM ticket
          WHERE tenant = :tenant AND mode = :mode AND game = :game AND status = 'promoted'
            AND pool_place > :after ORDER BY pool_place LIMIT :limit`,
        { tenant, mode, game, after, limit },
      );
      return rows.map(toWholeTicket) as PromotedTicket[];
    },
    async listTicketsOf({ tenant, worlds, playerId: player }, after, limit) {
      const { game, id: ticket } = after ?? { game: '', id: '' };
      const values = { tenant, player, game, ticket, limit };
      return (await sql.all(ofPlayer(worlds), values)).map(toWholeTicket);
    },
  } satisfies Partial<TicketStore>;
}

const ofStatus = (status: string): string => `SELECT ${WHOLE_TICKET} FROM ticket
  WHERE tenant = :tenant AND mode = :mode AND game = :game AND status = ${status} AND id < :before
  ORDER BY id DESC LIMIT :limit`;

const OF_STATUS = ofStatus(':status');

/** State by state, as in the index, then merged. */
const OF_ANY_STATUS = `${TICKET_STATUSES.map(
  (status) => `SELECT * FROM (${ofStatus(`'${status}'`)}) AS ${status}`,
).join(' UNION ALL ')} ORDER BY id DESC LIMIT :limit`;

const OF_PLAYER = `held.player = (SELECT ref FROM player
     WHERE tenant = :tenant AND world = :mode AND player_id = :player)
    AND held.game = :game AND held.mode = :mode`;

/** In the order of the player's tickets of a game, as in the index. */
const withPlayer = (condition: string): string => `SELECT ${WHOLE_TICKET}
   FROM ticket_player AS held JOIN ticket ON ticket.id = held.ticket
  WHERE ${OF_PLAYER} AND held.ticket < :before ${condition}
  ORDER BY held.ticket DESC LIMIT :limit`;

const WITH_PLAYER = withPlayer('');
/** At most one (rule M2). */
const FORMING_WITH_PLAYER = `SELECT ${WHOLE_TICKET} FROM ticket
  WHERE id = (SELECT held.ticket FROM ticket_player AS held WHERE ${OF_PLAYER} AND held.forming)
    AND id < :before LIMIT :limit`;
/** Reads all of the player's tickets. */
const OF_STATUS_WITH_PLAYER = withPlayer('AND ticket.status = :status');

/** Mode by mode, as in the index, then merged. */
function ofPlayer(worlds: readonly KeyMode[]): string {
  const lists = WORLDS.filter((world) => worlds.includes(world)).map(
    (world) => `SELECT * FROM (SELECT game, ticket FROM ticket_player
      WHERE player = (SELECT ref FROM player
          WHERE tenant = :tenant AND world = '${world}' AND player_id = :player)
        AND (game, ticket) > (:game, :ticket) ORDER BY game, ticket LIMIT :limit) AS ${world}`,
  );
  return `SELECT ${WHOLE_TICKET} FROM (${lists.join(' UNION ALL ')}) AS held
      JOIN ticket ON ticket.id = held.ticket
    ORDER BY held.game, held.ticket LIMIT :limit`;
}

async function listTickets(sql: Sql, filter: TicketFilter): Promise<readonly Ticket[]> {
  const { playerId: player, status, before } = filter;
  const text = textOf(filter);
  const { tenant, mode, game, limit } = filter;
  const values = {
    tenant,
    mode,
    game,
    limit,
    status,
    player,
    before: before ?? AFTER_ALL_IDS,
  };
  return (await sql.all(text, values)).map(toWholeTicket);
}

function textOf({ playerId, status }: TicketFilter): string {
  if (playerId === null) return status === null ? OF_ANY_STATUS : OF_STATUS;
  if (status === null) return WITH_PLAYER;
  return status === 'forming' ? FORMING_WITH_PLAYER : OF_STATUS_WITH_PLAYER;
}
