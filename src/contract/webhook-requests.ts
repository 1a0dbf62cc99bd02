/** What is asked of webhooks, its fields in the order in which they are checked (rule E2). */

import { z } from 'zod';
import { plainText, shortText } from './fields.ts';
import { EVENT_TYPES, KEY_MODES } from './values.ts';

const URL_CHARS_MAX = 2_048;
const DESCRIPTION_CHARS_MAX = 200;
const OVERLAP_S_MAX = 7 * 86_400;
const PAGE_MAX = 100;

/** What a URL has to be beside a text depends on the place of service: the endpoint checks it. */
const url = shortText(1, URL_CHARS_MAX).meta({
  description: 'Where to: https on port 443 or 8443 of a public host.',
  examples: ['https://example.com/hooks/matchd'],
});
const events = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  .meta({
    description:
      'Types of events to be sent; none named stands for all but `move.made`, `key.alert` and `audit.anchored`.',
    examples: [['session.ended', 'session.expired']],
  });
const description = plainText(0, DESCRIPTION_CHARS_MAX).meta({
  description: 'A note of your own.',
});
const mode = z.enum(KEY_MODES);

export const webhookRequest = z
  .object({
    url,
    events: events.nullish(),
    description: description.nullish(),
    mode: mode.nullish().meta({ description: 'Whose events; by default the mode of the key.' }),
  })
  .meta({ id: 'WebhookRequest' });

export const webhookChange = z
  .object({
    url: url.nullish(),
    events: events.nullish(),
    description: description.nullish(),
    active: z.boolean().nullish().meta({
      description: 'Switched on, it is sent what happens from then on.',
    }),
  })
  .meta({ id: 'WebhookChange', description: 'What is missing stays.' });

export const webhookRotation = z
  .object({
    overlapSeconds: z.int().min(0).max(OVERLAP_S_MAX).nullish().meta({
      description: 'How long the older secret signs too.',
      default: 86_400,
    }),
  })
  .meta({ id: 'WebhookRotation' });

const limit = z.int().min(1).max(PAGE_MAX).optional().meta({
  description: 'How many at once.',
  default: 25,
});
const cursor = z.string().optional().meta({ description: '`nextCursor` of the page before.' });

export const webhookQuery = z.object({
  mode: mode.optional().meta({ description: "Webhooks of this mode; by default of the key's." }),
  limit,
  cursor,
});

export const deliveryQuery = z.object({ limit, cursor });

export const triggerRequest = z
  .object({ type: z.enum(EVENT_TYPES).meta({ description: 'Which event to write.' }) })
  .meta({ id: 'TriggerRequest' });
