/** The port to webhooks: endpoints, pending deliveries and past attempts. */

import type { EventType, NewEvent } from '../events/event.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { Progress } from '../webhooks/outbox-progress.ts';
import type { Outstanding } from '../webhooks/parcel.ts';
import type { WebhookSecret } from '../webhooks/signature.ts';
import type { AuditRow, IdempotencyRow } from './store.ts';

/** Why nothing is sent: the tenant paused it, the endpoint answered 410, or it failed for days. */
export type DisabledReason = 'paused' | 'gone' | 'failing';

export interface Webhook {
  readonly id: string;
  readonly tenant: string;
  /** The mode of the events it is sent. Training has none. */
  readonly mode: KeyMode;
  readonly url: string;
  readonly description: string;
  /** The selected event types; empty for all except those that must be named (`isWanted`). */
  readonly types: readonly EventType[];
  /** Newest first, at most two. */
  readonly secrets: readonly WebhookSecret[];
  /** Null while it is active. */
  readonly disabled: DisabledReason | null;
  /** When the first failure since the last success was; null while deliveries succeed. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  /** The position in the event log up to which everything is delivered or outstanding. */
  readonly cursor: number;
  /**
   * Rises when it is enabled or disabled, its address changes, or another node takes it over:
   * deliveries begun before do not count.
   */
  readonly epoch: number;
}

/** What every write by a tenant needs. */
export interface WebhookWrite {
  readonly audit: AuditRow;
  /** The response to store; null when the request has no key. */
  readonly idempotency: IdempotencyRow | null;
}

export interface NewWebhook extends WebhookWrite {
  readonly webhook: Omit<Webhook, 'disabled' | 'failingSince' | 'cursor' | 'epoch'>;
  /** The plan's cap, for both modes together. */
  readonly webhooksMax: number;
}

/** Absent fields are unchanged. */
export interface WebhookChange extends WebhookWrite {
  readonly id: string;
  readonly tenant: string;
  /** A new address starts fresh: without failures, and outstanding events are due with all their retries. */
  readonly url?: string;
  readonly description?: string;
  readonly types?: readonly EventType[];
  readonly secrets?: readonly WebhookSecret[];
  /** The secrets as they were read: if they have changed since, nothing is written. */
  readonly replaces?: readonly WebhookSecret[];
  /** True: events from now on are sent. False: outstanding events are dropped. */
  readonly active?: boolean;
}

/** One request to an endpoint, as shown to the tenant. */
export interface Attempt {
  readonly event: string;
  /** An event's type, or `webhook.test`. */
  readonly type: string;
  readonly session: string | null;
  /** 1 for the first. */
  readonly attempt: number;
  /** When it began, ms since 1970. */
  readonly at: number;
  readonly durationMs: number;
  /** The response's status; null when there was no response. */
  readonly status: number | null;
  /** Why there was no response, or why it did not count, as one word; null for a success. */
  readonly error: string | null;
  /** When it is retried; null when it is not. */
  readonly nextAt: number | null;
  /** The beginning of an unsuccessful response, without secrets; absent or null for none. */
  readonly response?: string | null;
}

export interface StoredAttempt extends Attempt {
  /** Rises with every stored attempt. */
  readonly n: number;
}

/** The results of deliveries to one webhook. */
export interface DeliveryProgress extends Progress {
  readonly webhook: string;
  readonly epoch: number;
  readonly attempts: readonly Attempt[];
  readonly failingSince: number | null;
  /** Set when nothing more is to be sent to the endpoint. */
  readonly disable: Exclude<DisabledReason, 'paused'> | null;
}

export interface WebhookFilter {
  readonly tenant: string;
  readonly mode: KeyMode;
  /** Only webhooks older than this id. */
  readonly before: string | null;
  readonly limit: number;
}

export interface WebhookStore {
  createWebhook(webhook: NewWebhook): Promise<'created' | 'full'>;
  /** False when the tenant has no such webhook, or its secrets have changed meanwhile. */
  updateWebhook(change: WebhookChange): Promise<boolean>;
  removeWebhook(tenant: string, id: string, write: WebhookWrite): Promise<boolean>;
  findWebhook(tenant: string, id: string): Promise<Webhook | null>;
  /** Newest first. */
  listWebhooks(filter: WebhookFilter): Promise<readonly Webhook[]>;
  /** Active webhooks of all tenants, ordered by id, after `after`. */
  listActiveWebhooks(after: string, limit: number): Promise<readonly Webhook[]>;
  /** In log order. */
  listOutstanding(webhook: string): Promise<readonly Outstanding[]>;
  /** All or nothing. False when the webhook is gone or its epoch has changed: then nothing is stored. */
  recordProgress(progress: DeliveryProgress): Promise<boolean>;
  /** An attempt that is about no event of the log. Not stored if the webhook is gone. */
  recordAttempt(webhook: string, attempt: Attempt): Promise<void>;
  /** Newest first, before `before`. */
  listAttempts(
    webhook: string,
    before: number | null,
    limit: number,
  ): Promise<readonly StoredAttempt[]>;
  /** The attempts of one event, newest first. */
  listAttemptsOf(webhook: string, event: string): Promise<readonly StoredAttempt[]>;
  /** Removes the stored response texts of attempts before `before`. Returns how many rows. */
  forgetResponses(before: number, limit: number): Promise<number>;
  /** Writes a test event that the tenant triggers. */
  triggerEvent(event: NewEvent, write: WebhookWrite): Promise<void>;
}
