/** The challenge that a passkey signs: random, stored by the browser, valid for five minutes (rule D5a). */

import { Buffer } from 'node:buffer';
import type { AccountDeps } from './account-service.ts';
import { CHALLENGE_MS } from './webauthn.ts';

const CHALLENGE_BYTES = 32;
/** The purpose of a challenge requested before sign-in. */
export const SIGN_IN = 'passkey sign-in';

type ChallengeDeps = Pick<AccountDeps, 'sealer' | 'clock' | 'randomness'>;

export interface Challenge {
  readonly challenge: string;
  readonly until: number;
}

/** The challenge, and a sealed copy for the browser to return: the server stores nothing. */
export function makeChallenge({ sealer, clock, randomness }: ChallengeDeps, purpose: string) {
  const challenge = Buffer.from(randomness.bytes(CHALLENGE_BYTES)).toString('base64url');
  const kept: Challenge = { challenge, until: clock.now() + CHALLENGE_MS };
  return { challenge, sealed: sealer.seal(purpose, JSON.stringify(kept)) };
}

/** Null for none, one that expired, or one for something else. */
export function openChallenge(
  { sealer, clock }: ChallengeDeps,
  purpose: string,
  sealed: string | null,
): Challenge | null {
  const text = sealed === null ? null : sealer.open(purpose, sealed);
  const kept = text === null ? null : (JSON.parse(text) as Challenge);
  return kept !== null && kept.until > clock.now() ? kept : null;
}
