/** What App Attest's proofs say of the device, by a table of outcomes. */

import type { Requirements } from './strictness.ts';
import type { Binding, Finding, Reason, VerdictDetails, VerdictStatus } from './verdict.ts';

/** Possible faults of a token or of its purpose. */
export type IosRefusal = Extract<
  Reason,
  | 'untrusted_chain'
  | 'certificate_expired'
  | 'nonce_mismatch'
  | 'signature_invalid'
  | 'key_mismatch'
  | 'category_invalid'
  | 'counter_not_zero'
  | 'counter_regressed'
  | 'app_id_mismatch'
  | 'environment_not_allowed'
  | 'key_unknown'
  | 'key_id_missing'
  | 'challenge_missing'
  | 'challenge_unknown'
  | 'challenge_expired'
  | 'challenge_reused'
  | 'token_replayed'
  | 'malformed_token'
  | 'token_too_large'
>;

interface Row {
  readonly status: VerdictStatus;
  /** True only for what cannot come about without tampering. */
  readonly jailbroken: true | null;
}

const TAMPERED: Row = { status: 'failed', jailbroken: true };
/** Judged, and bad; yet no statement about the device. */
const NOT_FOR_US: Row = { status: 'failed', jailbroken: null };
const UNJUDGED: Row = { status: 'error', jailbroken: null };

const ROWS: Readonly<Record<IosRefusal, Row>> = {
  untrusted_chain: TAMPERED,
  nonce_mismatch: TAMPERED,
  signature_invalid: TAMPERED,
  key_mismatch: TAMPERED,
  category_invalid: TAMPERED,
  counter_regressed: TAMPERED,
  counter_not_zero: NOT_FOR_US,
  certificate_expired: NOT_FOR_US,
  app_id_mismatch: NOT_FOR_US,
  environment_not_allowed: NOT_FOR_US,
  challenge_unknown: NOT_FOR_US,
  challenge_expired: NOT_FOR_US,
  challenge_reused: NOT_FOR_US,
  token_replayed: NOT_FOR_US,
  key_unknown: UNJUDGED,
  key_id_missing: UNJUDGED,
  challenge_missing: UNJUDGED,
  malformed_token: UNJUDGED,
  token_too_large: UNJUDGED,
};

/** Both say that the proof was made over something else than we think. */
const OVER_SOMETHING_ELSE: readonly IosRefusal[] = ['nonce_mismatch', 'signature_invalid'];

/**
 * `isGuess`: what the device signed was not named by the token but taken from the request. Then a
 * mistake of the app's looks like tampering, and a false accusation is worse than silence.
 */
export function refuseIos(reason: IosRefusal, bound: Binding, isGuess: boolean): Finding {
  const { status, jailbroken } = ROWS[reason];
  const isSilent = isGuess && OVER_SOMETHING_ELSE.includes(reason);
  const compromised = isSilent ? null : jailbroken;
  return { status, compromised, reasons: [reason], bound, details: null };
}

/** A proof that held. Apple gives no word on jailbreaks: false says that nothing speaks for one. */
export function acceptIos(
  bound: Binding,
  details: VerdictDetails,
  requires: Requirements,
): Finding {
  const isRefused = bound === 'none' && requires.has('binding');
  const reason: Reason = isRefused ? 'binding_mismatch' : 'binding_unverified';
  return {
    status: isRefused ? 'failed' : 'passed',
    compromised: false,
    reasons: bound === 'none' ? [reason] : [],
    bound,
    details,
  };
}
