/** The port to webhooks: who is told of events, what is still to be delivered, what was tried. */

import type { EventType, NewEvent } from '../events/event.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { Progress } from '../webhooks/outbox.ts';
import type { Outstanding } from '../webhooks/parcel.ts';
import type { WebhookSecret } from '../webhooks/signature.ts';
import type { AuditRow, IdempotencyRow } from './store.ts';

/** Why nothing is sent: the tenant said so, the endpoint answered 410, or only failed for days. */
export type DisabledReason = 'paused' | 'gone' | 'failing';

export interface Webhook {
  readonly id: string;
  readonly tenant: string;
  /** Whose events it is sent: training has none. */
  readonly mode: KeyMode;
  readonly url: string;
  readonly description: string;
  /** Names asked for; empty stands for all but those that only a name asks for (`isWanted`). */
  readonly types: readonly EventType[];
  /** Newest first, at most two. */
  readonly secrets: readonly WebhookSecret[];
  /** Null while it is active. */
  readonly disabled: DisabledReason | null;
  /** Time of the first failure since the last success; null while all goes well. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  /** The place in the log of events up to which nothing has to be looked for. */
  readonly cursor: number;
  /**
   * Rises when it is switched on or off, has another address, or another node serves it: what was
   * begun before is void.
   */
  readonly epoch: number;
}

/** What every write by a tenant brings along. */
export interface WebhookWrite {
  readonly audit: AuditRow;
  /** The answer to keep; null when the request has no key. */
  readonly idempotency: IdempotencyRow | null;
}

export interface NewWebhook extends WebhookWrite {
  readonly webhook: Omit<Webhook, 'disabled' | 'failingSince' | 'cursor' | 'epoch'>;
  /** The plan's cap, of both modes together. */
  readonly webhooksMax: number;
}

/** Absent fields stay. */
export interface WebhookChange extends WebhookWrite {
  readonly id: string;
  readonly tenant: string;
  /** Another one begins afresh: it has never failed, and what is outstanding is due, with all its tries. */
  readonly url?: string;
  readonly description?: string;
  readonly types?: readonly EventType[];
  readonly secrets?: readonly WebhookSecret[];
  /** The secrets that were read: if others are kept by now, nothing is changed. */
  readonly replaces?: readonly WebhookSecret[];
  /** On: it is sent what happens from now on. Off: what was outstanding is dropped. */
  readonly active?: boolean;
}

/** One request to an endpoint, as the tenant can look it up. */
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
  /** The answer's status; null when there was none. */
  readonly status: number | null;
  /** Why there was no answer, or why it did not count, as one word; null for a success. */
  readonly error: string | null;
  /** When it is retried; null when it is not. */
  readonly nextAt: number | null;
  /** How an answer that was no success began, without secrets; absent or null for none. */
  readonly response?: string | null;
}

export interface StoredAttempt extends Attempt {
  /** Rises with every attempt that is kept. */
  readonly n: number;
}

/** What came of sending, for one webhook. */
export interface DeliveryProgress extends Progress {
  readonly webhook: string;
  readonly epoch: number;
  readonly attempts: readonly Attempt[];
  readonly failingSince: number | null;
  /** Set when the endpoint is to be sent nothing any more. */
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
  /** False when the tenant has no such webhook, or not with the secrets that were to be replaced. */
  updateWebhook(change: WebhookChange): Promise<boolean>;
  removeWebhook(tenant: string, id: string, write: WebhookWrite): Promise<boolean>;
  findWebhook(tenant: string, id: string): Promise<Webhook | null>;
  /** Newest first. */
  listWebhooks(filter: WebhookFilter): Promise<readonly Webhook[]>;
  /** Active webhooks of all tenants, by id, after `after`. */
  listActiveWebhooks(after: string, limit: number): Promise<readonly Webhook[]>;
  /** In the order of the log. */
  listOutstanding(webhook: string): Promise<readonly Outstanding[]>;
  /**
   * All of it or nothing. False when the webhook is gone, or has another epoch since: nothing is
   * kept then.
   */
  recordProgress(progress: DeliveryProgress): Promise<boolean>;
  /** An attempt that belongs to no event of the log; of a webhook that is gone it is not kept. */
  recordAttempt(webhook: string, attempt: Attempt): Promise<void>;
  /** Newest first; those before `before`. */
  listAttempts(
    webhook: string,
    before: number | null,
    limit: number,
  ): Promise<readonly StoredAttempt[]>;
  /** Newest first: the attempts of one event. */
  listAttemptsOf(webhook: string, event: string): Promise<readonly StoredAttempt[]>;
  /** Removes what answers said in attempts from before `before`. Answers how many rows. */
  forgetResponses(before: number, limit: number): Promise<number>;
  /** Writes an event that nothing but the tenant's wish is behind. */
  triggerEvent(event: NewEvent, write: WebhookWrite): Promise<void>;
}
