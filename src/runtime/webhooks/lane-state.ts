/** The dependencies and state of the lane to one endpoint. */

import type { StoredEvent } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import type { Attempt, DeliveryProgress, Webhook, WebhookStore } from '../../store/webhooks.ts';
import type { Outbox } from '../../webhooks/outbox.ts';
import type { Cancel, Clock } from '../ports.ts';
import type { DeliveryListeners } from './delivery-listeners.ts';
import type { FairShare, Sharer } from './fair-share.ts';
import type { Courier } from './sending/courier.ts';

/** Requests since the process began, by result. */
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
   * Has a failed write ended, so that it may be repeated? If it may still take effect late, it must not be
   * repeated: then the lane ends, and the next one has another epoch.
   */
  readonly mayWriteAgain: boolean;
  /** How often a tenant's deliveries are retried; null while its deliveries are suspended. */
  readonly retriesOf: (tenant: string) => Promise<number | null>;
  readonly onError: (webhook: Webhook, error: unknown) => void;
  /** The lane is obsolete: the webhook is off, gone, or was changed elsewhere. */
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
  /** Has it ever answered with success? Until then it counts as troubled. */
  isProven: boolean;
  isSlow: boolean;
  /** Requests that have been in progress for long. */
  hanging: number;
  /** Failures since the last success that say something about the endpoint: not those of events known to fail. */
  failuresInRow: number;
  /** All failures since the last success. */
  failures: number;
  /** Sessions whose deliveries were answered with `Retry-After` since the last success. */
  readonly askers: Set<string>;
  /** Successful requests; one more if the last before this process was successful. */
  successes: number;
  failingSince: number | null;
  /** Nothing is sent before this time. */
  restUntil: number;
  isReading: boolean;
  /** The next read continues in the log, even if a skipped event is to be read, too. */
  isAheadNext: boolean;
  flushing: Promise<void> | null;
  isFlushSet: boolean;
  cursor: number;
  attempts: Attempt[];
  /** Results that are not stored yet: no request or other write starts before they are. */
  unwritten: DeliveryProgress | null;
  writeFailures: number;
  disable: 'gone' | 'failing' | null;
  isClosed: boolean;
  /** False once a write was refused or its outcome is unknown: later writes depend on it. */
  mayWrite: boolean;
  whenIdle: (() => void) | null;
}
