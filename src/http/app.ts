/** The HTTP side of the service: a request in, a response out, and never a rejection. */

import { Hono } from 'hono';
import { makeProblem } from '../contract/errors.ts';
import { ROUTES } from '../contract/routes.ts';
import { makeClientAddress, type Peer } from './client-address.ts';
import type { HttpDeps } from './deps.ts';
import { makePlayerEndpoints } from './endpoints/players.ts';
import { makeSessionReads } from './endpoints/session-reads.ts';
import { makeSessionWrites } from './endpoints/sessions.ts';
import { whoami } from './endpoints/whoami.ts';
import type { Exchange } from './exchange.ts';
import { makeIdempotency } from './idempotency.ts';
import { OPEN_PATHS, type OpenPath, openPage } from './open-paths.ts';
import {
  makePathEntries,
  type ParamReader,
  type PathEntry,
  type Pipeline,
  pathOf,
  runPipeline,
} from './pipeline.ts';
import { isPreflight, respond, respondPreflight } from './response.ts';

export interface HttpApp {
  /** Answers every request that is no WebSocket handshake. */
  fetch(request: Request, peer: Peer): Promise<Response>;
}

/** What stands on a path. */
interface Target {
  /** The name in metrics and log, unless a route gives its own. */
  readonly name: string;
  /** Null on paths that are no part of the interface. */
  readonly entry: PathEntry | null;
  /** What answers without a key, if anything does. */
  readonly open: OpenPath | null;
}

const PAGE: Target = { name: 'page', entry: null, open: openPage };

/** Throws when an address among the trusted proxies is none. */
export function makeHttpApp(deps: HttpDeps): HttpApp {
  const pipeline: Pipeline = {
    endpoints: {
      ...makeSessionWrites(deps),
      ...makeSessionReads(deps),
      ...makePlayerEndpoints(deps),
      whoami,
    },
    clientAddress: makeClientAddress(deps.trustedProxies),
    idempotency: makeIdempotency(deps),
  };
  const router = new Hono<{ Bindings: { readonly peer: Peer } }>({
    getPath: (request) => pathOf(request.url),
  });
  for (const [path, target] of makeTargets()) {
    router.all(path, ({ req, env }) =>
      answerSafely(pipeline, makeExchange(deps, req.raw, env.peer), target, (name) =>
        req.param(name),
      ),
    );
  }
  router.notFound(({ req, env }) =>
    answerSafely(pipeline, makeExchange(deps, req.raw, env.peer), PAGE, () => undefined),
  );
  return { fetch: (request, peer) => Promise.resolve(router.fetch(request, { peer })) };
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

function makeExchange(deps: HttpDeps, request: Request, peer: Peer): Exchange {
  return {
    deps,
    request,
    peer,
    id: deps.makeId('req'),
    startedAt: deps.clock.now(),
    origin: request.headers.get('origin'),
    route: 'other',
    caller: null,
    window: null,
  };
}

/** Whatever goes wrong inside is a 500 that says nothing of it; the log says all (rule H3). */
async function answerSafely(
  pipeline: Pipeline,
  exchange: Exchange,
  target: Target,
  readParam: ParamReader,
): Promise<Response> {
  let response: Response;
  try {
    response = await answer(pipeline, exchange, target, readParam);
  } catch (error) {
    exchange.deps.log.error({ requestId: exchange.id, err: error }, 'request failed');
    response = respond(exchange, makeProblem('internal_error'));
  }
  report(exchange, response.status);
  return response;
}

async function answer(
  pipeline: Pipeline,
  exchange: Exchange,
  { name, entry, open }: Target,
  readParam: ParamReader,
): Promise<Response> {
  const { request } = exchange;
  if (isPreflight(request)) return respondPreflight(exchange);
  if (open !== null && (request.method === 'GET' || request.method === 'HEAD')) {
    const opened = await open(exchange);
    if (opened !== null) {
      exchange.route = name;
      return opened;
    }
  }
  return respond(exchange, await runPipeline(pipeline, exchange, entry, readParam));
}

function report(exchange: Exchange, status: number): void {
  const { deps, id, route, request, caller, startedAt } = exchange;
  const tookMs = deps.clock.now() - startedAt;
  deps.metrics.request(route, status, tookMs / 1_000);
  const fields = {
    requestId: id,
    route,
    method: request.method,
    status,
    tookMs,
    tenant: caller?.tenant.id,
    keyId: caller?.key.id,
  };
  if (status < 400) deps.log.debug(fields, 'request');
  else deps.log.info(fields, 'request');
}
