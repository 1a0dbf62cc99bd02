/** Removes what has been kept long enough (rule R1), in small steps. */

import type { EventStore } from '../store/events.ts';
import type { IdempotencyStore, SessionStore, TenancyStore } from '../store/store.ts';
import type { TicketStore } from '../store/tickets.ts';
import { limitsOf } from '../tenancy/tenant.ts';
import type { Clock } from './ports.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Sessions that cost nothing are kept for so long, whatever the plan. */
const TEST_DAYS = 7;
const EVENT_DAYS = 30;
/** Tickets and groups that were started or cancelled; those that wait are kept for ever. */
const TICKET_DAYS = 7;
/** Rows removed in one transaction. */
const STEP = 200;
/** Steps in one sweep, so that a long backlog does not hold up what players do. */
const STEPS_MAX = 50;

type SweptStore = Pick<SessionStore, 'removeSessions'> &
  Pick<IdempotencyStore, 'removeIdempotent'> &
  Pick<TenancyStore, 'listTenants'>;

/** One sweep; answers how many sessions and answers went. */
export async function sweep(
  store: SweptStore,
  clock: Clock,
): Promise<{ readonly sessions: number; readonly answers: number }> {
  const now = clock.now();
  let sessions = 0;
  for (const tenant of await store.listTenants()) {
    const liveDays = limitsOf(tenant).retentionDays;
    const kept = [
      { mode: 'live', days: liveDays },
      { mode: 'test', days: TEST_DAYS },
      { mode: 'training', days: TEST_DAYS },
    ] as const;
    for (const { mode, days } of kept) {
      const endedBefore = now - days * DAY_MS;
      sessions += await inSteps(() =>
        store.removeSessions({ tenant: tenant.id, mode, endedBefore, limit: STEP }),
      );
    }
  }
  const answers = await inSteps(() => store.removeIdempotent(now, STEP));
  return { sessions, answers };
}

export type Counts = Readonly<Record<string, number>>;

/**
 * Sweeps one after the other; one that fails again and again keeps none from its turn. Answers how
 * many rows went, by name.
 */
export async function sweepAll(
  sweeps: Readonly<Record<string, () => Promise<number | Counts>>>,
  onError: (error: unknown, name: string) => void,
): Promise<Counts> {
  const swept: Record<string, number> = {};
  for (const [name, act] of Object.entries(sweeps)) {
    try {
      const count = await act();
      Object.assign(swept, typeof count === 'number' ? { [name]: count } : count);
    } catch (error) {
      onError(error, name);
    }
  }
  return swept;
}

/** Removes tickets that ended long enough ago; answers how many went. */
export function sweepTickets(
  store: Pick<TicketStore, 'removeTickets'>,
  clock: Clock,
): Promise<number> {
  const endedBefore = clock.now() - TICKET_DAYS * DAY_MS;
  return inSteps(() => store.removeTickets(endedBefore, STEP));
}

/** Removes events of every tenant that are past their days; answers how many went. */
export async function sweepEvents(
  store: Pick<EventStore, 'removeEvents'> & Pick<TenancyStore, 'listTenants'>,
  clock: Clock,
): Promise<number> {
  const olderThan = clock.now() - EVENT_DAYS * DAY_MS;
  let events = 0;
  for (const { id: tenant } of await store.listTenants()) {
    for (const mode of ['live', 'test'] as const) {
      for (let step = 0; step < STEPS_MAX; step++) {
        const count = await store.removeEvents({ tenant, mode }, olderThan, STEP);
        events += count;
        if (count === 0) break;
      }
    }
  }
  return events;
}

async function inSteps(remove: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    const count = await remove();
    total += count;
    if (count < STEP) break;
  }
  return total;
}
