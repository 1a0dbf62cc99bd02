/** Who asks: the checks of rule H4 that come before anything is known of the request itself. */

import { makeProblem, type Problem, retryAfter } from '../contract/errors.ts';
import { addressKey } from '../tenancy/address.ts';
import { type WindowTake, WRONG_KEYS_PER_WINDOW } from '../tenancy/limiter.ts';
import { isRequestOriginAllowed } from '../tenancy/origin.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { ClientAddress } from './client-address.ts';
import type { Caller, Exchange } from './exchange.ts';
import { makeWindowHeaders } from './response.ts';

const BEARER = /^Bearer +(\S+) *$/i;

const MODES_SEEN: Readonly<Record<KeyMode, Caller['modes']>> = {
  live: ['live', 'test'],
  test: ['test'],
};

/** Header, key, origin, window: the caller, or the first that is wrong. */
export async function identify(
  exchange: Exchange,
  clientAddress: ClientAddress,
): Promise<Caller | Problem> {
  const header = exchange.request.headers.get('authorization');
  if (header === null) return makeProblem('missing_authorization');
  const caller = await findCaller(exchange, header);
  if (caller === null) return refuseWrongKey(exchange, clientAddress);
  if (!isRequestOriginAllowed(caller.key, exchange.origin)) {
    return makeProblem('origin_not_allowed');
  }
  exchange.caller = caller;
  return takeFromWindow(exchange, caller) ?? caller;
}

async function findCaller({ deps }: Exchange, header: string): Promise<Caller | null> {
  const text = BEARER.exec(header)?.[1];
  if (text === undefined) return null;
  const finding = deps.keys.find(text);
  const found = finding instanceof Promise ? await finding : finding;
  if (found === null) return null;
  const { tenant, key, limits } = found;
  return { tenant, key, limits, modes: MODES_SEEN[key.mode] };
}

/** Rule H5: guessing is slowed by address; nobody who has a key notices. */
function refuseWrongKey(exchange: Exchange, clientAddress: ClientAddress): Problem {
  const { deps, request, peer, startedAt } = exchange;
  const address = addressKey(clientAddress(request, peer));
  const window = deps.wrongKeyWindows.take(address, WRONG_KEYS_PER_WINDOW, startedAt);
  return window.allowed ? makeProblem('invalid_api_key') : refuseTooMany(window, startedAt);
}

/** One window for a tenant and mode, all its keys together (rule H6). */
function takeFromWindow(exchange: Exchange, { tenant, key, limits }: Caller): Problem | null {
  const { deps, startedAt } = exchange;
  const name = `${tenant.id}:${key.mode}`;
  const window = deps.planWindows.take(name, limits.requestsPerMinute, startedAt);
  exchange.window = window;
  return window.allowed ? null : refuseTooMany(window, startedAt);
}

function refuseTooMany(window: WindowTake, now: number): Problem {
  const headers = { ...makeWindowHeaders(window), ...retryAfter(window.resetAt - now) };
  return makeProblem('rate_limited', null, headers);
}
