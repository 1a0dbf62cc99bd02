/** Tickets, groups and presence in SQLite: writes by the writer's thread, reads beside it. */

import type { PresenceStore, TicketStore } from '../tickets.ts';
import type { GroupCommit } from './group-commit.ts';
import type { TicketReads } from './ticket-reads.ts';

export function makeTicketStore(
  { perform }: Pick<GroupCommit, 'perform'>,
  reads: TicketReads,
): TicketStore & PresenceStore {
  return {
    async setPresence(presence) {
      await perform<'setPresence'>({ op: 'setPresence', presence });
    },
    createTicket: (ticket) => perform<'createTicket'>({ op: 'createTicket', ticket }),
    addToTicket: (add) => perform<'addToTicket'>({ op: 'addToTicket', add }),
    removeFromTicket: (remove) => perform<'removeFromTicket'>({ op: 'removeFromTicket', remove }),
    promoteTicket: (promotion) => perform<'promoteTicket'>({ op: 'promoteTicket', promotion }),
    cancelTicket: (cancel) => perform<'cancelTicket'>({ op: 'cancelTicket', cancel }),
    cancelGroup: (cancel) => perform<'cancelGroup'>({ op: 'cancelGroup', cancel }),
    startGroups: (start) => perform<'startGroups'>({ op: 'startGroups', start }),
    removeTickets: (endedBefore, limit) =>
      perform<'removeTickets'>({ op: 'removeTickets', endedBefore, limit }),
    findTicket: async (ref) => reads.findTicket(ref),
    findGroups: async (world, groups) => reads.findGroups(world, groups),
    listTickets: async (filter) => reads.listTickets(filter),
    listPool: async (world, afterPlace, limit) => reads.listPool(world, afterPlace, limit),
    listTicketsOf: async (tenant, playerId) => reads.listTicketsOf(tenant, playerId),
  };
}
