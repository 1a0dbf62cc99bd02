/** The HTTP side of the service: a request in, a response out, and never a rejection. */

import { METHOD_NAME_ALL } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type ErrorCode, makeProblem, type Problem, retryAfter } from '../contract/errors.ts';
import { DASHBOARD_API } from '../contract/routes/dashboard-routes.ts';
import { ROUTES } from '../contract/routes/routes.ts';
import type { BodyFault, Fault } from '../platform/platform.ts';
import { makeCalls } from '../runtime/limits/calls.ts';
import type { OpenSpan } from '../runtime/measures/tracing.ts';
import type { RequestRow } from '../store/journal.ts';
import { StoreUnavailable } from '../store/shared/store-unavailable.ts';
import { addressKey } from '../tenancy/address.ts';
import { makeDashboard } from './dashboard/dashboard.ts';
import type { SiteDeps } from './dashboard/deps.ts';
import { makeBotEndpoints } from './endpoints/bots/bots.ts';
import { makeEventEndpoints } from './endpoints/events/events.ts';
import { makeWebhookEndpoints } from './endpoints/events/webhooks.ts';
import { makeGameEndpoints } from './endpoints/games.ts';
import { makeHostedEndpoints } from './endpoints/hosted/hosted.ts';
import { makeIntegrityEndpoints } from './endpoints/integrity/integrity.ts';
import { makeMetricEndpoints } from './endpoints/metrics.ts';
import { makePlayerEndpoints } from './endpoints/players.ts';
import { makeRatingEndpoints } from './endpoints/ratings.ts';
import { makeRoomEndpoints } from './endpoints/rooms.ts';
import { makeSessionReads } from './endpoints/session-reads.ts';
import { makeSessionWrites } from './endpoints/sessions.ts';
import { makeSettingsEndpoints } from './endpoints/settings.ts';
import { whoami } from './endpoints/whoami.ts';
import { type ClientAddress, makeClientAddress, type Peer } from './request/client-address.ts';
import type { HttpDeps } from './request/deps.ts';
import type { Caller, Exchange, Mint } from './request/exchange.ts';
import { makeIdempotency } from './request/idempotency.ts';
import { OPEN_PATHS, type OpenPath, openPage } from './request/open-paths.ts';
import {
  makePathEntries,
  type ParamReader,
  type PathEntry,
  type Pipeline,
  pathOf,
  READ_ONLY,
  refuseBody,
  runCall,
  runPipeline,
} from './request/pipeline.ts';
import { isPreflight, leaveOutBody, respond, respondPreflight } from './request/response.ts';

export interface HttpApp {
  /** Answers every request that is no WebSocket handshake. */
  fetch(request: Request, peer: Peer): Promise<Response>;
  /** Answers a request that is not processed; its body is not read. */
  refuse(request: Request, peer: Peer, why: Fault): Promise<Response>;
  /** Resolves when no response body is being made, except endless ones. Never rejects. */
  bodiesEnded(): Promise<void>;
}

/** The answer to a request that is not processed. */
const FAULTS = {
  'too large': 'body_too_large',
  'too slow': 'body_too_slow',
  'unsupported version': 'unsupported_websocket_version',
  'malformed handshake': 'malformed_handshake',
  'bad request': 'bad_request',
} as const satisfies Record<Fault, ErrorCode>;

/** What a path offers. */
interface Target {
  /** The name in metrics and log, unless a route gives its own. */
  readonly name: string;
  /** Null on paths without an API route. */
  readonly entry: PathEntry | null;
  /** The handler that works without a key, if there is one. */
  readonly open: OpenPath | null;
}

const PAGE: Target = { name: 'page', entry: null, open: openPage };

/** Throws when a trusted proxy's address is invalid. */
export function makeHttpApp(deps: SiteDeps): HttpApp {
  const clientAddress = makeClientAddress(deps.trustedProxies);
  const idempotency = makeIdempotency(deps);
  const pipeline: Pipeline = {
    endpoints: {
      ...makeGameEndpoints(deps),
      ...makeSessionWrites(deps),
      ...makeSessionReads(deps),
      ...makeRoomEndpoints(deps),
      ...makeBotEndpoints(deps),
      ...makeHostedEndpoints(deps),
      ...makePlayerEndpoints(deps, idempotency),
      ...makeRatingEndpoints(deps),
      ...makeEventEndpoints(deps),
      ...makeWebhookEndpoints(deps),
      ...makeMetricEndpoints(deps),
      ...makeIntegrityEndpoints(deps),
      ...makeSettingsEndpoints(deps),
      whoami,
    },
    clientAddress,
    idempotency,
    onRepeated: (mint) => mintAgain(deps, mint),
  };
  const find = makeTargetFinder();
  const dashboard = makeDashboard(deps, clientAddress, {
    find(path) {
      const { target, readParam } = find(path);
      return { entry: target.entry, readParam };
    },
    run: (exchange, caller, entry, readParam) =>
      runCall(pipeline, exchange, caller, entry, readParam),
  });
  const bodies = makeCalls();
  return {
    async bodiesEnded() {
      await bodies.ended();
    },
    fetch(request, peer) {
      const path = pathOf(request.url);
      const exchange = makeExchange(deps, bodies, request, peer);
      if (path.startsWith(`${DASHBOARD_API}/`)) {
        // No other site may read these responses: they never have a CORS header.
        const own: Exchange = { ...exchange, origin: null };
        return answerSafely(own, clientAddress, () => dashboard.answer(own));
      }
      const { target, readParam } = find(path);
      return answerSafely(exchange, clientAddress, () =>
        answer(pipeline, exchange, target, readParam),
      );
    },
    refuse(request, peer, why) {
      const path = pathOf(request.url);
      const exchange = makeExchange(deps, bodies, request, peer);
      const fault = makeProblem(FAULTS[why]);
      if (path.startsWith(`${DASHBOARD_API}/`)) {
        const own: Exchange = { ...exchange, origin: null };
        return answerSafely(own, clientAddress, async () => respond(own, fault));
      }
      const { target, readParam } = find(path);
      return answerSafely(exchange, clientAddress, () =>
        isOfBody(why)
          ? answerFault(pipeline, exchange, target, readParam, fault)
          : Promise.resolve(respond(exchange, fault)),
      );
    },
  };
}

/** The creator of a session may have crashed before its players were notified. */
async function mintAgain({ service, log }: HttpDeps, mint: Mint): Promise<void> {
  if (mint.kind !== 'session') return;
  await service
    .notifySeated(mint.session)
    .catch((err: unknown) => log.error({ err }, 'players not told of their session again'));
}

/** A path's target and parameters. */
interface Found {
  readonly target: Target;
  readonly readParam: ParamReader;
}

const NO_PARAM: ParamReader = () => undefined;
const FOUND_PAGE: Found = { target: PAGE, readParam: NO_PARAM };

/**
 * Finds a path's entry: those without parameters by name, so that `join` is never taken for an id, the others by
 * Hono's router.
 */
function makeTargetFinder(): (path: string) => Found {
  const fixed = new Map<string, Found>();
  const router = new RegExpRouter<Target>();
  for (const [path, target] of makeTargets()) {
    if (path.includes(':')) router.add(METHOD_NAME_ALL, path, target);
    else fixed.set(path, { target, readParam: NO_PARAM });
  }
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return known;
    const [handlers, stash = []] = router.match(METHOD_NAME_ALL, path);
    const matched = handlers[0];
    if (matched === undefined) return FOUND_PAGE;
    const [target, places] = matched;
    return { target, readParam: (name) => decodeSegment(stash[places[name] as number]) };
  };
}

/** A decoded segment; invalid percent codes stay as they are. */
function decodeSegment(text: string | undefined): string | undefined {
  if (text?.includes('%') !== true) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function makeTargets(): Map<string, Target> {
  const targets = new Map<string, Target>();
  for (const entry of makePathEntries(ROUTES)) {
    targets.set(entry.path, { name: 'other', entry, open: null });
  }
  for (const [path, open] of OPEN_PATHS) {
    targets.set(path, { name: path.slice(1), entry: targets.get(path)?.entry ?? null, open });
  }
  return targets;
}

function makeExchange(
  deps: HttpDeps,
  bodies: Exchange['bodies'],
  request: Request,
  peer: Peer,
): Exchange {
  return {
    deps,
    request,
    peer,
    id: deps.makeId('req'),
    startedAt: deps.clock.now(),
    from: performance.now(),
    bodies,
    origin: request.headers.get('origin'),
    route: 'other',
    session: null,
    made: null,
    used: null,
    refused: null,
    caller: null,
    window: null,
    span: beginRequest(deps, request),
  };
}

/** Null when it is not traced. */
function beginRequest({ tracing }: HttpDeps, { method, headers }: Request): OpenSpan | null {
  if (tracing === undefined || tracing === null) return null;
  return tracing.begin({
    name: method,
    role: 'server',
    parent: headers.get('traceparent'),
    attributes: { 'http.request.method': method },
  });
}

/** While the store is away: about when to retry. */
const AWAY_RETRY_MS = 1_000;

/** Every internal error is a 500 without details, or a 503; the log has them (rule H3). */
async function answerSafely(
  exchange: Exchange,
  clientAddress: ClientAddress,
  answerIt: () => Promise<Response>,
): Promise<Response> {
  let response: Response;
  try {
    response = await answerIt();
  } catch (error) {
    const { log, logLimiter } = exchange.deps;
    const isAway = error instanceof StoreUnavailable;
    // A store that is away fails every request alike.
    if (!isAway || logLimiter.take('store', 'away')) {
      log.error({ requestId: exchange.id, err: error }, 'request failed');
    }
    const away = () => makeProblem('unavailable', null, retryAfter(AWAY_RETRY_MS));
    response = respond(exchange, isAway ? away() : makeProblem('internal_error'));
  }
  report(exchange, response, clientAddress);
  return exchange.request.method === 'HEAD' ? leaveOutBody(response) : response;
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

async function answer(
  pipeline: Pipeline,
  exchange: Exchange,
  target: Target,
  readParam: ParamReader,
): Promise<Response> {
  const { request } = exchange;
  const { name, open } = target;
  if (isPreflight(request)) return respondPreflight(exchange);
  // Pages check methods themselves.
  if (open !== null && (isReading(request) || open === openPage)) {
    const opened = await open(exchange);
    if (opened !== null) {
      exchange.route = name;
      return opened;
    }
  }
  return respond(
    exchange,
    await runPipeline(pipeline, exchange, entryOf(target, request), readParam),
  );
}

/** The entry of a path: a read-only one answers every other method as well. */
function entryOf({ entry, open }: Target, request: Request): PathEntry | null {
  const isReadOnly = open !== null && open !== openPage;
  return entry ?? (isReadOnly && !isReading(request) ? READ_ONLY : null);
}

const isOfBody = (why: Fault): why is BodyFault => why === 'too large' || why === 'too slow';

/** A request whose body was not accepted: checked in the order of rule H4. */
async function answerFault(
  pipeline: Pipeline,
  exchange: Exchange,
  target: Target,
  readParam: ParamReader,
  fault: Problem,
): Promise<Response> {
  const { request } = exchange;
  const { name, open } = target;
  if (isPreflight(request)) return respondPreflight(exchange);
  if (open !== null && (isReading(request) || open === openPage)) {
    const opened = await open({ ...exchange, request: withoutBody(request) });
    if (opened !== null) {
      exchange.route = name;
      return BEFORE_BODY.has(opened.status) ? opened : respond(exchange, fault);
    }
  }
  const entry = entryOf(target, request);
  return respond(exchange, await refuseBody(pipeline, exchange, entry, readParam, fault));
}

/** For open paths: a wrong key, origin, path or method is reported before the body is read. */
const BEFORE_BODY: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/** The answer from the head alone. It has no effect: no page is made, and a POST is not carried out. */
function withoutBody({ url, method, headers }: Request): Request {
  return new Request(url, { method: method === 'GET' ? 'HEAD' : method, headers });
}

/** Refusals are logged within limits (rule H3): a flood of them must not fill a disk. */
function report(
  exchange: Exchange,
  { status, headers }: Response,
  clientAddress: ClientAddress,
): void {
  const { deps, id, route, request, peer, used, caller, startedAt } = exchange;
  const tookMs = deps.clock.now() - startedAt;
  deps.metrics.request(route, status, tookMs / 1_000);
  exchange.span?.end({
    name: `${request.method} ${route}`,
    attributes: {
      'matchd.route': route,
      'matchd.request': id,
      'http.response.status_code': status,
    },
    isError: status >= 500,
  });
  const fields = {
    requestId: id,
    route,
    method: request.method,
    status,
    code: headers.get('X-Error-Code') ?? undefined,
    tookMs,
    tenant: caller?.tenant.id,
    keyId: caller?.member === undefined ? (caller?.key ?? exchange.refused?.key)?.id : undefined,
    refusal: exchange.refused?.why,
    member: caller?.member,
  };
  if (caller !== null && caller.member === undefined) keep(exchange, caller, fields);
  if (exchange.refused !== null) keepRefused(exchange, exchange.refused, fields);
  if (used !== null) deps.keyWatch.note(used, clientAddress(request, peer), isTurnedAway(status));
  if (status < 400) {
    deps.log.debug(fields, 'request');
    return;
  }
  const address = addressKey(clientAddress(request, peer));
  if (deps.logLimiter.take(address, fields.code ?? String(status))) {
    deps.log.info(fields, 'request');
  }
}

/** A stolen key causes many of these (rule K6). */
const isTurnedAway = (status: number): boolean => status === 403 || status === 404;

type Answered = Pick<RequestRow, 'method' | 'route' | 'status' | 'tookMs'> & {
  readonly requestId: string;
  readonly code: string | undefined;
};

/** Only with the key's whole text: a caller who knows only its hint must not write into a tenant's log. */
function keepRefused(
  { deps, session, startedAt }: Exchange,
  { key, why }: NonNullable<Exchange['refused']>,
  { requestId: id, method, route, status, code, tookMs }: Answered,
): void {
  const whose = { tenant: key.tenant, mode: key.mode, keyId: key.id };
  const what = { method, route, status, code: code ?? null, tookMs, session };
  deps.requests.recordRefused({ id, ...whose, at: startedAt, ...what, refusal: why });
}

/** For the tenant's request log (rule D9): it holds no player's name, so no raw path. */
function keep(
  { deps, session, made, startedAt, from }: Exchange,
  { tenant, key }: Caller,
  answered: Answered,
): void {
  const { requestId: id, method, route, status, code = null, tookMs } = answered;
  const whose = { tenant: tenant.id, mode: key.mode, keyId: key.id };
  deps.tenantMetrics.request(tenant.id, key.mode, status, performance.now() - from);
  deps.requests.record({
    id,
    ...whose,
    at: startedAt,
    method,
    route,
    status,
    code,
    tookMs,
    session,
    ...(made === null ? null : { made }),
  });
}
