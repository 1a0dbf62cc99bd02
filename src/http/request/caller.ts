/** Authentication: the checks of rule H4 that come before the request itself is looked at. */

import { isProblem, makeProblem, type Problem, retryAfter } from '../../contract/errors.ts';
import type { ActiveKey } from '../../runtime/access/key-ring.ts';
import type { TokenClaims } from '../../runtime/access/tokens.ts';
import { addressKey } from '../../tenancy/address.ts';
import { type WindowTake, WRONG_KEYS_PER_WINDOW } from '../../tenancy/limiter.ts';
import { isRequestOriginAllowed } from '../../tenancy/origin.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { ClientAddress } from './client-address.ts';
import type { Caller, Exchange } from './exchange.ts';
import { makeWindowHeaders } from './response.ts';

const BEARER = /^Bearer +(\S+) *$/i;

/** Training is visible to keys of its world, which the session names. */
const MODES_SEEN: Readonly<Record<KeyMode, Caller['modes']>> = {
  live: ['live', 'test', 'training'],
  test: ['test', 'training'],
};

/** Retry delay while the shared store is unavailable. */
const AWAY_RETRY_MS = 1_000;

/** Header, key, origin, rate limit: the caller, or the first failure. Only new keys need a look-up. */
export function identify(
  exchange: Exchange,
  clientAddress: ClientAddress,
  takesBots = false,
): Caller | Problem | Promise<Caller | Problem> {
  const header = exchange.request.headers.get('authorization');
  if (header === null) return makeProblem('missing_authorization');
  const text = BEARER.exec(header)?.[1];
  if (takesBots && text !== undefined) {
    const claims = exchange.deps.tokens.parse(text, exchange.startedAt);
    if (claims?.scope === 'bot') return identifyBot(exchange, clientAddress, claims);
  }
  const found = text === undefined ? null : exchange.deps.keys.find(text);
  const mayStillAsk = async () => (await exchange.deps.keys.find(text!)) !== null;
  const enter = (key: ActiveKey | null) => {
    exchange.used = key;
    if (key === null && text !== undefined) exchange.refused = exchange.deps.keys.refused(text);
    return admit(exchange, clientAddress, key, mayStillAsk);
  };
  return found instanceof Promise ? found.then(enter) : enter(found);
}

/** A tenant's program: it has the rights of the key that issued its token (rule E4). */
async function identifyBot(
  exchange: Exchange,
  clientAddress: ClientAddress,
  claims: TokenClaims,
): Promise<Caller | Problem> {
  const { issuerOf } = exchange.deps;
  const mayStillAsk = async () => (await issuerOf(claims)) !== null;
  const caller = await admit(exchange, clientAddress, await issuerOf(claims), mayStillAsk);
  if (isProblem(caller)) return caller;
  const bot: Caller = { ...caller, modes: [claims.mode], bot: claims.player! };
  exchange.caller = bot;
  return bot;
}

function admit(
  exchange: Exchange,
  clientAddress: ClientAddress,
  found: Omit<ActiveKey, 'secret'> | null,
  mayStillAsk: Caller['mayStillAsk'],
): Caller | Problem | Promise<Caller | Problem> {
  if (found === null) return refuseWrongKey(exchange, clientAddress);
  const { tenant, key, limits } = found;
  if (!isRequestOriginAllowed(key, exchange.origin)) {
    exchange.refused = { key, why: 'origin' };
    return makeProblem('origin_not_allowed');
  }
  const caller: Caller = { tenant, key, limits, modes: MODES_SEEN[key.mode], mayStillAsk };
  exchange.caller = caller;
  return takeFromWindow(exchange, caller);
}

/** Rule H5: guessing is limited by address; holders of a key are not affected. */
function refuseWrongKey(exchange: Exchange, clientAddress: ClientAddress): Problem {
  const { deps, request, peer, startedAt } = exchange;
  const address = addressKey(clientAddress(request, peer));
  const window = deps.wrongKeyWindows.take(address, WRONG_KEYS_PER_WINDOW, startedAt);
  return window.allowed ? makeProblem('invalid_api_key') : refuseTooMany(window, startedAt);
}

/** One window for a tenant and mode, over all its keys (rule H6). Waits only when nodes share the limit. */
function takeFromWindow(
  exchange: Exchange,
  caller: Caller,
): Caller | Problem | Promise<Caller | Problem> {
  const { deps, startedAt } = exchange;
  const { tenant, key, limits } = caller;
  const name = `${tenant.id}:${key.mode}`;
  const settle = (window: WindowTake | null): Caller | Problem => {
    if (window === null) return makeProblem('unavailable', null, retryAfter(AWAY_RETRY_MS));
    exchange.window = window;
    return window.allowed ? caller : refuseTooMany(window, startedAt);
  };
  const taken = deps.planWindows.take(name, limits.requestsPerMinute, startedAt);
  return taken instanceof Promise ? taken.then(settle) : settle(taken);
}

function refuseTooMany(window: WindowTake, now: number): Problem {
  const headers = { ...makeWindowHeaders(window), ...retryAfter(window.resetAt - now) };
  return makeProblem('rate_limited', null, headers);
}
