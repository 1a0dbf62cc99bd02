/** Webhook requests in OpenAPI's terms: one for each event type (rule E2). */

import { EVENT_TYPES } from '../values.ts';
import { EVENTS } from './asyncapi-words.ts';
import { makeEventSchema } from './event-schema.ts';
import type { Components, JsonObject } from './json-schema.ts';

const header = (name: string, type: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type },
});

/** For `components.parameters`: the headers of Standard Webhooks 1.0. */
export const WEBHOOK_PARAMETERS = {
  webhookId: header('webhook-id', 'string', 'The id of the event, the same on each attempt.'),
  webhookTimestamp: header(
    'webhook-timestamp',
    'integer',
    'The time of this attempt, in seconds since 1970.',
  ),
  webhookSignature: header(
    'webhook-signature',
    'string',
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; several are separated by a space.',
  ),
} as const;

/** For `components.responses`: responses of the tenant's endpoint. */
export const WEBHOOK_RESPONSES = {
  WebhookDelivered: { description: 'The event is delivered.' },
  WebhookGone: { description: 'The webhook is disabled.' },
  WebhookFailed: { description: 'The event is retried later.' },
} as const;

const refer = (kind: 'parameters' | 'responses', name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The path item of each event type, by its name. */
export function makeWebhooks(components: Components): JsonObject {
  const parameters = Object.keys(WEBHOOK_PARAMETERS).map((name) => refer('parameters', name));
  const responses = {
    '2XX': refer('responses', 'WebhookDelivered'),
    410: refer('responses', 'WebhookGone'),
    default: refer('responses', 'WebhookFailed'),
  };
  const makeBody = (type: (typeof EVENT_TYPES)[number]): JsonObject => ({
    required: true,
    content: {
      'application/json': { schema: makeEventSchema(type, components, 'draft-2020-12') },
    },
  });
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          summary: EVENTS[type],
          tags: ['Webhooks'],
          security: [],
          parameters,
          requestBody: makeBody(type),
          responses,
        },
      },
    ]),
  );
}
