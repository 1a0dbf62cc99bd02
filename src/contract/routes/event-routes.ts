/** The event log (rule E2): in pages and as a stream. */

import * as answers from '../answers/event-answers.ts';
import * as requests from '../requests/event-requests.ts';
import type { Route } from './route.ts';

const WORLD = 'Oldest first. A test key sees events of test mode only.';

export const eventRoutes = [
  {
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    scopes: ['read', 'admin'],
    tag: 'Events',
    summary: 'List events',
    auth: 'key',
    body: null,
    query: requests.eventQuery,
    answers: { 200: { means: 'A page of events, the oldest first.', schema: answers.eventList } },
    errors: ['invalid_field', 'invalid_choice'],
    rights: WORLD,
  },
  {
    method: 'GET',
    path: '/v1/events/stream',
    operationId: 'streamEvents',
    scopes: ['read', 'admin'],
    tag: 'Events',
    summary: 'Stream events',
    auth: 'key',
    body: null,
    query: requests.eventStreamQuery,
    answers: {
      200: {
        means: 'The stream of events.',
        schema: answers.eventStream,
        contentType: 'text/event-stream',
      },
    },
    errors: ['invalid_field', 'invalid_choice', 'event_streams_exceeded'],
    rights: WORLD,
  },
] as const satisfies readonly Route[];
