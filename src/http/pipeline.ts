/** The way of a request that needs a key: every check of rule H4, in its order. */

import { isProblem, makeProblem, type Problem } from '../contract/errors.ts';
import { readField } from '../contract/fields.ts';
import { PARAMS, paramsOf } from '../contract/params.ts';
import type { KeyOperationId, Route } from '../contract/routes.ts';
import { takesIdempotencyKey } from '../contract/routes.ts';
import { type Body, fieldsOf, readBody } from './body.ts';
import { identify } from './caller.ts';
import type { ClientAddress } from './client-address.ts';
import type { Action, Caller, Endpoints, Exchange, Keep, Reply } from './exchange.ts';
import type { Idempotency } from './idempotency.ts';

/** What there is on a path: a route for each method that it takes. */
export interface PathEntry {
  readonly routes: ReadonlyMap<string, Route>;
  /** The methods, as `Allow` names them. */
  readonly allow: string;
}

export interface Pipeline {
  readonly endpoints: Endpoints;
  readonly clientAddress: ClientAddress;
  readonly idempotency: Idempotency;
}

export type ParamReader = (name: string) => string | undefined;

const ABSENT: Body = { absent: true };
const NO_FIELDS = {};
const NO_QUERY = new URLSearchParams();
const NO_PARAMS = {};

/** `entry` is null for paths that are not there. */
export async function runPipeline(
  pipeline: Pipeline,
  exchange: Exchange,
  entry: PathEntry | null,
  readParam: ParamReader,
): Promise<Reply | Problem> {
  const caller = await identify(exchange, pipeline.clientAddress);
  if (isProblem(caller)) return caller;
  const route = findRoute(entry, exchange.request.method);
  if (isProblem(route)) return route;
  exchange.route = route.operationId;
  const body = route.method === 'GET' ? ABSENT : await readBody(exchange.request);
  if (isProblem(body)) return body;
  const action = prepare(pipeline, exchange, route, body, caller, readParam);
  if (isProblem(action)) return action;
  const key = takesIdempotencyKey(route) ? exchange.request.headers.get('idempotency-key') : null;
  if (key === null) return perform(action, null);
  return performOnce(pipeline, exchange, route, body, caller, action, key);
}

function findRoute(entry: PathEntry | null, method: string): Route | Problem {
  if (entry === null) return makeProblem('not_found');
  const route = entry.routes.get(method === 'HEAD' ? 'GET' : method);
  // A route without a key whose method fits was answered before.
  if (route !== undefined && route.auth === 'key') return route;
  return makeProblem('method_not_allowed', null, { allow: entry.allow });
}

/** The fields: of the path, the body, the query. */
function prepare(
  { endpoints }: Pipeline,
  { request }: Exchange,
  route: Route,
  body: Body,
  caller: Caller,
  readParam: ParamReader,
): Action | Problem {
  const params = readParams(route, readParam);
  if (isProblem(params)) return params;
  const fields = route.body === null ? NO_FIELDS : fieldsOf(body);
  if (isProblem(fields)) return fields;
  const query = route.query === null ? NO_QUERY : new URLSearchParams(searchOf(request.url));
  return endpoints[route.operationId as KeyOperationId]({ params, fields, query }, caller);
}

function readParams(route: Route, readParam: ParamReader): Record<string, string> | Problem {
  const names = paramsOf(route.path);
  if (names.length === 0) return NO_PARAMS;
  const params: Record<string, string> = {};
  for (const name of names) {
    const value = readField(PARAMS[name], readParam(name), name);
    if (isProblem(value)) return value;
    params[name] = value;
  }
  return params;
}

function perform(action: Action, keep: Keep): Promise<Reply | Problem> | Reply | Problem {
  return action.refusal ?? action.perform(keep);
}

async function performOnce(
  { idempotency }: Pipeline,
  { request }: Exchange,
  route: Route,
  body: Body,
  caller: Caller,
  action: Action,
  key: string,
): Promise<Reply | Problem> {
  const search = searchOf(request.url);
  const pathname = pathOf(request);
  const entry = await idempotency.enter({ caller, route, pathname, search, body, key });
  if (entry.kind === 'answered') return entry.outcome;
  const { first } = entry;
  try {
    const outcome = await perform(action, first.keep);
    await first.settle(outcome);
    return outcome;
  } finally {
    first.leave();
  }
}

/** The path of a URL as it was sent: percent codes stay, so that `%2F` is no slash. */
export function pathOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  const query = url.indexOf('?', start);
  const hash = url.indexOf('#', start);
  const end = Math.min(query === -1 ? url.length : query, hash === -1 ? url.length : hash);
  return url.slice(start, end);
}

/** The query with its question mark, or an empty text. */
function searchOf(url: string): string {
  const query = url.indexOf('?');
  if (query === -1) return '';
  const hash = url.indexOf('#', query);
  return hash === -1 ? url.slice(query) : url.slice(query, hash);
}
