/** Every row of the table of outcomes for Android. */

import { describe, expect, test } from 'bun:test';
import { type AndroidExpectation, judgeAndroid, readAndroidPayload } from './android.ts';
import type { Requirement } from './strictness.ts';
import type { Finding } from './verdict.ts';

const NOW = Date.UTC(2026, 10, 14, 12);
const APP = 'com.example.game';
const DEVICE = ['MEETS_DEVICE_INTEGRITY'];

type Part = Readonly<Record<string, unknown>> | undefined;

interface Wish {
  readonly request?: Part;
  readonly device?: Part;
  readonly app?: Part;
  readonly account?: Part;
  readonly rest?: Part;
}

function answerOf({ request, device, app, account, rest }: Wish): object {
  return {
    tokenPayloadExternal: {
      requestDetails: { requestPackageName: APP, timestampMillis: String(NOW - 5_000), ...request },
      deviceIntegrity: device ?? { deviceRecognitionVerdict: DEVICE },
      appIntegrity: app ?? { appRecognitionVerdict: 'PLAY_RECOGNIZED', versionCode: '42' },
      accountDetails: account ?? { appLicensingVerdict: 'LICENSED' },
      ...rest,
    },
  };
}

function judge(
  wish: Wish,
  change: Partial<AndroidExpectation> = {},
  requires: readonly Requirement[] = [],
): Finding {
  const expected = {
    packageName: APP,
    now: NOW,
    binding: { bound: 'request' },
    requires: new Set(requires),
    ...change,
  } as const;
  return judgeAndroid(readAndroidPayload(answerOf(wish))!, expected);
}

const labelled = (...labels: unknown[]): Wish => ({
  device: { deviceRecognitionVerdict: labels },
});
const CLEARED = {
  device: {},
  app: { appRecognitionVerdict: 'UNEVALUATED' },
  account: { appLicensingVerdict: 'UNEVALUATED' },
};

describe('the device', () => {
  const rows: readonly (readonly [string, Wish, string, boolean | null, string[]])[] = [
    ['DEVICE', labelled('MEETS_DEVICE_INTEGRITY'), 'passed', false, []],
    ['STRONG', labelled('MEETS_STRONG_INTEGRITY'), 'passed', false, []],
    [
      'all of them',
      labelled('MEETS_BASIC_INTEGRITY', 'MEETS_DEVICE_INTEGRITY', 'MEETS_STRONG_INTEGRITY'),
      'passed',
      false,
      [],
    ],
    ['VIRTUAL', labelled('MEETS_VIRTUAL_INTEGRITY'), 'passed', false, ['emulator_trusted']],
    ['BASIC alone', labelled('MEETS_BASIC_INTEGRITY'), 'failed', true, ['basic_integrity_only']],
    ['no label', { device: {} }, 'failed', true, ['device_integrity_empty']],
    ['an empty list', labelled(), 'failed', true, ['device_integrity_empty']],
    ['labels nobody knows', labelled('MEETS_MAGIC', 7), 'failed', true, ['device_integrity_empty']],
    [
      'what a second decoding gives',
      CLEARED,
      'failed',
      true,
      ['device_integrity_empty', 'verdicts_cleared'],
    ],
  ];
  for (const [what, wish, status, rooted, reasons] of rows) {
    test(`[I3] ${what}: ${status}, rooted ${rooted}`, () => {
      expect(judge(wish)).toMatchObject({ status, compromised: rooted, reasons });
    });
  }

  test('[I3] an answer without a verdict on the device, or without a time, is not evaluated', () => {
    for (const wish of [
      { rest: { deviceIntegrity: undefined } },
      { rest: { deviceIntegrity: [] } },
      { request: { timestampMillis: undefined } },
      { request: { timestampMillis: 'yesterday' } },
      { request: { timestampMillis: -1 } },
    ]) {
      expect(judge(wish)).toEqual({
        status: 'error',
        compromised: null,
        reasons: ['malformed_payload'],
        bound: 'none',
        details: null,
      });
    }
  });
});

describe('tokens of others', () => {
  const rows: readonly (readonly [string, Wish, Partial<AndroidExpectation>, string])[] = [
    ['another app', { request: { requestPackageName: 'com.other' } }, {}, 'package_mismatch'],
    ['no app', { request: { requestPackageName: 7 } }, {}, 'package_mismatch'],
    ['ten minutes and a bit ago', {}, { now: NOW + 595_001 }, 'token_stale'],
    ['a minute and a bit ahead', {}, { now: NOW - 65_001 }, 'token_from_future'],
    [
      'an expired challenge',
      {},
      { binding: { refused: 'challenge_expired' } },
      'challenge_expired',
    ],
    ['a used challenge', {}, { binding: { refused: 'challenge_reused' } }, 'challenge_reused'],
  ];
  for (const [what, wish, change, reason] of rows) {
    test(`[I3] ${what}: failed as ${reason}, with no statement about the device`, () => {
      for (const device of [{}, { deviceRecognitionVerdict: DEVICE }]) {
        const found = judge({ ...wish, device }, change);
        expect(found).toMatchObject({ status: 'failed', compromised: null, reasons: [reason] });
      }
    });
  }

  test('[I3] ten minutes ago and a minute ahead count as now', () => {
    expect(judge({}, { now: NOW + 595_000 }).status).toBe('passed');
    expect(judge({}, { now: NOW - 65_000 }).status).toBe('passed');
    expect(judge({ request: { timestampMillis: NOW } }).status).toBe('passed');
  });
});

describe('what is recorded', () => {
  const unbound = { binding: { bound: 'none' } } as const;
  const rows: readonly (readonly [
    Wish,
    Partial<AndroidExpectation>,
    Requirement,
    string,
    string,
  ])[] = [
    [
      { app: { appRecognitionVerdict: 'UNRECOGNIZED_VERSION' } },
      {},
      'recognized_app',
      'app_unrecognized',
      'app_unrecognized',
    ],
    [
      { account: { appLicensingVerdict: 'UNLICENSED' } },
      {},
      'licensed_app',
      'app_unlicensed',
      'app_unlicensed',
    ],
    [{}, unbound, 'binding', 'binding_unverified', 'binding_mismatch'],
  ];
  for (const [wish, change, requirement, note, failure] of rows) {
    test(`[I3] ${note} passes, and fails where ${requirement} is required`, () => {
      const lenient = { status: 'passed', compromised: false, reasons: [note] } as const;
      expect(judge(wish, change)).toMatchObject(lenient);
      const strict = { status: 'failed', compromised: false, reasons: [failure] } as const;
      expect(judge(wish, change, [requirement])).toMatchObject(strict);
      const rooted = judge({ ...wish, device: {} }, change, [requirement]);
      expect(rooted).toMatchObject({ status: 'failed', compromised: true });
    });
  }

  test('[I3] the binding of a token is reported', () => {
    for (const bound of ['challenge', 'request', 'none'] as const) {
      expect(judge({}, { binding: { bound } }).bound).toBe(bound);
    }
  });

  test("[I3] details hold Google's verdict, shortened, and nothing else", () => {
    const { details } = judge({
      device: {
        deviceRecognitionVerdict: DEVICE,
        deviceAttributes: { sdkVersion: 36 },
        recentDeviceActivity: { deviceActivityLevel: 'LEVEL_1' },
        deviceRecall: { values: { bitFirst: true } },
      },
      rest: {
        environmentDetails: { playProtectVerdict: 'NO_ISSUES'.padEnd(500, 'x') },
        testingDetails: { isTestingResponse: true },
      },
    });
    expect(details).toEqual({
      deviceLabels: DEVICE,
      appRecognition: 'PLAY_RECOGNIZED',
      licensing: 'LICENSED',
      playProtect: 'NO_ISSUES'.padEnd(64, 'x'),
      activityLevel: 'LEVEL_1',
      sdkVersion: 36,
      versionCode: '42',
      testing: true,
    });
  });
});

test('[I3] an invalid response to a decoding is refused', () => {
  for (const answer of [
    null,
    undefined,
    [],
    'text',
    {},
    { tokenPayloadExternal: null },
    { tokenPayloadExternal: [] },
    { tokenPayloadExternal: {} },
    { tokenPayload: answerOf({}) },
  ]) {
    expect(readAndroidPayload(answer)).toBeNull();
  }
});

test('[I3] a token bound by hash or by nonce names its binding', () => {
  const boundTo = (request: Part) => readAndroidPayload(answerOf({ request }))!.boundTo;
  expect(boundTo({ requestHash: 'h', nonce: 'n' })).toBe('h');
  expect(boundTo({ nonce: 'n' })).toBe('n');
  expect(boundTo({ requestHash: '' })).toBeNull();
});
