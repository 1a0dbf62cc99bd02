/** What the lane to one endpoint needs, and what it knows. */

import type { StoredEvent } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import type { Attempt, DeliveryProgress, Webhook, WebhookStore } from '../../store/webhooks.ts';
import type { Outbox } from '../../webhooks/outbox.ts';
import type { Cancel, Clock } from '../ports.ts';
import type { Courier } from './courier.ts';
import type { DeliveryListeners } from './delivery-listeners.ts';
import type { FairShare, Sharer } from './fair-share.ts';

/** Requests since the process began, by what came of them. */
export interface DeliveryStats {
  delivered: number;
  /** To be retried. */
  failed: number;
  /** Failed for the last time. */
  givenUp: number;
}

export interface LaneDeps extends DeliveryListeners {
  readonly store: Pick<WebhookStore, 'recordProgress'> & Pick<EventStore, 'readEvents'>;
  readonly clock: Clock;
  /** A number drawn from [0, 1). */
  readonly draw: () => number;
  readonly courier: Courier;
  readonly share: FairShare;
  readonly stats: DeliveryStats;
  /**
   * Is a write that failed over, so that it may be written again? Where it may still come late it
   * must not: then the lane ends, and the next one has an epoch of its own.
   */
  readonly mayWriteAgain: boolean;
  /** How often a tenant's deliveries are retried; null while nothing is sent for it. */
  readonly retriesOf: (tenant: string) => Promise<number | null>;
  readonly onError: (webhook: Webhook, error: unknown) => void;
  /** The lane is of no use any more: the webhook is off, gone, or was changed by somebody else. */
  readonly onEnd: (webhook: Webhook) => void;
}

/** An answer that takes longer makes an endpoint a slow one. */
export const SLOW_MS = 1_000;

export interface LaneState {
  readonly deps: LaneDeps;
  readonly outbox: Outbox<StoredEvent>;
  readonly sharer: Sharer;
  readonly timers: { due: Cancel; read: Cancel; flush: Cancel };
  webhook: Webhook;
  head: number;
  concurrency: number;
  underWay: number;
  /** Has it ever answered as it should? Until then it is thought to be troubled. */
  isProven: boolean;
  isSlow: boolean;
  /** Requests that have been under way for long. */
  hanging: number;
  /** Failures since the last success that tell of the endpoint: not those of what is known to fail. */
  failuresInRow: number;
  /** All failures since the last success. */
  failures: number;
  /** Sessions whose deliveries were answered with `Retry-After` since the last success. */
  readonly askers: Set<string>;
  /** Well answered requests; one more if the last before this life was well answered. */
  successes: number;
  failingSince: number | null;
  /** Nothing is sent until then. */
  restUntil: number;
  isReading: boolean;
  /** The next look goes on in the log, though something that was left in it is to be read, too. */
  isAheadNext: boolean;
  flushing: Promise<void> | null;
  isFlushSet: boolean;
  cursor: number;
  attempts: Attempt[];
  /** What could not be written yet: nothing is sent, and nothing else written, before it is. */
  owed: DeliveryProgress | null;
  writeFailures: number;
  disable: 'gone' | 'failing' | null;
  isClosed: boolean;
  /** False once a write was refused or its fate is unknown: what comes after builds on it. */
  mayWrite: boolean;
  whenIdle: (() => void) | null;
}
