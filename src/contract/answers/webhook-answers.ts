/** Schemas of webhooks and their deliveries (rule E2). */

import { z } from 'zod';
import { EVENT_TYPES, KEY_MODES } from '../values.ts';

const time = z.iso.datetime({ precision: 3 });
const status = z
  .int()
  .nullable()
  .meta({ description: "The status of the endpoint's response; null without a response." });
const failure = z.string().nullable().meta({
  description: 'An error code; null if delivered.',
});
const durationMs = z.int().min(0);

const fields = {
  id: z.string(),
  mode: z.enum(KEY_MODES),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)).meta({
    description:
      'Subscribed event types. Empty: all except `move.made`, `key.alert` and `audit.anchored`.',
  }),
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
    isMore: z.boolean().meta({ description: 'Whether there are more events than counted.' }),
    oldestAt: time.nullable().meta({ description: 'The time of the oldest waiting event.' }),
    nextAttemptAt: time.nullable().meta({
      description: 'The time of the next planned retry; null for none.',
    }),
  })
  .meta({ id: 'WebhookBacklog' });

export const webhookDetails = z
  .strictObject({
    ...fields,
    backlog,
    previousSecretExpiresAt: time.nullable().meta({
      description: 'Until when the previous secret also signs; null without an overlap.',
    }),
  })
  .meta({ id: 'WebhookDetails' });

const secret = z.string().meta({
  description: 'The signing secret. Shown only once; blank in stored responses.',
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
    type: z.string().meta({ description: "The event's type, or `webhook.test`." }),
    sessionId: z.string().nullable(),
    attempt: z.int().min(1),
    at: time,
    durationMs,
    status,
    error: failure,
    nextAttemptAt: time.nullable().meta({
      description: 'The time of the next retry; null when it has passed, or without a retry.',
    }),
    outcome: z.enum(['delivered', 'retried', 'given_up']).meta({
      description: '`retried`: failed, with a retry. `given_up`: failed, without another retry.',
    }),
    response: z.string().nullable().meta({
      description:
        'The start of an unsuccessful response: up to 1 KiB of text without secrets, stored for 7 days.',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One delivery attempt.' });

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
          'The event as it is sent now, without erased players. Null for a `webhook.test`, and after ' +
          'the event was deleted.',
      }),
    attempts: z.array(delivery).meta({ description: 'All delivery attempts, newest first.' }),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

export const triggered = z
  .strictObject({ eventId: z.string(), type: z.enum(EVENT_TYPES) })
  .meta({ id: 'Triggered' });
