/** The routes as data: requests, responses, errors. */

import * as answers from '../answers/answers.ts';
import type { ErrorCode } from '../errors.ts';
import * as requests from '../requests/requests.ts';
import { botRoutes } from './bots-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { gameRoutes } from './games-routes.ts';
import { hostedRoutes } from './hosted-routes.ts';
import { integrityRoutes } from './integrity-routes.ts';
import { metricRoutes } from './metrics-routes.ts';
import { ratingRoutes } from './ratings-routes.ts';
import { roomRoutes } from './rooms-routes.ts';
import type { Route } from './route.ts';
import { FIELD_ERRORS, SERVICE_ERRORS, SESSIONS_VISIBLE } from './route.ts';
import { settingsRoutes } from './settings-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export type { Method, Route } from './route.ts';

/** Errors of every route with a key. */
export const KEY_ERRORS: readonly ErrorCode[] = [
  'missing_authorization',
  'invalid_api_key',
  'origin_not_allowed',
  'rate_limited',
  'method_not_allowed',
  'unavailable',
  'internal_error',
];
/** Errors of every route that needs a scope (rule K5). */
export const SCOPE_ERRORS: readonly ErrorCode[] = ['scope_missing'];
/** Errors of every route with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = [
  'unsupported_media_type',
  'body_too_large',
  'body_too_slow',
  'body_too_deep',
  'invalid_json',
];
/** Errors of every route that accepts an `Idempotency-Key`. */
export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = [
  'invalid_field',
  'idempotency_in_progress',
  'idempotency_key_reused',
];

/** Rule H8. */
export function takesIdempotencyKey({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET';
}

const sessionRoutes = [
  {
    method: 'POST',
    path: '/v1/sessions',
    operationId: 'createSession',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Create a session',
    auth: 'key',
    body: requests.sessionRequest,
    query: null,
    answers: {
      200: {
        means: 'The session in which the players already wait.',
        schema: answers.sessionWithTokens,
      },
      201: { means: 'The session, created or found waiting.', schema: answers.sessionWithTokens },
    },
    errors: [
      ...FIELD_ERRORS,
      'players_required',
      'too_many_players',
      'invalid_match_type',
      'invalid_variant',
      'test_key_live_session',
      'no_active_bots',
      'player_in_session',
      'session_quota_exceeded',
      'open_sessions_exceeded',
      ...SERVICE_ERRORS,
    ],
    rights: 'Live sessions need a live key.',
  },
  {
    method: 'GET',
    path: '/v1/sessions',
    operationId: 'listSessions',
    scopes: ['read', 'sessions'],
    tag: 'Sessions',
    summary: 'List sessions',
    auth: 'key',
    body: null,
    query: requests.sessionQuery,
    answers: { 200: { means: 'A page of sessions.', schema: answers.sessionList } },
    errors: ['invalid_field', 'invalid_choice'],
    rights: `Newest first. ${SESSIONS_VISIBLE}`,
  },
  {
    method: 'POST',
    path: '/v1/sessions/join',
    operationId: 'joinSession',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Join a session by room code',
    auth: 'key',
    body: requests.joinRequest,
    query: null,
    answers: { 200: { means: 'The session.', schema: answers.sessionWithTokens } },
    errors: [
      ...FIELD_ERRORS,
      'room_code_invalid',
      'player_in_session',
      'room_full',
      ...SERVICE_ERRORS,
    ],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'GET',
    path: '/v1/sessions/:id',
    operationId: 'getSession',
    scopes: ['read', 'sessions'],
    tag: 'Sessions',
    summary: 'Retrieve a session',
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'The session.', schema: answers.session } },
    errors: ['session_not_found'],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'POST',
    path: '/v1/sessions/:id/end',
    operationId: 'endSession',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'End a session',
    auth: 'key',
    body: requests.endRequest,
    query: null,
    answers: {
      200: { means: 'The ended session. Its result is `aborted`.', schema: answers.session },
    },
    errors: [...FIELD_ERRORS, 'session_not_found', 'session_ended', ...SERVICE_ERRORS],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'POST',
    path: '/v1/sessions/:id/rematch',
    operationId: 'makeRematch',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Create a rematch',
    auth: 'key',
    body: null,
    query: null,
    answers: {
      200: { means: 'The existing rematch.', schema: answers.sessionWithTokens },
      201: { means: 'The created rematch.', schema: answers.sessionWithTokens },
    },
    errors: [
      'session_not_found',
      'session_not_ended',
      'no_rematch',
      'session_quota_exceeded',
      'open_sessions_exceeded',
      ...SERVICE_ERRORS,
    ],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/:id/players/:playerId',
    operationId: 'removeSessionPlayer',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Remove a player from a pending session',
    auth: 'key',
    body: null,
    query: null,
    answers: {
      200: { means: 'The session, with the seat open again.', schema: answers.session },
    },
    errors: ['session_not_found', 'player_not_seated', 'session_not_pending', ...SERVICE_ERRORS],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'POST',
    path: '/v1/sessions/:id/players/:playerId/token',
    operationId: 'makeSessionToken',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Create a token for a seated player',
    auth: 'key',
    body: null,
    query: null,
    answers: { 201: { means: 'The token.', schema: answers.playerToken } },
    errors: ['session_not_found', 'player_not_seated'],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'GET',
    path: '/v1/sessions/:id/replay',
    operationId: 'getReplay',
    scopes: ['read', 'sessions'],
    tag: 'Sessions',
    summary: 'Download the replay',
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'The replay, in any status.', schema: answers.replay } },
    errors: ['session_not_found', 'session_not_ended'],
    rights: SESSIONS_VISIBLE,
  },
  {
    method: 'POST',
    path: '/v1/sessions/:id/verify',
    operationId: 'verifySession',
    scopes: ['sessions'],
    tag: 'Sessions',
    summary: 'Verify the match',
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'The outcome of the verification.', schema: answers.replayCheck } },
    errors: ['session_not_found', 'session_not_ended'],
    rights: SESSIONS_VISIBLE,
  },
  //
] as const satisfies readonly Route[];

const playerRoutes = [
  {
    method: 'POST',
    path: '/v1/players/:playerId/token',
    operationId: 'makeLobbyToken',
    scopes: ['players', 'matchmaking'],
    tag: 'Players',
    summary: "Create a token for a player's lobby",
    auth: 'key',
    body: requests.lobbyRequest,
    query: null,
    answers: { 201: { means: 'The token.', schema: answers.lobbyToken } },
    errors: [...FIELD_ERRORS],
    rights: null,
  },
  {
    method: 'DELETE',
    path: '/v1/players/:playerId',
    operationId: 'erasePlayer',
    scopes: ['players'],
    tag: 'Players',
    summary: 'Erase a player',
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'Erased.', schema: answers.playerErased } },
    errors: ['player_not_found'],
    rights:
      "Removes the player's id and name; results remain. A test key erases only the player of test mode.",
  },
  {
    method: 'GET',
    path: '/v1/players/:playerId/export',
    operationId: 'exportPlayer',
    scopes: ['read', 'players'],
    tag: 'Players',
    summary: "Export a player's data",
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'The player and the sessions.', schema: answers.playerExport } },
    errors: ['player_not_found'],
    rights: 'A test key gets test sessions only.',
  },
] as const satisfies readonly Route[];

const otherRoutes = [
  {
    method: 'GET',
    path: '/v1/whoami',
    operationId: 'whoami',
    scopes: 'any',
    tag: 'Keys',
    summary: 'Retrieve the current key',
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'The tenant, key, plan and limits.', schema: answers.whoami } },
    errors: [],
    rights: null,
  },
  {
    method: 'GET',
    path: '/healthz',
    operationId: 'health',
    scopes: 'any',
    tag: 'Service',
    summary: 'Check liveness',
    auth: 'none',
    body: null,
    query: null,
    answers: { 200: { means: 'The process is alive.', schema: answers.health } },
    errors: [],
    rights: null,
  },
  {
    method: 'GET',
    path: '/readyz',
    operationId: 'ready',
    scopes: 'any',
    tag: 'Service',
    summary: 'Check readiness',
    auth: 'none',
    body: null,
    query: null,
    answers: { 200: { means: 'The process accepts requests.', schema: answers.ready } },
    errors: ['not_ready'],
    rights: null,
  },
  {
    method: 'GET',
    path: '/version',
    operationId: 'version',
    scopes: 'any',
    tag: 'Service',
    summary: 'Retrieve the version',
    auth: 'none',
    body: null,
    query: null,
    answers: { 200: { means: 'The version.', schema: answers.version } },
    errors: [],
    rights: null,
  },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    operationId: 'listPublicKeys',
    scopes: 'any',
    tag: 'Service',
    summary: 'List the public keys that verify replay signatures',
    auth: 'none',
    body: null,
    query: null,
    answers: { 200: { means: 'The keys.', schema: answers.publicKeys } },
    errors: [],
    rights: null,
  },
] as const satisfies readonly Route[];

export const ROUTES = [
  ...gameRoutes,
  ...sessionRoutes,
  ...roomRoutes,
  ...botRoutes,
  ...hostedRoutes,
  ...playerRoutes,
  ...ratingRoutes,
  ...integrityRoutes,
  ...settingsRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...metricRoutes,
  ...otherRoutes,
];

export type OperationId = (typeof ROUTES)[number]['operationId'];
export type KeyOperationId = Exclude<
  OperationId,
  'health' | 'ready' | 'version' | 'listPublicKeys'
>;
