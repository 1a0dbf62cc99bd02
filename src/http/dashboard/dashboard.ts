/** The pipeline of the dashboard's routes: site, session, rate limit, route, role, body. */

import type { z } from 'zod';
import { ROLES, type Role } from '../../accounts/account.ts';
import {
  isProblem,
  makeDashboardProblem,
  makeProblem,
  type Problem,
  retryAfter,
} from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import {
  DASHBOARD_API,
  DASHBOARD_ROUTES,
  type DashboardOperation,
  type DashboardRoute,
  type FieldsOf,
  MIRROR_RIGHTS,
} from '../../contract/routes/dashboard-routes.ts';
import type { KeyOperationId } from '../../contract/routes/routes.ts';
import type { SignedIn } from '../../runtime/accounts/account-service.ts';
import { makeMemberKey } from '../../runtime/accounts/member-key.ts';
import type { KeyMode, Tenant } from '../../tenancy/tenant.ts';
import { limitsOf } from '../../tenancy/tenant.ts';
import { memberAudit } from '../request/actor.ts';
import { fieldsOf, readBody } from '../request/body.ts';
import type { ClientAddress } from '../request/client-address.ts';
import type { Caller, Exchange, Reply } from '../request/exchange.ts';
import { type ParamReader, type PathEntry, pathOf, sessionIn } from '../request/pipeline.ts';
import { readQuery } from '../request/query.ts';
import { respond } from '../request/response.ts';
import type { DashboardDeps, SiteDeps } from './deps.ts';
import { makeAccountEndpoints, tenantsOf } from './endpoints/account-endpoints.ts';
import { makeChangeStream } from './endpoints/change-stream.ts';
import { makeKeyAlertEndpoints } from './endpoints/key-alert-endpoints.ts';
import { makeKeyEndpoints } from './endpoints/key-endpoints.ts';
import { makeOperatorEndpoints } from './endpoints/operator-endpoints.ts';
import { makeTenantEndpoints } from './endpoints/tenant-endpoints.ts';
import { makeUsageEndpoints } from './endpoints/usage-endpoints.ts';
import { makeWorldEndpoints } from './endpoints/world-endpoints.ts';
import { makeDashboardCookies } from './request/cookie.ts';
import type { DashboardRequest, RouteResult, WorldRequest } from './request/dashboard-request.ts';
import { isFromOwnPage } from './request/same-site.ts';
import { withTenantBook } from './request/tenant-book.ts';

/** Requests of one account in a window of 60 s: pages that refresh themselves use several. */
const REQUESTS_MAX = 1_200;
/** Retry delay while the shared store is unavailable. */
const AWAY_RETRY_MS = 1_000;

/** Runs a call of the API for a known caller. */
export type RunMirrored = (
  exchange: Exchange,
  caller: Caller,
  entry: PathEntry | null,
  readParam: ParamReader,
) => Promise<Reply | Problem>;

/** The API's entry for a path. */
export type FindEntry = (path: string) => {
  readonly entry: PathEntry | null;
  readonly readParam: ParamReader;
};

type Endpoints = {
  readonly [Operation in DashboardOperation]: (
    asked: WorldRequest<FieldsOf<Operation>>,
  ) => RouteResult;
};

export interface Dashboard {
  /** Answers every request below `/dashboard/api`. */
  answer(exchange: Exchange): Promise<Response>;
}

export function makeDashboard(
  given: SiteDeps,
  clientAddress: ClientAddress,
  mirror: { readonly find: FindEntry; readonly run: RunMirrored },
): Dashboard {
  const tenancy = withTenantBook(given.dashboard.tenancy);
  const deps: SiteDeps = { ...given, dashboard: { ...given.dashboard, tenancy } };
  const cookies = makeDashboardCookies(deps.publicUrl);
  const endpoints: Endpoints = {
    ...makeAccountEndpoints(deps, cookies),
    ...makeTenantEndpoints(deps),
    ...makeKeyEndpoints(deps),
    ...makeKeyAlertEndpoints(deps),
    ...makeWorldEndpoints(deps),
    ...makeUsageEndpoints(deps),
    ...makeChangeStream(deps),
    ...makeOperatorEndpoints(deps),
  };
  const { accounts } = deps.dashboard;
  const decide = async (exchange: Exchange): Promise<Reply | Problem> => {
    const { request } = exchange;
    if (!isFromOwnPage(request, deps.publicUrl)) return makeDashboardProblem('cross_site');
    const token = cookies.session.read(request);
    const signedIn = token === null ? null : await accounts.find(token);
    const path = pathOf(request.url);
    const mirrored = MIRRORED.exec(path);
    if (mirrored !== null) return runMirrored(deps, mirror, exchange, signedIn, mirrored);
    const found = findRoute(request.method, path);
    if (isProblem(found)) return found;
    const { route, params } = found;
    exchange.route = `dashboard.${route.operation}`;
    const place = await enter(deps, exchange, route, params, signedIn);
    if (isProblem(place)) return place;
    const fields = await readRequest(request, route);
    if (isProblem(fields)) return fields;
    const visitor = {
      address: clientAddress(request, exchange.peer),
      agent: request.headers.get('user-agent') ?? '',
      device: cookies.device.read(request),
    };
    const challenge = cookies.challenge.read(request);
    const lastEventId = request.headers.get('last-event-id');
    const asked: DashboardRequest = { params, fields, visitor, token, challenge, lastEventId };
    // `enter` has checked the route's permissions, `readAsked` its fields.
    const answer = endpoints[route.operation] as (asked: WorldRequest) => RouteResult;
    return answer({ ...asked, ...place } as WorldRequest);
  };
  return { answer: async (exchange) => respond(exchange, await decide(exchange)) };
}

// ── routes ─────────────────────────────────────────────────────────────────────────────────────

type OwnRoute = (typeof DASHBOARD_ROUTES)[number];

const COMPILED = DASHBOARD_ROUTES.map((route: OwnRoute) => ({
  route,
  shape: new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
})).sort((a, b) => a.route.path.split(':').length - b.route.path.split(':').length);

/** A world, followed by a path of the API. */
const MIRRORED = new RegExp(`^${DASHBOARD_API}/t/([^/]+)/([^/]+)(/(?:v1|matchmaking)/.*)$`);

function findRoute(
  asked: string,
  path: string,
): { readonly route: OwnRoute; readonly params: Record<string, string> } | Problem {
  const method = asked === 'HEAD' ? 'GET' : asked;
  const here = COMPILED.filter(({ shape }) => shape.test(path));
  const fit = here.find(({ route }) => route.method === method);
  if (fit === undefined) {
    const allow = here.map(({ route }) => route.method).join(', ');
    return allow === ''
      ? makeProblem('not_found')
      : makeProblem('method_not_allowed', null, { allow });
  }
  const groups = fit.shape.exec(path)!.groups ?? {};
  return { route: fit.route, params: { ...groups } };
}

async function readRequest(
  request: Request,
  { body: schema, query }: DashboardRoute,
): Promise<object | Problem> {
  if (query !== null) {
    return readQuery(query, new URL(request.url).searchParams);
  }
  if (schema === null) return {};
  const body = await readBody(request);
  if (isProblem(body)) return body;
  const fields = fieldsOf(body);
  return isProblem(fields) ? fields : readFields(schema as z.ZodType<object>, fields);
}

// ── permissions ────────────────────────────────────────────────────────────────────────────────

type Place = Partial<Pick<WorldRequest, 'signedIn' | 'tenant' | 'role' | 'world'>>;

/** Admits callers who may use the route; other tenants do not exist for them. */
async function enter(
  { dashboard, clock }: SiteDeps,
  exchange: Exchange,
  { allowed }: DashboardRoute,
  params: Readonly<Record<string, string>>,
  signedIn: SignedIn | null,
): Promise<Place | Problem> {
  if (allowed === 'anyone') return {};
  if (signedIn === null) return makeDashboardProblem('not_signed_in');
  const { id } = signedIn.account;
  const window = await dashboard.windows.take(id, REQUESTS_MAX, exchange.startedAt);
  if (window === null) return makeProblem('unavailable', null, retryAfter(AWAY_RETRY_MS));
  if (!window.allowed) {
    return makeProblem('rate_limited', null, retryAfter(window.resetAt - clock.now()));
  }
  if (allowed === 'account') return { signedIn };
  if (allowed === 'operator') {
    return signedIn.account.isOperator ? { signedIn } : makeDashboardProblem('role_not_allowed');
  }
  const at = await findPlace(dashboard, signedIn, params['tenant']!, params['world'] ?? null);
  if (isProblem(at)) return at;
  if (!allowed.includes(at.role)) return makeDashboardProblem('role_not_allowed');
  const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
  if (!at.tenant.active && !isRead) return makeDashboardProblem('tenant_suspended');
  return { signedIn, ...at };
}

async function findPlace(
  dashboard: DashboardDeps,
  signedIn: SignedIn,
  slug: string,
  world: string | null,
): Promise<{ readonly tenant: Tenant; readonly role: Role; readonly world: KeyMode } | Problem> {
  const found = (await tenantsOf(dashboard, signedIn)).find(({ tenant }) => tenant.slug === slug);
  if (found === undefined) return makeDashboardProblem('tenant_not_found');
  if (world !== null && world !== 'live' && world !== 'test') return makeProblem('not_found');
  return { ...found, world: world ?? 'test' };
}

// ── the tenant's interface ─────────────────────────────────────────────────────────────────────

/** Strictly one world: without the rights that a live key has in the other (rule D7). */
const MODES_OF: Readonly<Record<KeyMode, Caller['modes']>> = {
  live: ['live', 'training'],
  test: ['test', 'training'],
};

async function runMirrored(
  deps: SiteDeps,
  { find, run }: { readonly find: FindEntry; readonly run: RunMirrored },
  exchange: Exchange,
  signedIn: SignedIn | null,
  [, slug, world, path]: RegExpExecArray,
): Promise<Reply | Problem> {
  const { entry, readParam } = find(path!);
  const { method } = exchange.request;
  const route = entry?.routes.get(method === 'HEAD' ? 'GET' : method);
  const right = route === undefined ? null : MIRROR_RIGHTS[route.operationId as KeyOperationId];
  const allowed = right?.roles ?? ROLES;
  const needed = { allowed } as DashboardRoute;
  const place = await enter(deps, exchange, needed, { tenant: slug!, world: world! }, signedIn);
  if (isProblem(place)) return place;
  const { tenant, world: mode } = place as WorldRequest;
  if (mode === 'live' && right?.live === false) return makeDashboardProblem('live_read_only');
  const caller = callerOf(deps.dashboard, tenant, mode, signedIn!);
  exchange.caller = caller;
  const outcome = await run(exchange, caller, entry, readParam);
  const act = ACTS[exchange.route as KeyOperationId];
  if (act !== undefined && !isProblem(outcome)) {
    const object = sessionIn(entry, readParam) ?? 'player';
    const audit = memberAudit(caller, act, object, deps.clock.now());
    // Without it no token is issued.
    if (audit !== undefined) await deps.dashboard.journal.addAudit(audit);
  }
  exchange.route = `dashboard.${exchange.route}`;
  return outcome;
}

/** The audit row of a token, which no other commit has: it is written before the member gets the token. */
const ACTS: Readonly<Partial<Record<KeyOperationId, string>>> = {
  watchSession: 'session.watched',
  makeSessionToken: 'session.token_made',
  exportPlayer: 'player.exported',
};

/** The same permissions as a key of that world, in the member's name. */
function callerOf(
  { accounts }: DashboardDeps,
  tenant: Tenant,
  mode: KeyMode,
  { account, session }: SignedIn,
): Caller {
  return {
    tenant,
    key: makeMemberKey(account, tenant.id, mode, session.expiresAt),
    limits: limitsOf(tenant),
    modes: MODES_OF[mode],
    member: account.id,
    async mayStillAsk() {
      const alive = await accounts.listLogins({ account, session, memberships: [] });
      return alive.some(({ id }) => id === session.id);
    },
  };
}
