/** The verdict of a decoded Play Integrity token, by a table of outcomes. */

import type { Requirements } from './strictness.ts';
import type { Binding, Finding, Reason, VerdictDetails, VerdictStatus } from './verdict.ts';
import { makeError } from './verdict.ts';

/** Google decodes no token older than this, ms. */
const AGE_MAX_MS = 10 * 60_000;
/** Clocks differ; a token from further ahead is not accepted as current. */
const AHEAD_MAX_MS = 60_000;
/** The maximum length of stored texts from Google. */
const TEXT_CHARS_MAX = 64;
const LABELS_MAX = 16;

/** The evaluated part of a decoded token. Null for absent or malformed fields. */
export interface AndroidPayload {
  readonly packageName: string | null;
  /** `requestHash` of a standard token, `nonce` of a classic one. */
  readonly boundTo: string | null;
  /** When the token was requested, ms since 1970. */
  readonly requestedAt: number | null;
  /** Null when Google sent no judgement of the device at all. */
  readonly labels: readonly string[] | null;
  readonly recognition: string | null;
  readonly licensing: string | null;
  readonly details: VerdictDetails;
}

/** The result of the value a token is bound to. */
export type AndroidBinding =
  | { readonly bound: Binding }
  | { readonly refused: Extract<Reason, 'challenge_expired' | 'challenge_reused'> };

export interface AndroidExpectation {
  readonly packageName: string;
  readonly now: number;
  readonly binding: AndroidBinding;
  readonly requires: Requirements;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length > 0 ? value : null;
}

function shortOf(value: unknown): string | undefined {
  return textOf(value)?.slice(0, TEXT_CHARS_MAX);
}

/**
 * Reads Google's response. Lenient: unknown fields are ignored. Null when it is not a response to a
 * decoding.
 */
export function readAndroidPayload(answer: unknown): AndroidPayload | null {
  const payload = fieldsOf(fieldsOf(answer)?.['tokenPayloadExternal']);
  const request = fieldsOf(payload?.['requestDetails']);
  if (payload === null || request === null) return null;
  const device = fieldsOf(payload['deviceIntegrity']);
  const app = fieldsOf(payload['appIntegrity']);
  const account = fieldsOf(payload['accountDetails']);
  const labels = device === null ? null : readLabels(device['deviceRecognitionVerdict']);
  const recognition = shortOf(app?.['appRecognitionVerdict']) ?? null;
  const licensing = shortOf(account?.['appLicensingVerdict']) ?? null;
  return {
    packageName: textOf(request['requestPackageName']),
    boundTo: textOf(request['requestHash']) ?? textOf(request['nonce']),
    requestedAt: readMillis(request['timestampMillis']),
    labels,
    recognition,
    licensing,
    details: defined({
      deviceLabels: labels ?? undefined,
      appRecognition: recognition ?? undefined,
      licensing: licensing ?? undefined,
      ...readExtras(payload, device, app),
    }),
  };
}

function readExtras(payload: Fields, device: Fields | null, app: Fields | null): VerdictDetails {
  const environment = fieldsOf(payload['environmentDetails']);
  const activity = fieldsOf(device?.['recentDeviceActivity']);
  const sdk = fieldsOf(device?.['deviceAttributes'])?.['sdkVersion'];
  const testing = fieldsOf(payload['testingDetails'])?.['isTestingResponse'];
  return defined({
    playProtect: shortOf(environment?.['playProtectVerdict']),
    activityLevel: shortOf(activity?.['deviceActivityLevel']),
    sdkVersion: typeof sdk === 'number' && Number.isSafeInteger(sdk) ? sdk : undefined,
    versionCode: shortOf(app?.['versionCode']),
    testing: testing === true ? true : undefined,
  });
}

/** Absent labels count as none, and so does anything but a list of texts. */
function readLabels(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((each): each is string => typeof each === 'string')
    .slice(0, LABELS_MAX)
    .map((each) => each.slice(0, TEXT_CHARS_MAX));
}

/** A text by Google's own word; numbers have been seen. */
function readMillis(value: unknown): number | null {
  const isText = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const ms = isText ? Number(value) : value;
  return typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= 0 ? ms : null;
}

function defined(details: { [K in keyof VerdictDetails]: VerdictDetails[K] | undefined }) {
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as VerdictDetails;
}

// ── the table ──────────────────────────────────────────────────────────────────────────────────

type Ask = (payload: AndroidPayload, expected: AndroidExpectation) => boolean;

/** Why an authentic token says nothing about its device. The first reason that applies. */
const NOT_FOR_US: readonly (readonly [Reason, Ask])[] = [
  ['package_mismatch', ({ packageName }, expected) => packageName !== expected.packageName],
  ['token_stale', ({ requestedAt }, { now }) => now - requestedAt! > AGE_MAX_MS],
  ['token_from_future', ({ requestedAt }, { now }) => requestedAt! - now > AHEAD_MAX_MS],
];

const has =
  (...wanted: readonly string[]): ((labels: readonly string[]) => boolean) =>
  (labels) =>
    wanted.some((label) => labels.includes(label));

interface DeviceRow {
  readonly when: (labels: readonly string[]) => boolean;
  readonly status: VerdictStatus;
  readonly rooted: boolean;
  readonly reasons: readonly Reason[];
}

/**
 * What the labels mean. `rooted` says "Google does not vouch for this device": rooted, unlocked,
 * hooked, uncertified or emulated. BASIC and STRONG are seen by few apps, so that the absence of
 * DEVICE and STRONG is the one sign that means the same to all.
 */
const DEVICE_ROWS: readonly DeviceRow[] = [
  {
    when: has('MEETS_DEVICE_INTEGRITY', 'MEETS_STRONG_INTEGRITY'),
    status: 'passed',
    rooted: false,
    reasons: [],
  },
  {
    when: has('MEETS_VIRTUAL_INTEGRITY'),
    status: 'passed',
    rooted: false,
    reasons: ['emulator_trusted'],
  },
  {
    when: has('MEETS_BASIC_INTEGRITY'),
    status: 'failed',
    rooted: true,
    reasons: ['basic_integrity_only'],
  },
  { when: () => true, status: 'failed', rooted: true, reasons: ['device_integrity_empty'] },
];

/**
 * A standard token that is decoded a second time looks like this, and so may an untrusted device:
 * the reason distinguishes them.
 */
const isCleared: Ask = ({ labels, recognition, licensing }) =>
  labels!.length === 0 && recognition === 'UNEVALUATED' && licensing === 'UNEVALUATED';

const isUnbound: Ask = (_, { binding }) => 'bound' in binding && binding.bound === 'none';

interface NoteRow {
  readonly reason: Reason;
  readonly when: Ask;
  /** What makes it a failure, by which name. */
  readonly failsIf: { readonly requires: 'binding' | 'recognized_app' | 'licensed_app' } | null;
  readonly failsAs: Reason;
}

/** Notes beside the verdict, which fail the device only if an operator requires that. */
const NOTE_ROWS: readonly NoteRow[] = [
  { reason: 'verdicts_cleared', when: isCleared, failsIf: null, failsAs: 'verdicts_cleared' },
  {
    reason: 'app_unrecognized',
    when: ({ recognition }) => recognition === 'UNRECOGNIZED_VERSION',
    failsIf: { requires: 'recognized_app' },
    failsAs: 'app_unrecognized',
  },
  {
    reason: 'app_unlicensed',
    when: ({ licensing }) => licensing === 'UNLICENSED',
    failsIf: { requires: 'licensed_app' },
    failsAs: 'app_unlicensed',
  },
  {
    reason: 'binding_unverified',
    when: isUnbound,
    failsIf: { requires: 'binding' },
    failsAs: 'binding_mismatch',
  },
];

/** Judges a token that Google decoded, for the first time it was seen. */
export function judgeAndroid(payload: AndroidPayload, expected: AndroidExpectation): Finding {
  if (payload.labels === null || payload.requestedAt === null) {
    return makeError('malformed_payload');
  }
  const { details } = payload;
  const { binding } = expected;
  const refusal = NOT_FOR_US.find(([, holds]) => holds(payload, expected))?.[0];
  const bound = 'bound' in binding ? binding.bound : 'none';
  const reason = refusal ?? ('refused' in binding ? binding.refused : undefined);
  if (reason !== undefined) {
    return { status: 'failed', compromised: null, reasons: [reason], bound, details };
  }
  const { labels } = payload;
  const device = DEVICE_ROWS.find(({ when }) => when(labels))!;
  const notes = NOTE_ROWS.filter(({ when }) => when(payload, expected));
  const isFailed = ({ failsIf }: NoteRow): boolean =>
    failsIf !== null && expected.requires.has(failsIf.requires);
  return {
    status: notes.some(isFailed) ? 'failed' : device.status,
    compromised: device.rooted,
    reasons: [
      ...device.reasons,
      ...notes.map((note) => (isFailed(note) ? note.failsAs : note.reason)),
    ],
    bound,
    details,
  };
}
