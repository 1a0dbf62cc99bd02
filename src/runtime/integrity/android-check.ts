/** Checks Android devices at Google: with a time limit, a circuit breaker, a concurrency limit, and each token once. */

import type { AndroidBinding } from '../../integrity/android.ts';
import { judgeAndroid, readAndroidPayload } from '../../integrity/android.ts';
import type { AndroidCredential } from '../../integrity/credential.ts';
import type { Requirements } from '../../integrity/strictness.ts';
import { type Finding, makeError, type Reason } from '../../integrity/verdict.ts';
import type { ChallengeUse, IntegrityStore } from '../../store/integrity.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Clock } from '../ports.ts';
import { type Breaker, makeBreaker } from './breaker.ts';
import { digestOf, looksLikeChallenge } from './client-data.ts';
import type { GoogleAccount, GoogleAccounts } from './google-accounts.ts';
import type { GoogleClient } from './google-client.ts';
import type { Spending } from './spending.ts';

/** Tokens have a few KiB. */
const TOKEN_CHARS_MAX = 32 * 1_024;
const TOKEN_SHAPE = /^[A-Za-z0-9_.~+/=-]+$/;
/** Checks that may wait for Google at once, in one process. */
const IN_FLIGHT_MAX = 32;

/**
 * Google, or the network to it, is at fault. Failures that a token can cause are not included, and neither is 403:
 * a stranger's tokens must not disable the checks of others.
 */
const FAULTS: ReadonlySet<Reason> = new Set([
  'provider_auth',
  'provider_quota',
  'provider_unavailable',
  'provider_bad_response',
]);

export interface AndroidRequest {
  readonly tenant: string;
  /** The owner of the challenges that count. */
  readonly world: KeyMode;
  readonly credential: AndroidCredential;
  readonly token: string;
  /** Base64url SHA-256 of the request; null when it names no players. */
  readonly requestHash: string | null;
  readonly spending: Pick<Spending, 'spend'>;
}

export interface AndroidDeps {
  readonly store: Pick<IntegrityStore, 'useChallenge'>;
  readonly accounts: GoogleAccounts;
  readonly google: GoogleClient;
  readonly clock: Clock;
  readonly requires: Requirements;
}

export type AndroidCheck = (request: AndroidRequest, signal: AbortSignal) => Promise<Finding>;

export function makeAndroidCheck(deps: AndroidDeps): AndroidCheck {
  const breakers = new Map<string, Breaker>();
  // One per world: failures in test mode disable no live check.
  const breakerOf = ({ id }: GoogleAccount, world: KeyMode): Breaker => {
    const name = `${world} ${id}`;
    const known = breakers.get(name) ?? makeBreaker(deps.clock);
    breakers.set(name, known);
    return known;
  };
  let inFlight = 0;
  return async (request, signal) => {
    const { tenant, world, credential, token } = request;
    if (token.length > TOKEN_CHARS_MAX) return makeError('token_too_large');
    if (!TOKEN_SHAPE.test(token)) return makeError('malformed_token');
    const account = await deps.accounts.find(tenant, credential.googleCloudProjectNumber);
    if (account === null) return makeError('provider_not_configured');
    if (inFlight >= IN_FLIGHT_MAX) return makeError('overloaded');
    const breaker = breakerOf(account, world);
    if (!breaker.enter()) return makeError('circuit_open');
    inFlight += 1;
    const call: Call = { hasFailed: null, isAsking: false };
    const leave = onceOnly(() => breaker.leave(call.isAsking || call.hasFailed));
    // Called at the time limit, not when the call has ended: the next check starts at once.
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await ask(deps, request, account, call, signal);
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
      inFlight -= 1;
    }
  };
}

/** A check's result for the breaker: was Google at fault? Null before it was asked. */
interface Call {
  hasFailed: boolean | null;
  /** Is a call to Google in progress? */
  isAsking: boolean;
}

function onceOnly(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

function note(call: Call, reason: Reason | null): void {
  call.hasFailed = reason !== null && FAULTS.has(reason);
}

async function ask(
  { store, google, clock, requires }: AndroidDeps,
  { tenant, world, credential, token, requestHash, spending }: AndroidRequest,
  account: GoogleAccount,
  call: Call,
  signal: AbortSignal,
): Promise<Finding> {
  call.isAsking = true;
  const authorized = await google.authorize(account);
  call.isAsking = false;
  if (!authorized.ok) {
    note(call, authorized.reason);
    return makeError(authorized.reason);
  }
  if (signal.aborted) return makeError('timeout');
  // Before the call: Google's second answer to a token looks like a rooted device's.
  const known = await spending.spend();
  if (known !== null) return known;
  if (signal.aborted) return makeError('timeout');
  const { packageName } = credential;
  call.isAsking = true;
  const decoded = await google.decode(account, authorized.access, { packageName, token }, signal);
  call.isAsking = false;
  const payload = decoded.ok ? readAndroidPayload(decoded.body) : null;
  const refusal = decoded.ok ? 'provider_bad_response' : decoded.reason;
  note(call, payload === null ? refusal : null);
  if (payload === null) return makeError(refusal);
  const isOurs = payload.packageName === packageName;
  const binding = isOurs
    ? await bind(store, { tenant, mode: world }, payload.boundTo, requestHash, clock.now())
    : ({ bound: 'none' } as const);
  return judgeAndroid(payload, { packageName, now: clock.now(), binding, requires });
}

/** A value that is not our challenge may be the app's own: it binds the token to nothing we know. */
async function bind(
  store: Pick<IntegrityStore, 'useChallenge'>,
  world: Pick<ChallengeUse, 'tenant' | 'mode'>,
  boundTo: string | null,
  requestHash: string | null,
  now: number,
): Promise<AndroidBinding> {
  const value = boundTo?.replace(/={1,2}$/, '') ?? null;
  if (value === null || !looksLikeChallenge(value)) return { bound: 'none' };
  if (value === requestHash) return { bound: 'request' };
  const use = { digest: digestOf(value), ...world, platform: 'android', now } as const;
  const outcome = await store.useChallenge(use);
  switch (outcome) {
    case 'used':
      return { bound: 'challenge' };
    case 'unknown':
      return { bound: 'none' };
    case 'expired':
      return { refused: 'challenge_expired' };
    case 'reused':
      return { refused: 'challenge_reused' };
  }
}
