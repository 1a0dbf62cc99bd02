/** Lists of tickets as queries that an index answers in their order, whatever they leave open. */

import { TICKET_STATUSES, type Ticket, type TicketStatus } from '../../matchmaking/ticket.ts';
import type { TicketFilter } from '../tickets.ts';

/** Sorts after every id. */
const LAST = '~';

/** A list of one state, or one player's of any. */
export interface TicketQuery extends Omit<TicketFilter, 'before'> {
  readonly before: string;
}

/**
 * A player's tickets are few enough to look at each. All others are read state by state, as the index
 * has them, and put in order again.
 */
export function queriesOf(filter: TicketFilter): readonly TicketQuery[] {
  const query = { ...filter, before: filter.before ?? LAST };
  if (filter.playerId !== null || filter.status !== null) return [query];
  return TICKET_STATUSES.map((status: TicketStatus) => ({ ...query, status }));
}

/** The newest of what the queries found. */
export function newestTickets(found: readonly Ticket[], limit: number): readonly Ticket[] {
  return [...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
