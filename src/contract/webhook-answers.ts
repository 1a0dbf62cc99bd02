/** Webhooks and their deliveries as answers show them (rule E2). */

import { z } from 'zod';
import { EVENT_TYPES, KEY_MODES } from './values.ts';

const time = z.iso.datetime({ precision: 3 });
const status = z.int().nullable().meta({ description: "The endpoint's; null without an answer." });
const failure = z.string().nullable().meta({
  description: 'One word for what went wrong; null when it was delivered.',
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
    description: 'The first failure since the last success; null while all goes well.',
  }),
  createdAt: time,
};

export const webhook = z.strictObject(fields).meta({ id: 'Webhook' });

const secret = z.string().meta({
  description: 'Signs what is sent. Shown this once; blank in repeats.',
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

export const webhookTested = z
  .strictObject({
    eventId: z.string(),
    delivered: z.boolean(),
    status,
    error: failure,
    durationMs,
  })
  .meta({ id: 'WebhookTested' });

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
    nextAttemptAt: time.nullable().meta({ description: 'Null when it is not tried again.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One request to the endpoint.' });

export const deliveryList = z
  .strictObject({ data: z.array(delivery), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookDeliveryList' });

export const triggered = z
  .strictObject({ eventId: z.string(), type: z.enum(EVENT_TYPES) })
  .meta({ id: 'Triggered' });
