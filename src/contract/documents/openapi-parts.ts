/** The parts of the API description that are not routes. */

import type { ErrorCode } from '../errors.ts';
import { ERRORS } from '../errors.ts';
import type { Route } from '../routes/routes.ts';
import {
  BODY_ERRORS,
  IDEMPOTENCY_ERRORS,
  KEY_ERRORS,
  SCOPE_ERRORS,
  takesIdempotencyKey,
} from '../routes/routes.ts';

export const INFO = {
  title: 'matchd',
  summary: 'Multiplayer matches for tenants: the server decides every move.',
  description: [
    'A tenant creates sessions over HTTPS; its players connect by WebSocket.',
    'Every error body is `{ "error": "<message>" }`; `X-Error-Code` names it for programs.',
    'With `Accept: application/problem+json` errors follow RFC 9457.',
  ].join(' '),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const SERVERS = [{ url: '/', description: 'The server that served this document.' }];

export const TAGS: readonly { readonly name: Route['tag']; readonly description: string }[] = [
  { name: 'Games', description: "Available games: shipped games and the operator's own." },
  { name: 'Sessions', description: 'Matches, from creation to replay.' },
  {
    name: 'Matchmaking',
    description: 'Hosted matchmaking: your backend collects players and starts the match.',
  },
  { name: 'Bots', description: 'Players controlled by the service or by a program of the tenant.' },
  { name: 'Players', description: "The tenant's players: lobby tokens, ratings and data." },
  { name: 'Integrity', description: "Integrity checks of players' devices." },
  { name: 'Events', description: 'Events, as pages and as a stream.' },
  {
    name: 'Webhooks',
    description:
      "Events sent to the tenant's endpoints at least once, with the same `webhook-id` on each attempt.",
  },
  { name: 'Metrics', description: "The tenant's metrics over time, and anomalies." },
  { name: 'Keys', description: "The key's identity and permissions." },
  { name: 'Settings', description: "The tenant's settings for a mode." },
  { name: 'Service', description: 'Health and version of the process.' },
];

export const API_KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description:
    '`Authorization: Bearer mk_live_…` or `mk_test_…`. The key decides the mode. A restricted key (`mrk_live_…`, `mrk_test_…`) needs one of the scopes in `x-scopes` of the operation. An operation without `x-scopes` is open to every key.',
} as const;

interface HeaderSpec {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly minimum?: number };
}

/** Headers of responses, by name. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request. Quote it to support.',
    schema: { type: 'string' },
  },
  'X-Error-Code': {
    description: 'The stable error code, in snake_case.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, in seconds since 1970.',
    schema: { type: 'integer' },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: {
    description: 'The methods of the path.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` on a stored response.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, HeaderSpec>;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of up to 255 characters. A repeat with the same key within 24 h has no second effect and gets the stored response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

/** All errors of a route, by status, in the order of the error table. */
export function errorsByStatus(route: Route): Map<number, ErrorCode[]> {
  const own: readonly ErrorCode[] = [
    ...route.errors,
    ...(route.auth === 'none' ? [] : KEY_ERRORS),
    ...(route.scopes === 'any' ? [] : SCOPE_ERRORS),
    ...(route.method === 'GET' ? [] : BODY_ERRORS),
    ...(takesIdempotencyKey(route) ? IDEMPOTENCY_ERRORS : []),
    ...(route.path.includes(':playerId') ? (['invalid_field'] as const) : []),
  ];
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => own.includes(code));
  return Map.groupBy(codes, (code) => ERRORS[code].status);
}

/** The headers of a route's responses with a status. */
export function headersOf(route: Route, status: number): ResponseHeader[] {
  // Responses before authentication have no limits.
  const isLimited = route.auth !== 'none' && status !== 401;
  return [
    'X-Request-Id',
    ...(status >= 400 ? (['X-Error-Code'] as const) : []),
    ...(isLimited
      ? (['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const)
      : []),
    ...(status === 405 ? (['Allow'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(takesIdempotencyKey(route) && isReplayed(status) ? (['Idempotent-Replayed'] as const) : []),
  ];
}

function isReplayed(status: number): boolean {
  return status < 300 || status === 403 || status === 404 || status === 409;
}
