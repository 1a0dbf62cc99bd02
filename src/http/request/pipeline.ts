/** The pipeline of a request that needs a key: every check of rule H4, in order. */

import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { readField } from '../../contract/fields.ts';
import { PARAMS, paramsOf } from '../../contract/params.ts';
import type { KeyOperationId, Method, Route } from '../../contract/routes/routes.ts';
import { takesIdempotencyKey } from '../../contract/routes/routes.ts';
import { AnsweredBefore } from '../../store/shared/answered-before.ts';
import { hasScope } from '../../tenancy/key-scopes.ts';
import { type Body, fieldsOf, isJsonRequest, readBody } from './body.ts';
import { identify } from './caller.ts';
import type { ClientAddress } from './client-address.ts';
import type { Action, Caller, Endpoints, Exchange, Keep, Mint, Reply } from './exchange.ts';
import { type Idempotency, isReplayed } from './idempotency.ts';

/** A path's entry: a route for each method. */
export interface PathEntry {
  readonly path: string;
  readonly params: ReturnType<typeof paramsOf>;
  readonly routes: ReadonlyMap<string, Route>;
  /** The methods, as in `Allow`. */
  readonly allow: string;
}

export interface Pipeline {
  readonly endpoints: Endpoints;
  readonly clientAddress: ClientAddress;
  readonly idempotency: Idempotency;
  /** Mints the tokens of a stored response again. Does not reject. */
  onRepeated(mint: Mint): Promise<void>;
}

/** Reads the path's parameters, decoded. */
export type ParamReader = (name: string) => string | undefined;

/** A request with a known caller, route and body. */
interface RoutedRequest {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly route: Route;
  readonly body: Body;
}

const ABSENT: Body = { absent: true };
const NO_FIELDS = {};
const NO_QUERY = new URLSearchParams();
const NO_PARAMS = {};

/** `entry` is null for unknown paths. */
export async function runPipeline(
  pipeline: Pipeline,
  exchange: Exchange,
  entry: PathEntry | null,
  readParam: ParamReader,
): Promise<Reply | Problem> {
  const found = findCaller(pipeline, exchange, entry, readParam);
  const caller = found instanceof Promise ? await found : found;
  return isProblem(caller) ? caller : runCall(pipeline, exchange, caller, entry, readParam);
}

/**
 * The same for a request whose body was not accepted: the first failure among the checks before the body (rule
 * H4), or `fault`. Reads the head only.
 */
export async function refuseBody(
  pipeline: Pipeline,
  exchange: Exchange,
  entry: PathEntry | null,
  readParam: ParamReader,
  fault: Problem,
): Promise<Problem> {
  const { request } = exchange;
  const caller = await findCaller(pipeline, exchange, entry, readParam);
  if (isProblem(caller)) return caller;
  if (entry === null) return makeProblem('not_found');
  const route = findRoute(entry, request.method);
  if (isProblem(route)) return route;
  const isRight = route.method === 'GET' || isJsonRequest(request);
  return isRight ? fault : makeProblem('unsupported_media_type');
}

function findCaller(
  { clientAddress }: Pipeline,
  exchange: Exchange,
  entry: PathEntry | null,
  readParam: ParamReader,
): ReturnType<typeof identify> {
  nameRoute(exchange, entry);
  exchange.session = sessionIn(entry, readParam);
  return identify(exchange, clientAddress, takesBots(entry, exchange.request.method));
}

/** Before authentication: a refusal, too, is counted where it belongs. */
function nameRoute(exchange: Exchange, entry: PathEntry | null): void {
  const routed = entry === null ? undefined : routeOf(entry, exchange.request.method);
  if (routed !== undefined) exchange.route = routed.operationId;
}

/** The steps after authentication. */
export async function runCall(
  pipeline: Pipeline,
  exchange: Exchange,
  caller: Caller,
  entry: PathEntry | null,
  readParam: ParamReader,
): Promise<Reply | Problem> {
  const { request } = exchange;
  if (entry === null) return makeProblem('not_found');
  const route = findRoute(entry, request.method);
  if (isProblem(route)) return route;
  exchange.route = route.operationId;
  const body = route.method === 'GET' ? ABSENT : await readBody(request);
  if (isProblem(body)) return body;
  const routed: RoutedRequest = { exchange, caller, route, body };
  const params = readParams(entry, readParam);
  if (isProblem(params)) return params;
  const action = prepare(pipeline, routed, params);
  if (isProblem(action)) return action;
  // Before repeats: stored responses belong to keys that had the scope.
  if (!hasScope(caller.key.scopes, route.scopes)) return refuseScope(route);
  const key = takesIdempotencyKey(route) ? request.headers.get('idempotency-key') : null;
  const outcome =
    key === null ? await perform(action, null) : await performOnce(pipeline, routed, action, key);
  exchange.made = sessionMade(route.operationId, outcome);
  exchange.session ??= sessionAnswered(outcome);
  return outcome;
}

function refuseScope({ scopes }: Route): Problem {
  const scope = scopes === 'any' ? scopes : scopes.join(' or ');
  return makeProblem('scope_missing', { scope });
}

/** Calls that create a session, when they are answered with 201. */
const MAKE_SESSIONS: ReadonlySet<string> = new Set(['createSession', 'startMatch']);

/** For the tenant's usage (rule D9): a repeated response was counted before. */
function sessionMade(operation: string, outcome: Reply | Problem): Exchange['made'] {
  if (isProblem(outcome) || outcome.status !== 201 || !MAKE_SESSIONS.has(operation)) return null;
  if (isReplayed(outcome)) return null;
  const { mode, game } = outcome.body as NonNullable<Exchange['made']>;
  return { mode, game };
}

/** For calls without a session in their path: the session that was created, joined or found. */
function sessionAnswered(outcome: Reply | Problem): string | null {
  if (isProblem(outcome) || outcome.stream !== null) return null;
  const { sessionId } = outcome.body as { readonly sessionId?: unknown };
  return typeof sessionId === 'string' && SESSION_ID.test(sessionId) ? sessionId : null;
}

/** A bot's token opens only the routes for bots. */
function takesBots(entry: PathEntry | null, method: string): boolean {
  return entry?.routes.get(method)?.auth === 'bot';
}

/** Paths and their routes, those without parameters first: so `join` is not taken for an id. */
export function makePathEntries(routes: readonly Route[]): PathEntry[] {
  const byPath = Map.groupBy(routes, (route) => route.path);
  const entries = Array.from(byPath, ([path, group]) => ({
    path,
    params: paramsOf(path),
    routes: new Map(group.map((route) => [route.method as string, route])),
    allow: group.flatMap(({ method }) => methodsOf(method)).join(', '),
  }));
  return entries.sort((a, b) => a.params.length - b.params.length);
}

/** A read-only path without a route: the answer to every other method. */
export const READ_ONLY: PathEntry = {
  path: '',
  params: [],
  routes: new Map(),
  allow: methodsOf('GET').join(', '),
};

/** HEAD is allowed wherever GET is. */
function methodsOf(method: Method): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function routeOf({ routes }: PathEntry, method: string): Route | undefined {
  return routes.get(method === 'HEAD' ? 'GET' : method);
}

function findRoute(entry: PathEntry, method: string): Route | Problem {
  const { allow } = entry;
  return routeOf(entry, method) ?? makeProblem('method_not_allowed', null, { allow });
}

function readParams(entry: PathEntry, readParam: ParamReader): Record<string, string> | Problem {
  if (entry.params.length === 0) return NO_PARAMS;
  const params: Record<string, string> = {};
  for (const name of entry.params) {
    const value = readField(PARAMS[name], readParam(name), name);
    if (isProblem(value)) return value;
    params[name] = value;
  }
  return params;
}

const SESSION_ID = /^ses_[0-9a-z]{26}$/;

/** The session in a path, however it is encoded; a player with such an id is not one. */
export function sessionIn(entry: PathEntry | null, readParam: ParamReader): string | null {
  const id = entry?.params.includes('id') === true ? readParam('id') : undefined;
  return id !== undefined && SESSION_ID.test(id) ? id : null;
}

/** Checks the fields of body and query. */
function prepare(
  { endpoints }: Pipeline,
  { exchange, caller, route, body }: RoutedRequest,
  params: Record<string, string>,
): Action | Problem {
  const fields = route.body === null ? NO_FIELDS : fieldsOf(body);
  if (isProblem(fields)) return fields;
  const { url } = exchange.request;
  const query = route.query === null ? NO_QUERY : new URLSearchParams(searchOf(url));
  return endpoints[route.operationId as KeyOperationId](
    {
      params,
      fields,
      query,
      header: (name) => exchange.request.headers.get(name) ?? '',
    },
    caller,
  );
}

function perform(action: Action, keep: Keep): Promise<Reply | Problem> | Reply | Problem {
  return action.refusal ?? action.perform(keep);
}

async function performOnce(
  { idempotency, onRepeated }: Pipeline,
  { exchange: { request }, caller, route, body }: RoutedRequest,
  action: Action,
  key: string,
): Promise<Reply | Problem> {
  const { url } = request;
  const repeated = { caller, route, pathname: pathOf(url), search: searchOf(url), body, key };
  const entry = await idempotency.enter(repeated);
  if (entry.kind === 'answered') {
    const { outcome } = entry;
    if (!isProblem(outcome) && outcome.mint !== null) await onRepeated(outcome.mint);
    return outcome;
  }
  const { first } = entry;
  try {
    return await first.settle(await perform(action, first.keep));
  } catch (error) {
    const other = error instanceof AnsweredBefore ? await first.answerOfOther() : null;
    if (other === null) throw error;
    return other;
  } finally {
    first.leave();
  }
}

/** A URL's path as sent: percent codes stay, so that `%2F` is no slash. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** The query with its question mark, or an empty text. */
function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start).split('#', 1)[0]!;
}
