/** Removes expired data (rule R1), in small steps. */

import type { EventStore } from '../store/events.ts';
import type { IdempotencyStore, PlayerStore, SessionStore, TenancyStore } from '../store/store.ts';
import type { TicketStore } from '../store/tickets.ts';
import type { WebhookStore } from '../store/webhooks.ts';
import { WORLDS } from '../store/world.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import { limitsOf } from '../tenancy/tenant.ts';
import type { Clock } from './ports.ts';
import { removeInSteps } from './sweep-steps.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Sessions that are not billed are kept this long, whatever the plan. */
const TEST_DAYS = 7;
const EVENT_DAYS = 30;
/** Tickets and groups that were started or cancelled; waiting ones are kept without limit. */
const TICKET_DAYS = 7;
/** Responses of webhook endpoints are shown and kept this long. */
export const RESPONSE_LIFE_MS = 7 * DAY_MS;
/** Rows removed in one transaction. */
const STEP = 200;
/** Steps of one sweep in which guests are checked. */
const STEPS_MAX = 50;

/** Removes sessions of every tenant that are past their retention; returns how many. */
export async function sweepSessions(
  store: Pick<SessionStore, 'removeSessions'> & Pick<TenancyStore, 'listTenants'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now();
  const worlds = (await store.listTenants()).flatMap((tenant) => [
    { tenant: tenant.id, mode: 'live' as const, days: limitsOf(tenant).retentionDays },
    { tenant: tenant.id, mode: 'test' as const, days: TEST_DAYS },
    { tenant: tenant.id, mode: 'training' as const, days: TEST_DAYS },
  ]);
  const remove = ({ tenant, mode, days }: (typeof worlds)[number]): Promise<number> =>
    store.removeSessions({ tenant, mode, endedBefore: now - days * DAY_MS, limit: STEP });
  return removeInSteps(clock, worlds, remove, signal);
}

/** Removes stored responses after their day; returns how many. */
export function sweepAnswers(
  store: Pick<IdempotencyStore, 'removeIdempotent'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  return removeInSteps(
    clock,
    [STEP],
    (limit) => store.removeIdempotent(clock.now(), limit),
    signal,
  );
}

/**
 * Runs the sweeps in order; a failing one does not block the others. Returns how many rows went, by name. None
 * begins after `signal` said so.
 */
export async function sweepAll(
  sweeps: Readonly<Record<string, () => Promise<number>>>,
  onError: (error: unknown, name: string) => void,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const swept: Record<string, number> = {};
  for (const [name, act] of Object.entries(sweeps)) {
    if (signal?.aborted === true) break;
    try {
      swept[name] = await act();
    } catch (error) {
      onError(error, name);
    }
  }
  return swept;
}

/** Removes tickets that ended long enough ago; returns how many. */
export function sweepTickets(
  store: Pick<TicketStore, 'removeTickets'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const endedBefore = clock.now() - TICKET_DAYS * DAY_MS;
  return removeInSteps(clock, [STEP], (limit) => store.removeTickets(endedBefore, limit), signal);
}

/** Removes endpoints' responses after their time; the attempts stay. Returns how many. */
export function sweepResponses(
  store: Pick<WebhookStore, 'forgetResponses'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const before = clock.now() - RESPONSE_LIFE_MS;
  return removeInSteps(clock, [STEP], (limit) => store.forgetResponses(before, limit), signal);
}

/**
 * Makes a sweep of guests without sessions, as an older matchd left them: all are checked once a day, some in each
 * call. Returns how many were removed.
 */
export function makeGuestSweep(
  store: Pick<PlayerStore, 'removeGuests'> & Pick<TenancyStore, 'listTenants'>,
  clock: Clock,
  signal?: AbortSignal,
): () => Promise<number> {
  let nextAt = clock.now();
  let worlds: { readonly tenant: string; readonly world: KeyMode }[] = [];
  let after = '';
  return async () => {
    if (worlds.length === 0 && clock.now() >= nextAt) {
      const tenants = await store.listTenants();
      worlds = tenants.flatMap(({ id: tenant }) => WORLDS.map((world) => ({ tenant, world })));
      nextAt = clock.now() + DAY_MS;
    }
    let guests = 0;
    for (let step = 0; step < STEPS_MAX && worlds.length > 0; step++) {
      if (signal?.aborted === true) break;
      const [of, from] = [worlds.shift()!, after];
      // After a failure the rest is left until the next day.
      after = '';
      const { removed, last } = await store.removeGuests(of.tenant, of.world, from, STEP);
      guests += removed;
      after = last ?? '';
      if (last !== null) worlds.unshift(of);
    }
    return guests;
  };
}

/** Removes events of every tenant that are past their retention; returns how many. */
export async function sweepEvents(
  store: Pick<EventStore, 'removeEvents'> & Pick<TenancyStore, 'listTenants'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const olderThan = clock.now() - EVENT_DAYS * DAY_MS;
  const worlds = (await store.listTenants()).flatMap(({ id: tenant }) => [
    { tenant, mode: 'live' as const },
    { tenant, mode: 'test' as const },
  ]);
  return removeInSteps(clock, worlds, (w) => store.removeEvents(w, olderThan, STEP), signal);
}

/** Indexes the metadata of sessions that an earlier matchd wrote (rule S6); returns how many sessions. */
export function sweepMetadata(
  store: Pick<SessionStore, 'indexMetadata'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  return removeInSteps(clock, [STEP], (limit) => store.indexMetadata(limit), signal);
}
