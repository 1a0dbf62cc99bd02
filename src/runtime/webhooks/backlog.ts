/** What a webhook's lane still has to deliver, for metrics. */

import type { Outbox } from '../../webhooks/outbox.ts';
import type { Sendable } from '../../webhooks/parcel.ts';
import { idTime } from '../ids.ts';

export interface Backlog {
  /** Events: those read and not delivered, and those of its world that are not read yet. */
  readonly events: number;
  /** When the oldest read event happened, ms since 1970; null for none. */
  readonly oldestAt: number | null;
}

/** The log of its world reaches to `head`. */
export function backlogOf<E extends Sendable>(outbox: Outbox<E>, head: number): Backlog {
  const oldest = outbox.oldest();
  return {
    events: outbox.size() + Math.max(0, head - outbox.readTo()),
    oldestAt: oldest === null ? null : idTime(oldest.id),
  };
}
