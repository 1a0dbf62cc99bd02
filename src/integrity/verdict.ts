/** The result of a device check (rule I3): its terms, and how a finding becomes a verdict. */

export type Platform = 'android' | 'ios';

export type VerdictStatus = 'passed' | 'failed' | 'error' | 'skipped';

/** What ties a token to this very request: an issued challenge, the request itself, or nothing. */
export type Binding = 'challenge' | 'request' | 'none';

/** Why a verdict is as it is. For programs: they never change, only new ones come. */
export const REASONS = [
  // Nothing to judge.
  'no_credential',
  'token_missing',
  // What Google says of the device and the app.
  'emulator_trusted',
  'basic_integrity_only',
  'device_integrity_empty',
  'verdicts_cleared',
  'app_unrecognized',
  'app_unlicensed',
  // Authentic, and not for this request.
  'package_mismatch',
  'token_stale',
  'token_from_future',
  'token_replayed',
  'challenge_unknown',
  'challenge_expired',
  'challenge_reused',
  'binding_unverified',
  'binding_mismatch',
  // What App Attest shows.
  'untrusted_chain',
  'certificate_expired',
  'nonce_mismatch',
  'signature_invalid',
  'key_mismatch',
  'category_invalid',
  'counter_not_zero',
  'counter_regressed',
  'app_id_mismatch',
  'environment_not_allowed',
  'key_unknown',
  'key_id_missing',
  'challenge_missing',
  // What cannot be read.
  'malformed_token',
  'malformed_payload',
  'token_too_large',
  // Google, as far as it did not answer.
  'provider_not_configured',
  'token_undecodable',
  'provider_rejected_app',
  'provider_auth',
  'provider_forbidden',
  'provider_not_found',
  'provider_quota',
  'provider_unavailable',
  'provider_bad_response',
  'timeout',
  'circuit_open',
  'overloaded',
  // Us.
  'internal',
] as const;
export type Reason = (typeof REASONS)[number];

/** What the platform said beside its judgement. Nothing in it names a device or a player. */
export interface VerdictDetails {
  /** Android: the labels of the device, as Google wrote them. */
  readonly deviceLabels?: readonly string[];
  readonly appRecognition?: string;
  readonly licensing?: string;
  readonly playProtect?: string;
  readonly activityLevel?: string;
  readonly sdkVersion?: number;
  readonly versionCode?: string;
  /** Android: a test response configured in the Play Console. */
  readonly testing?: boolean;
  /** iOS: which of Apple's two environments attested the key. */
  readonly environment?: 'production' | 'development';
  /** iOS 27: how the app came onto the device. */
  readonly validationCategory?: number;
  readonly bundleVersion?: string;
}

/** The result of a check, without its time and duration. */
export interface Finding {
  readonly status: VerdictStatus;
  /** Rooted or jailbroken: true and false are statements about the device, null is none. */
  readonly compromised: boolean | null;
  readonly reasons: readonly Reason[];
  readonly bound: Binding;
  readonly details: VerdictDetails | null;
}

/** Its stored form, which tenants read. */
export interface Verdict {
  readonly platform: Platform;
  readonly status: VerdictStatus;
  /** On Android only. */
  readonly rooted?: boolean | null;
  /** On iOS only. */
  readonly jailbroken?: boolean | null;
  readonly reasons: readonly Reason[];
  readonly bound: Binding;
  readonly details: VerdictDetails | null;
  /** ISO 8601. */
  readonly checkedAt: string;
  readonly latencyMs: number;
}

/** We could not judge: no statement about the device. */
export function makeError(reason: Reason, bound: Binding = 'none'): Finding {
  return { status: 'error', compromised: null, reasons: [reason], bound, details: null };
}

/** There was nothing to judge. */
export function makeSkipped(reason: Reason): Finding {
  return { status: 'skipped', compromised: null, reasons: [reason], bound: 'none', details: null };
}

/** `at` is when the check ended, `startedAt` when it began; ms since 1970. */
export function makeVerdict(
  platform: Platform,
  { status, compromised, reasons, bound, details }: Finding,
  startedAt: number,
  at: number,
): Verdict {
  return {
    platform,
    status,
    ...(platform === 'android' ? { rooted: compromised } : { jailbroken: compromised }),
    reasons,
    bound,
    details,
    checkedAt: new Date(at).toISOString(),
    latencyMs: Math.max(0, at - startedAt),
  };
}
