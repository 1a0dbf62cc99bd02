/** Schemas of requests about webhooks, with fields in the order of their checks (rule E2). */

import { z } from 'zod';
import { plainText, shortText } from '../fields.ts';
import { EVENT_TYPES, KEY_MODES } from '../values.ts';

const URL_CHARS_MAX = 2_048;
const DESCRIPTION_CHARS_MAX = 200;
const OVERLAP_S_MAX = 7 * 86_400;
const PAGE_MAX = 100;

/** Which URLs are allowed depends on the deployment: the endpoint checks it. */
const url = shortText(1, URL_CHARS_MAX).meta({
  description: "The endpoint's URL: https on port 443 or 8443 of a public host.",
  examples: ['https://example.com/hooks/matchd'],
});
const events = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  .meta({
    description:
      'Event types to send. Empty: all except `move.made`, `key.alert` and `audit.anchored`.',
    examples: [['session.ended', 'session.expired']],
  });
const description = plainText(0, DESCRIPTION_CHARS_MAX).meta({
  description: 'Your note.',
});
const mode = z.enum(KEY_MODES);

export const webhookRequest = z
  .object({
    url,
    events: events.nullish(),
    description: description.nullish(),
    mode: mode
      .nullish()
      .meta({ description: "The mode of its events. Defaults to the key's mode." }),
  })
  .meta({ id: 'WebhookRequest' });

export const webhookChange = z
  .object({
    url: url.nullish(),
    events: events.nullish(),
    description: description.nullish(),
    active: z.boolean().nullish().meta({
      description: 'An enabled webhook receives events from that moment on.',
    }),
  })
  .meta({ id: 'WebhookChange', description: 'Missing fields stay unchanged.' });

export const webhookRotation = z
  .object({
    overlapSeconds: z.int().min(0).max(OVERLAP_S_MAX).nullish().meta({
      description: 'How long the previous secret also signs.',
      default: 86_400,
    }),
  })
  .meta({ id: 'WebhookRotation' });

const limit = z.int().min(1).max(PAGE_MAX).optional().meta({
  description: 'The maximum number of items on a page.',
  default: 25,
});
const cursor = z.string().optional().meta({ description: '`nextCursor` of the previous page.' });

export const webhookQuery = z.object({
  mode: mode
    .optional()
    .meta({ description: "Only webhooks of this mode. Defaults to the key's mode." }),
  limit,
  cursor,
});

export const deliveryQuery = z.object({ limit, cursor });

export const triggerRequest = z
  .object({ type: z.enum(EVENT_TYPES).meta({ description: 'The type of the event.' }) })
  .meta({ id: 'TriggerRequest' });
