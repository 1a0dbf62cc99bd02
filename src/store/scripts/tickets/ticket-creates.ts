/** New tickets, many per transaction, each within its tenant's cap. */

import { refuse } from '../../../matchmaking/ticket.ts';
import { openTicketsCounter } from '../../rows/ticket-rows.ts';
import type { CreateTicketOutcome, NewTicket } from '../../tickets.ts';
import { counterKey, countWithin, readCounters } from '../shared/counters.ts';
import type { Script, Tx } from '../shared/script.ts';
import { emitTicketEvent, keepAnswersOf } from './ticket-rows.ts';

export const CREATE_TICKETS: Script<NewTicket, CreateTicketOutcome> = {
  name: 'createTicket',
  act: createTickets,
};

const OVER = refuse({ code: 'open_tickets_exceeded' });

async function createTickets(
  tx: Tx,
  tickets: readonly NewTicket[],
): Promise<readonly CreateTicketOutcome[]> {
  const allowed = await findAllowed(tx, tickets);
  if (allowed.size > 0) {
    await insert(tx, [...allowed]);
    await countWithin(tx, [...allowed], limitsOf);
  }
  return tickets.map((ticket) => (allowed.has(ticket) ? { kind: 'created' } : OVER));
}

/**
 * The tickets that fit, in order. The counters are locked only at the end, because all of a
 * tenant's transactions wait for them; until then another node may fill them.
 */
async function findAllowed(tx: Tx, tickets: readonly NewTicket[]): Promise<Set<NewTicket>> {
  const counts = new Map(await readCounters(tx, tickets.map(counterOf)));
  const allowed = new Set<NewTicket>();
  for (const ticket of tickets) {
    const key = counterKey(counterOf(ticket));
    const count = counts.get(key) ?? 0;
    if (count >= ticket.openTicketsMax) continue;
    counts.set(key, count + 1);
    allowed.add(ticket);
  }
  return allowed;
}

async function insert(tx: Tx, tickets: readonly NewTicket[]): Promise<void> {
  await tx.run(
    `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, created_at)
     SELECT ticket, tenant, mode, game, capacity, 0, 'forming', at
       FROM @given(ticket text, tenant text, mode text, game text, capacity int, at bigint)`,
    { given: tickets },
  );
  for (const ticket of tickets) {
    const { ticket: ticketId, game, capacity } = ticket;
    emitTicketEvent(tx, ticket, 'ticket.created', { ticketId, game, capacity });
  }
  await keepAnswersOf(tx, tickets);
}

function limitsOf(ticket: NewTicket) {
  return [{ counter: counterOf(ticket), max: ticket.openTicketsMax, refusal: OVER }];
}

function counterOf({ tenant, mode }: NewTicket) {
  return { tenant, name: openTicketsCounter(mode) };
}
