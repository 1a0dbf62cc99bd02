/** A webhook's waiting events, from the store: the same whichever node serves it. */

import type { EventStore } from '../../store/events.ts';
import type { Webhook, WebhookStore } from '../../store/webhooks.ts';
import { isWanted } from '../../webhooks/subscription.ts';
import { idTime } from '../ids.ts';

export interface WaitingEvents {
  readonly events: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  /** When the oldest of them happened, ms since 1970; null for none. */
  readonly oldestAt: number | null;
  /** The next planned retry, now for one that is due; null for none. Never in the past. */
  readonly nextAttemptAt: number | null;
}

/** Events of the log that are read. */
const LOOKED_MAX = 500;
const NONE: WaitingEvents = { events: 0, isMore: false, oldestAt: null, nextAttemptAt: null };

export async function countWaiting(
  store: Pick<WebhookStore, 'listOutstanding'> & Pick<EventStore, 'readEvents'>,
  { id, tenant, mode, types, cursor, disabled }: Webhook,
  now: number,
): Promise<WaitingEvents> {
  if (disabled !== null) return NONE;
  const [outstanding, log] = await Promise.all([
    store.listOutstanding(id),
    store.readEvents({ tenant, mode }, cursor, LOOKED_MAX),
  ]);
  // The row means that its session waits; this event itself was delivered.
  const rows = outstanding.filter(({ standsFor }) => standsFor !== 'rest');
  const known = new Set(rows.map((row) => row.id));
  const unsent = log.filter((event) => isWanted(types, event.type) && !known.has(event.id));
  const times = [...rows.map((row) => idTime(row.id)), ...unsent.map(({ at }) => at)];
  // One that is due goes as soon as the endpoint's pause after a failure ends: a minute at most.
  const tries = rows.flatMap(({ attempt, nextAt }) => (attempt > 0 ? [Math.max(now, nextAt)] : []));
  return {
    events: rows.length + unsent.length,
    isMore: log.length === LOOKED_MAX || outstanding.some(({ standsFor }) => standsFor !== 'event'),
    oldestAt: times.length === 0 ? null : Math.min(...times),
    nextAttemptAt: tries.length === 0 ? null : Math.min(...tries),
  };
}
