/** The sample tenant's webhooks and their deliveries: one works, the other has failed for hours. */

import type { EventType, StoredEvent } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import type { Attempt } from '../../store/webhooks.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';
import type { Chance } from './chance.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Attempts of so long: reading the events for them takes long. */
export const ATTEMPTS_MS = 4 * 24 * HOUR_MS;
const READ_MAX = 500;

export interface SampleWebhook {
  readonly url: string;
  readonly description: string;
  readonly types: readonly EventType[];
  /** Since when it fails, before now; null for never. */
  readonly failsForMs: number | null;
}

/** A reserved domain (RFC 2606): deliveries of the service reach no one. */
export const SAMPLE_WEBHOOKS: readonly SampleWebhook[] = [
  {
    url: 'https://rewards.sample.invalid/matchd',
    description: 'Sample: rewards after a match',
    types: ['session.ended'],
    failsForMs: null,
  },
  {
    url: 'https://analytics.sample.invalid/events',
    description: 'Sample: an endpoint that fails',
    types: ['session.started', 'session.ended'],
    failsForMs: 5 * HOUR_MS,
  },
];

export interface Deliveries {
  readonly attempts: readonly Attempt[];
  readonly outstanding: readonly Outstanding[];
  readonly failingSince: number | null;
}

/** The log of a world after a position, a part at a time. */
export async function readEvents(
  store: Pick<EventStore, 'readEvents'>,
  tenant: string,
  from: number,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? from;
    const part = await store.readEvents({ tenant, mode: 'live' }, after, READ_MAX);
    events.push(...part);
    if (part.length < READ_MAX) return events;
  }
}

/** The result of the events that the webhook names. */
export function deliver(
  { types, failsForMs }: SampleWebhook,
  events: readonly StoredEvent[],
  now: number,
  chance: Chance,
): Deliveries {
  const failsFrom = failsForMs === null ? Infinity : now - failsForMs;
  const wanted = events
    .filter(
      ({ type, at }) => types.includes(type) && at > now - ATTEMPTS_MS && at < now - MINUTE_MS,
    )
    // The log is in the order of commits; deliveries are in that of time.
    .toSorted((a, b) => a.at - b.at);
  const failed = wanted.filter(({ at }) => at >= failsFrom);
  const outstanding = failed.map((event): Outstanding => {
    const { seq, id, session } = event;
    const nextAt = now + Math.round((5 + 20 * chance.fraction()) * MINUTE_MS);
    return { seq, id, session, standsFor: 'event', attempt: 1, nextAt, notBefore: 0 };
  });
  const nextOf = new Map(outstanding.map(({ seq, nextAt }) => [seq, nextAt]));
  const attempts = wanted.map((event): Attempt => {
    const nextAt = nextOf.get(event.seq) ?? null;
    const isFailed = nextAt !== null;
    return {
      event: event.id,
      type: event.type,
      session: event.session,
      attempt: 1,
      at: event.at + 200 + chance.integer(400),
      durationMs: Math.round(chance.duration(isFailed ? 40 : 85)),
      status: isFailed ? 500 : 200,
      error: isFailed ? 'status_not_2xx' : null,
      nextAt,
      ...(isFailed ? { response: '{"error":"database is read-only"}' } : null),
    };
  });
  return { attempts, outstanding, failingSince: failed[0]?.at ?? null };
}
