/** New tickets, many in one transaction, each within its tenant's cap. */

import { refuse } from '../../matchmaking/ticket.ts';
import { openTicketsCounter } from '../rows/ticket-rows.ts';
import type { CreateTicketOutcome, NewTicket } from '../tickets.ts';
import { keepAll } from './answer-rows.ts';
import { countAll, counterKey } from './counters.ts';
import { type Tx, Undo } from './sql.ts';
import { OneByOne } from './together.ts';

/** Answers what becomes of each, in their order. */
export async function createTickets(
  tx: Tx,
  tickets: readonly NewTicket[],
): Promise<readonly CreateTicketOutcome[]> {
  await tx.run(
    `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, created_at)
     SELECT id, tenant, mode, game, capacity, 0, 'forming', at
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[])
         AS given (id, tenant, mode, game, capacity, at)`,
    tickets.map(({ ticket }) => ticket),
    tickets.map(({ tenant }) => tenant),
    tickets.map(({ mode }) => mode),
    tickets.map(({ game }) => game),
    tickets.map(({ capacity }) => capacity),
    tickets.map(({ at }) => at),
  );
  for (const { ticket, tenant, mode, game, capacity, eventId: id, at } of tickets) {
    const data = JSON.stringify({ ticketId: ticket, game, capacity });
    tx.emit({ id, tenant, mode, type: 'ticket.created', session: null, at, data });
  }
  await keepAll(
    tx,
    tickets.flatMap(({ idempotency }) => idempotency ?? []),
  );
  const counts = await countAll(tx, tickets.map(counterOf));
  // Whoever is alone knows that it is he who is too much.
  if (tickets.some((each) => counts.get(counterKey(counterOf(each)))! > each.openTicketsMax)) {
    if (tickets.length > 1) throw new OneByOne();
    throw new Undo([refuse({ code: 'open_tickets_exceeded' })]);
  }
  return tickets.map(() => ({ kind: 'created' }));
}

function counterOf({ tenant, mode }: NewTicket) {
  return { tenant, name: openTicketsCounter(mode) };
}
