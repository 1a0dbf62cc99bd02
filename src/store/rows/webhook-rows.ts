/** Converts rows of webhooks. */

import type { EventType } from '../../events/event.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Outstanding, StandsFor } from '../../webhooks/parcel.ts';
import type { WebhookSecret } from '../../webhooks/signature.ts';
import type { DisabledReason, StoredAttempt, Webhook } from '../webhooks.ts';
import { numberOrNull, type Row, textOrNull } from './row.ts';

export function toWebhook(row: Row): Webhook {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    url: String(row['url']),
    description: String(row['description']),
    types: JSON.parse(String(row['types'])) as EventType[],
    secrets: JSON.parse(String(row['secrets'])) as WebhookSecret[],
    disabled: textOrNull(row['disabled']) as DisabledReason | null,
    failingSince: numberOrNull(row['failing_since']),
    createdAt: Number(row['created_at']),
    cursor: Number(row['cursor']),
    epoch: Number(row['epoch']),
  };
}

/** Indexed by the number in `and_rest`. */
const STANDS_FOR: readonly StandsFor[] = ['event', 'event_and_rest', 'rest'];

/** The number stored in `and_rest`. */
export function restNumber(standsFor: StandsFor): number {
  return STANDS_FOR.indexOf(standsFor);
}

export function toOutstanding(row: Row): Outstanding {
  return {
    seq: Number(row['seq']),
    id: String(row['event']),
    session: textOrNull(row['session']),
    standsFor: STANDS_FOR[Number(row['and_rest'])]!,
    attempt: Number(row['attempt']),
    nextAt: Number(row['next_at']),
    notBefore: Number(row['not_before']),
  };
}

export function toAttempt(row: Row): StoredAttempt {
  return {
    n: Number(row['n']),
    event: String(row['event']),
    type: String(row['type']),
    session: textOrNull(row['session']),
    attempt: Number(row['attempt']),
    at: Number(row['at']),
    durationMs: Number(row['duration_ms']),
    status: numberOrNull(row['status']),
    error: textOrNull(row['error']),
    nextAt: numberOrNull(row['next_at']),
    response: textOrNull(row['response']),
  };
}
