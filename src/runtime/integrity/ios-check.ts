/** Checks iOS devices by App Attest: locally, without a network, against pinned roots. */

import type { X509Certificate } from 'node:crypto';
import { appIdOf, type IosCredential } from '../../integrity/credential.ts';
import { acceptIos, type IosRefusal, refuseIos } from '../../integrity/ios.ts';
import type { Requirements } from '../../integrity/strictness.ts';
import type { Binding, Finding, VerdictDetails } from '../../integrity/verdict.ts';
import type { ChallengeOutcome, IntegrityStore } from '../../store/integrity.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Clock } from '../ports.ts';
import {
  type AppAttestEnvironment,
  sha256,
  verifyAssertion,
  verifyAttestation,
} from './app-attest.ts';
import { type AppleToken, readAppleToken } from './apple-token.ts';
import { digestOf } from './client-data.ts';
import type { Spending } from './spending.ts';

export interface IosRequest {
  readonly tenant: string;
  /** The owner of the challenges and keys that count. */
  readonly world: KeyMode;
  readonly credential: IosCredential;
  readonly token: string;
  /** SHA-256 of the request; null when it names no players. */
  readonly requestDigest: Uint8Array | null;
  readonly environments: readonly AppAttestEnvironment[];
  readonly spending: Pick<Spending, 'spend'>;
}

export interface IosDeps {
  readonly store: Pick<
    IntegrityStore,
    'useChallenge' | 'addAttestedKey' | 'findAttestedKey' | 'raiseCounter'
  >;
  readonly roots: readonly X509Certificate[];
  readonly clock: Pick<Clock, 'now'>;
  readonly requires: Requirements;
}

export type IosCheck = (request: IosRequest) => Promise<Finding>;

export function makeIosCheck(deps: IosDeps): IosCheck {
  return async (request) => {
    const reading = readAppleToken(request.token);
    if (!reading.ok) return refuseIos(reading.reason, 'none', false);
    const { token } = reading;
    const known = await request.spending.spend();
    if (known !== null) return known;
    const signed = await findSigned(deps, request, token);
    if (!signed.ok) return refuseIos(signed.reason, 'none', false);
    const { clientDataHash, bound } = signed;
    const proof =
      token.kind === 'attestation'
        ? await attest(deps, request, token, clientDataHash)
        : await assert(deps, request, token, clientDataHash);
    if (!proof.ok) return refuseIos(proof.reason, bound, bound === 'request');
    return acceptIos(bound, proof.details, deps.requires);
  };
}

// ── what was signed ────────────────────────────────────────────────────────────────────────────

type Signed =
  | { readonly ok: true; readonly clientDataHash: Uint8Array; readonly bound: Binding }
  | { readonly ok: false; readonly reason: IosRefusal };

const CHALLENGE_REFUSALS = {
  unknown: 'challenge_unknown',
  expired: 'challenge_expired',
  reused: 'challenge_reused',
} as const satisfies Record<Exclude<ChallengeOutcome, 'used'>, IosRefusal>;

/** From the token's own client data, else from its challenge, else from the request. */
async function findSigned(deps: IosDeps, request: IosRequest, token: AppleToken): Promise<Signed> {
  const { clientData, challenge } = token;
  const inside = clientData === null ? null : challengeIn(clientData);
  const claimed = clientData === null ? challenge : inside;
  if (clientData !== null && challenge !== null && challenge !== inside) {
    return { ok: false, reason: 'malformed_token' };
  }
  if (claimed !== null) {
    const { tenant, world: mode } = request;
    const use = { digest: digestOf(claimed), tenant, mode, platform: 'ios' } as const;
    const outcome = await deps.store.useChallenge({ ...use, now: deps.clock.now() });
    if (outcome !== 'used') return { ok: false, reason: CHALLENGE_REFUSALS[outcome] };
    return { ok: true, clientDataHash: sha256(clientData ?? claimed), bound: 'challenge' };
  }
  if (clientData !== null) return { ok: true, clientDataHash: sha256(clientData), bound: 'none' };
  if (request.requestDigest === null) return { ok: false, reason: 'challenge_missing' };
  return { ok: true, clientDataHash: request.requestDigest, bound: 'request' };
}

/** `challenge` of client data that is a JSON object; null when there is none. */
function challengeIn(clientData: Uint8Array): string | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(clientData).toString('utf8'));
    const { challenge } = Object(value) as { readonly challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

// ── the proofs ─────────────────────────────────────────────────────────────────────────────────

type Checked =
  | { readonly ok: true; readonly details: VerdictDetails }
  | { readonly ok: false; readonly reason: IosRefusal };

async function attest(
  { store, roots, clock }: IosDeps,
  { tenant, world: mode, credential, environments }: IosRequest,
  token: AppleToken,
  clientDataHash: Uint8Array,
): Promise<Checked> {
  const appId = appIdOf(credential);
  const now = clock.now();
  const expected = { roots, appId, environments, clientDataHash, now };
  const proof = verifyAttestation(token.proof, expected);
  if (!proof.ok) return proof;
  const { keyId, publicKey, environment, extensions } = proof;
  // The app names one key and proves another: its mistake, because the proof itself is valid.
  if (token.keyId !== null && token.keyId !== keyId)
    return { ok: false, reason: 'malformed_token' };
  const key = { tenant, mode, appId, keyId, publicKey, environment, attestedAt: now };
  if (!(await store.addAttestedKey(key))) return { ok: false, reason: 'token_replayed' };
  return { ok: true, details: { environment, ...extensions } };
}

async function assert(
  { store }: IosDeps,
  { tenant, world: mode, credential, environments }: IosRequest,
  token: AppleToken,
  clientDataHash: Uint8Array,
): Promise<Checked> {
  const appId = appIdOf(credential);
  const id = { tenant, mode, appId, keyId: token.keyId! };
  const key = await store.findAttestedKey(id);
  if (key === null) return { ok: false, reason: 'key_unknown' };
  const environment = key.environment as AppAttestEnvironment;
  if (!environments.includes(environment)) return { ok: false, reason: 'environment_not_allowed' };
  const { publicKey } = key;
  const proof = verifyAssertion(token.proof, { appId, publicKey, clientDataHash });
  if (!proof.ok) return proof;
  const isHigher = await store.raiseCounter(id, proof.counter);
  if (!isHigher) return { ok: false, reason: 'counter_regressed' };
  return { ok: true, details: { environment, ...proof.extensions } };
}
