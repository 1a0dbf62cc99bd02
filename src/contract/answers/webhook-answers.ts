/** Schemas of webhooks and their deliveries (rule E2). */

import { z } from 'zod';
import { EVENT_TYPES, KEY_MODES } from '../values.ts';

const time = z.iso.datetime({ precision: 3 });
const status = z.int().nullable().meta({ description: "The endpoint's; null without an answer." });
const failure = z.string().nullable().meta({
  description: 'An error code; null when it was delivered.',
});
const durationMs = z.int().min(0);

const fields = {
  id: z.string(),
  mode: z.enum(KEY_MODES),
  url: z.string(),
  events: z
    .array(z.enum(EVENT_TYPES))
    .meta({ description: 'Empty: all but `move.made`, `key.alert` and `audit.anchored`.' }),
  description: z.string(),
  active: z.boolean(),
  disabledReason: z.enum(['paused', 'gone', 'failing']).nullable(),
  failingSince: time.nullable().meta({
    description: 'The first failure since the last success; null without failures.',
  }),
  createdAt: time,
};

export const webhook = z.strictObject(fields).meta({ id: 'Webhook' });

const backlog = z
  .strictObject({
    events: z.int().min(0).meta({ description: 'Events waiting for delivery.' }),
    isMore: z.boolean().meta({ description: 'Whether there are more than were counted.' }),
    oldestAt: time.nullable().meta({ description: 'The time of the oldest waiting event.' }),
    nextAttemptAt: time.nullable().meta({
      description: 'The next planned retry, the time of the response if one is due; null for none.',
    }),
  })
  .meta({ id: 'WebhookBacklog' });

export const webhookDetails = z
  .strictObject({
    ...fields,
    backlog,
    previousSecretExpiresAt: time.nullable().meta({
      description: 'Until when the secret before the last rotation signs too; null for none.',
    }),
  })
  .meta({ id: 'WebhookDetails' });

const secret = z.string().meta({
  description: 'The signing secret. Shown only once; blank in repeats.',
});

export const webhookWithSecret = z
  .strictObject({ ...fields, secret })
  .meta({ id: 'WebhookWithSecret' });

export const webhookRotated = z
  .strictObject({ ...fields, secret, previousSecretExpiresAt: time })
  .meta({ id: 'WebhookRotated' });

export const webhookList = z
  .strictObject({ data: z.array(webhook), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookList' });

export const webhookDeleted = z
  .strictObject({ deleted: z.literal(true) })
  .meta({ id: 'WebhookDeleted' });

/** The result of one requested delivery. */
const outcome = { eventId: z.string(), delivered: z.boolean(), status, error: failure, durationMs };

export const webhookTested = z.strictObject(outcome).meta({ id: 'WebhookTested' });
export const deliveryResent = z.strictObject(outcome).meta({ id: 'WebhookDeliveryResent' });

const delivery = z
  .strictObject({
    eventId: z.string(),
    type: z.string().meta({ description: "The event's, or `webhook.test`." }),
    sessionId: z.string().nullable(),
    attempt: z.int().min(1),
    at: time,
    durationMs,
    status,
    error: failure,
    nextAttemptAt: time.nullable().meta({
      description: 'The time of the next retry; null afterwards, and when it is not retried.',
    }),
    outcome: z.enum(['delivered', 'retried', 'given_up']).meta({
      description: '`retried`: it failed and is, or was, retried. `given_up`: it is not retried.',
    }),
    response: z.string().nullable().meta({
      description:
        'The beginning of an unsuccessful answer: up to 1 KiB of text without secrets, stored for 7 days.',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One request to the endpoint.' });

export const deliveryList = z
  .strictObject({ data: z.array(delivery), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookDeliveryList' });

export const deliveryDetails = z
  .strictObject({
    eventId: z.string(),
    payload: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'The event as it is sent now: an erased player is not named in it any more. Null for a ' +
          '`webhook.test`, and once the log does not hold it any more.',
      }),
    attempts: z.array(delivery).meta({ description: 'The attempts of this event, newest first.' }),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

export const triggered = z
  .strictObject({ eventId: z.string(), type: z.enum(EVENT_TYPES) })
  .meta({ id: 'Triggered' });
