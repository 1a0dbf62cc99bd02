/** Tickets and groups in PostgreSQL: each change is a transaction, each read one statement. */

import type { PromotedTicket } from '../../matchmaking/ticket.ts';
import { newestTickets, queriesOf, type TicketQuery } from '../rows/ticket-lists.ts';
import type { TicketStore } from '../tickets.ts';
import { addAll } from './adds.ts';
import { startAll } from './groups.ts';
import { promoteAll } from './promotions.ts';
import type { Row, Sql, Transactor } from './sql.ts';
import { createTickets } from './ticket-creates.ts';
import { cancelGroup, cancelTicket, removeFromTicket, removeTickets } from './ticket-ops.ts';
import { toWholeTicket, WHOLE_TICKET } from './ticket-rows.ts';
import { makeTogether } from './together.ts';

/** Of calls of one kind one transaction is under way at a time: two would wait for the same tenant's rows. */
const TOGETHER = { lanes: 1, batchMax: 128 } as const;

export function makeTicketStore(db: Sql & Transactor, node: string): TicketStore {
  return {
    createTicket: makeTogether(db, TOGETHER, createTickets),
    addToTicket: makeTogether(db, TOGETHER, addAll),
    removeFromTicket: (remove) => db.transaction((tx) => removeFromTicket(tx, remove)),
    promoteTicket: makeTogether(db, TOGETHER, promoteAll),
    cancelTicket: (cancel) => db.transaction((tx) => cancelTicket(tx, cancel)),
    cancelGroup: (cancel) => db.transaction((tx) => cancelGroup(tx, cancel)),
    startGroups: makeTogether(db, TOGETHER, (tx, starts) => startAll(tx, node, starts)),
    removeTickets: (endedBefore, limit) =>
      db.transaction((tx) => removeTickets(tx, endedBefore, limit)),
    ...makeTicketReads(db),
  };
}

function makeTicketReads(db: Sql) {
  return {
    async findTicket({ ticket, tenant, mode, game }) {
      const row = await db.get(
        `SELECT ${WHOLE_TICKET} FROM ticket
          WHERE id = $1 AND tenant = $2 AND mode = $3 AND game = $4`,
        ticket,
        tenant,
        mode,
        game,
      );
      return row === undefined ? null : toWholeTicket(row);
    },
    async findGroups({ tenant, mode, game }, groups) {
      const rows = await db.all(
        `SELECT ${WHOLE_TICKET} FROM ticket
          WHERE group_id = ANY($1::text[]) AND tenant = $2 AND mode = $3 AND game = $4`,
        groups,
        tenant,
        mode,
        game,
      );
      const byGroup = new Map(rows.map((row) => [row['group_id'], toWholeTicket(row)]));
      return groups.map((group) => byGroup.get(group) ?? null);
    },
    async listTickets(filter) {
      const rows = await Promise.all(queriesOf(filter).map((query) => listTickets(db, query)));
      return newestTickets(rows.flat().map(toWholeTicket), filter.limit);
    },
    async listPool({ tenant, mode, game }, afterPlace, limit) {
      const rows = await db.all(
        `SELECT ${WHOLE_TICKET} FROM ticket
          WHERE tenant = $1 AND mode = $2 AND game = $3 AND status = 'promoted'
            AND pool_place > $4 ORDER BY pool_place LIMIT $5`,
        tenant,
        mode,
        game,
        afterPlace,
        limit,
      );
      return rows.map(toWholeTicket) as PromotedTicket[];
    },
    async listTicketsOf(tenant, playerId) {
      const rows = await db.all(
        `SELECT ${WHOLE_TICKET} FROM ticket WHERE id IN (
           SELECT ticket_player.ticket FROM player
             JOIN ticket_player ON ticket_player.player = player.ref
            WHERE player.tenant = $1 AND player.world IN ('live', 'test')
              AND player.player_id = $2)
          ORDER BY id`,
        tenant,
        playerId,
      );
      return rows.map(toWholeTicket);
    },
  } satisfies Partial<TicketStore>;
}

function listTickets(
  db: Sql,
  { tenant, mode, game, status, playerId, before, limit }: TicketQuery,
): Promise<readonly Row[]> {
  return playerId === null
    ? db.all(
        `SELECT ${WHOLE_TICKET} FROM ticket
          WHERE tenant = $1 AND mode = $2 AND game = $3 AND status = $4 AND id < $5
          ORDER BY id DESC LIMIT $6`,
        tenant,
        mode,
        game,
        status,
        before,
        limit,
      )
    : db.all(
        `SELECT ${WHOLE_TICKET} FROM ticket_player AS his JOIN ticket ON ticket.id = his.ticket
          WHERE his.player = (SELECT ref FROM player
             WHERE tenant = $1 AND world = $3 AND player_id = $2)
            AND ticket.mode = $3 AND ticket.game = $4 AND ($5::text IS NULL OR status = $5)
            AND his.ticket < $6 ORDER BY his.ticket DESC LIMIT $7`,
        tenant,
        playerId,
        mode,
        game,
        status,
        before,
        limit,
      );
}
