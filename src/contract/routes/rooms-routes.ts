/** Watching (rule S10), as data. */

import { roomList, watchToken } from '../answers/rooms-answers.ts';
import { roomQuery } from '../requests/rooms-requests.ts';
import type { Route } from './route.ts';

export const roomRoutes = [
  {
    method: 'GET',
    path: '/v1/rooms',
    operationId: 'listRooms',
    scopes: ['read', 'sessions'],
    tag: 'Sessions',
    summary: 'List sessions that can be watched',
    auth: 'key',
    body: null,
    query: roomQuery,
    answers: { 200: { means: 'A page of rooms.', schema: roomList } },
    errors: ['invalid_field', 'invalid_choice'],
    rights: 'Newest first. A test key sees test sessions only. Private sessions are not listed.',
  },
  {
    method: 'POST',
    path: '/v1/sessions/:id/watch',
    operationId: 'watchSession',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Create a token to watch a session',
    auth: 'key',
    body: null,
    query: null,
    answers: { 201: { means: 'The token.', schema: watchToken } },
    errors: ['session_not_found', 'session_ended'],
    rights: 'A watcher sees no secret and cannot act. A test key sees test sessions only.',
  },
] as const satisfies readonly Route[];
