/** Webhooks (rules E2 and E3), and test events, as data. */

import * as answers from '../answers/webhook-answers.ts';
import * as requests from '../requests/webhook-requests.ts';
import type { Route } from './route.ts';
import { FIELD_ERRORS } from './route.ts';

const VISIBLE = 'A test key sees webhooks of test mode only.';

const webhook = (method: Route['method'], path = '') =>
  ({ method, path: `/v1/webhooks${path}`, tag: 'Webhooks', auth: 'key', rights: VISIBLE }) as const;

export const webhookRoutes = [
  {
    ...webhook('POST'),
    operationId: 'createWebhook',
    scopes: ['admin'],
    summary: 'Create a webhook',
    body: requests.webhookRequest,
    query: null,
    answers: {
      201: { means: 'The webhook and its secret.', schema: answers.webhookWithSecret },
    },
    errors: [...FIELD_ERRORS, 'test_key_live_webhook', 'webhooks_exceeded'],
    rights: 'Webhooks for live events need a live key.',
  },
  {
    ...webhook('GET'),
    operationId: 'listWebhooks',
    scopes: ['read', 'admin'],
    summary: 'List webhooks',
    body: null,
    query: requests.webhookQuery,
    answers: { 200: { means: 'A page of webhooks.', schema: answers.webhookList } },
    errors: ['invalid_field', 'invalid_choice'],
    rights: `Newest first. ${VISIBLE}`,
  },
  {
    ...webhook('GET', '/:webhookId'),
    operationId: 'getWebhook',
    scopes: ['read', 'admin'],
    summary: 'Retrieve a webhook',
    body: null,
    query: null,
    answers: { 200: { means: 'The webhook and its backlog.', schema: answers.webhookDetails } },
    errors: ['webhook_not_found'],
  },
  {
    ...webhook('PATCH', '/:webhookId'),
    operationId: 'updateWebhook',
    scopes: ['admin'],
    summary: 'Update a webhook',
    body: requests.webhookChange,
    query: null,
    answers: { 200: { means: 'The updated webhook.', schema: answers.webhook } },
    errors: [...FIELD_ERRORS, 'webhook_not_found'],
  },
  {
    ...webhook('DELETE', '/:webhookId'),
    operationId: 'deleteWebhook',
    scopes: ['admin'],
    summary: 'Delete a webhook',
    body: null,
    query: null,
    answers: { 200: { means: 'Removed.', schema: answers.webhookDeleted } },
    errors: ['webhook_not_found'],
  },
  {
    ...webhook('POST', '/:webhookId/rotate'),
    operationId: 'rotateWebhook',
    scopes: ['admin'],
    summary: "Rotate a webhook's signing secret",
    body: requests.webhookRotation,
    query: null,
    answers: { 200: { means: 'The webhook and its secret.', schema: answers.webhookRotated } },
    errors: [...FIELD_ERRORS, 'webhook_not_found'],
  },
  {
    ...webhook('POST', '/:webhookId/test'),
    operationId: 'testWebhook',
    scopes: ['admin'],
    summary: 'Send a test event to a webhook',
    body: null,
    query: null,
    answers: { 200: { means: 'The outcome of the delivery.', schema: answers.webhookTested } },
    errors: ['webhook_not_found', 'unavailable'],
  },
  {
    ...webhook('GET', '/:webhookId/deliveries'),
    operationId: 'listDeliveries',
    scopes: ['read', 'admin'],
    summary: 'List recent deliveries',
    body: null,
    query: requests.deliveryQuery,
    answers: { 200: { means: 'A page of requests.', schema: answers.deliveryList } },
    errors: ['invalid_field', 'webhook_not_found'],
    rights: `Newest first. ${VISIBLE}`,
  },
  {
    ...webhook('GET', '/:webhookId/deliveries/:eventId'),
    operationId: 'getDelivery',
    scopes: ['read', 'admin'],
    summary: 'Retrieve a delivery: its payload and every attempt',
    body: null,
    query: null,
    answers: { 200: { means: 'The event and its attempts.', schema: answers.deliveryDetails } },
    errors: ['webhook_not_found', 'delivery_not_found', 'unavailable'],
  },
  {
    ...webhook('POST', '/:webhookId/deliveries/:eventId/resend'),
    operationId: 'resendDelivery',
    scopes: ['admin'],
    summary: 'Send an event to a webhook once more',
    body: null,
    query: null,
    answers: { 200: { means: 'The outcome of the delivery.', schema: answers.deliveryResent } },
    errors: ['webhook_not_found', 'event_not_found', 'unavailable'],
  },
  {
    method: 'POST',
    path: '/v1/events/trigger',
    operationId: 'triggerEvent',
    scopes: ['admin'],
    tag: 'Events',
    summary: 'Trigger a test event',
    auth: 'key',
    body: requests.triggerRequest,
    query: null,
    answers: {
      201: { means: 'The event. Its data has `triggered: true`.', schema: answers.triggered },
    },
    errors: [...FIELD_ERRORS, 'test_key_required'],
    rights: 'Needs a test key.',
  },
] as const satisfies readonly Route[];
