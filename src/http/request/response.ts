/** The one place that turns replies and problems into responses (rules H2, H6, H7). */

import type { Problem } from '../../contract/errors.ts';
import type { WindowTake } from '../../tenancy/limiter.ts';
import type { Exchange, Reply, TextStream } from './exchange.ts';
import { mintInto } from './mint.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
/** Headers that browsers let pages read in addition to the default ones. */
const EXPOSED =
  'X-Request-Id, X-Error-Code, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ' +
  'Retry-After, Idempotent-Replayed, Allow';
/** How long a browser may cache a preflight, in seconds. */
const PREFLIGHT_LIFE_S = '7200';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key';
/** Named with a weight other than zero. */
const ASKS_FOR_PROBLEM = /application\/problem\+json(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** On streams only. */
const STREAM_MARK = 'x-accel-buffering';

type HeaderTable = Record<string, string>;
type MoreHeaders = Readonly<HeaderTable> | null;

export function respond(exchange: Exchange, outcome: Reply | Problem): Response {
  if ('problem' in outcome) return respondProblem(exchange, outcome);
  if (outcome.stream !== null) return respondStream(exchange, outcome.stream);
  return respondJson(exchange, outcome.status, bodyText(exchange, outcome), outcome.headers);
}

function respondStream(exchange: Exchange, { contentType, chunks, ended }: TextStream): Response {
  if (ended !== null) exchange.bodies.note(ended);
  const headers = makeHeaders(exchange, contentType);
  // Buffering proxies would hold back what must be sent at once.
  headers[STREAM_MARK] = 'no';
  return new Response(chunks, { status: 200, headers });
}

function bodyText({ deps, caller }: Exchange, { body, mint }: Reply): string {
  if (mint === null || caller === null) return JSON.stringify(body);
  return JSON.stringify(mintInto(deps, caller, body, mint));
}

export function respondJson(
  exchange: Exchange,
  status: number,
  text: string,
  more: MoreHeaders = null,
): Response {
  const headers = makeHeaders(exchange, JSON_TYPE);
  if (more !== null) Object.assign(headers, more);
  return new Response(text, { status, headers });
}

function respondProblem(exchange: Exchange, problem: Problem): Response {
  const { status, message } = problem;
  const accept = exchange.request.headers.get('accept');
  const isAsked = accept !== null && ASKS_FOR_PROBLEM.test(accept);
  const headers = makeHeaders(exchange, isAsked ? PROBLEM_TYPE : JSON_TYPE);
  headers['x-error-code'] = problem.problem;
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  Object.assign(headers, problem.headers);
  const body = isAsked ? makeProblemBody(exchange, problem) : { error: message };
  return new Response(JSON.stringify(body), { status, headers });
}

/** RFC 9457. The type is a name, not an address: nothing is served there. */
function makeProblemBody({ id }: Exchange, problem: Problem): object {
  const { problem: code, status, message } = problem;
  const words = code.replaceAll('_', ' ');
  return {
    type: `urn:matchd:error:${code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status,
    detail: message,
    code,
    requestId: id,
    error: message,
  };
}

/** Headers of every response. Names are in lower case, so that none is repeated. */
function makeHeaders(exchange: Exchange, contentType: string): HeaderTable {
  const headers: HeaderTable = {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': exchange.id,
    vary: 'Origin',
  };
  const { origin, window } = exchange;
  if (origin !== null) {
    headers['access-control-allow-origin'] = origin;
    headers['access-control-expose-headers'] = EXPOSED;
  }
  if (window !== null) putWindow(headers, window);
  return headers;
}

/** Rule H6. The reset is a time in seconds since 1970. */
function putWindow(headers: HeaderTable, { limit, remaining, resetAt }: WindowTake): void {
  headers['x-ratelimit-limit'] = String(limit);
  headers['x-ratelimit-remaining'] = String(remaining);
  headers['x-ratelimit-reset'] = String(Math.ceil(resetAt / 1_000));
}

export function makeWindowHeaders(window: WindowTake): HeaderTable {
  const headers: HeaderTable = {};
  putWindow(headers, window);
  return headers;
}

/** The response to HEAD: GET's headers about the body, and no body (rule H3). */
export async function leaveOutBody(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  if (headers.has(STREAM_MARK)) {
    // Without a reader it would stay open.
    await response.body?.cancel();
    // As GET's; without a length some servers send 0.
    headers.set('transfer-encoding', 'chunked');
  } else if (response.body !== null && !headers.has('content-length')) {
    headers.set('content-length', String((await response.arrayBuffer()).byteLength));
  }
  return new Response(null, { status: response.status, headers });
}

/** Adds the headers of every response to a page. */
export function sealPage({ id }: Exchange, page: Response): Response {
  try {
    page.headers.set('x-request-id', id);
    return page;
  } catch {
    // The headers of redirects and of fetched pages are not mutable everywhere.
    const copy = new Response(page.body, page);
    copy.headers.set('x-request-id', id);
    return copy;
  }
}

export function isPreflight(request: Request): boolean {
  if (request.method !== 'OPTIONS') return false;
  return request.headers.has('origin') && request.headers.has('access-control-request-method');
}

/** A preflight has no key, so the real request is the one that is checked (rule H7). */
export function respondPreflight({ id, origin, request }: Exchange): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin ?? '*',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers':
        request.headers.get('access-control-request-headers') ?? HEADERS,
      'access-control-max-age': PREFLIGHT_LIFE_S,
      'x-request-id': id,
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  });
}
