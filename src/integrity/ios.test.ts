/** Every row of the table of outcomes for iOS, and how verdicts and checks are recorded. */

import { expect, test } from 'bun:test';
import { addCheck, readChecks } from './checks.ts';
import { acceptIos, type IosRefusal, refuseIos } from './ios.ts';
import { makeError, makeSkipped, makeVerdict } from './verdict.ts';

const ROWS: Readonly<Record<IosRefusal, readonly ['failed' | 'error', true | null]>> = {
  untrusted_chain: ['failed', true],
  nonce_mismatch: ['failed', true],
  signature_invalid: ['failed', true],
  key_mismatch: ['failed', true],
  category_invalid: ['failed', true],
  counter_regressed: ['failed', true],
  counter_not_zero: ['failed', null],
  app_id_mismatch: ['failed', null],
  environment_not_allowed: ['failed', null],
  certificate_expired: ['failed', null],
  challenge_unknown: ['failed', null],
  challenge_expired: ['failed', null],
  challenge_reused: ['failed', null],
  token_replayed: ['failed', null],
  key_unknown: ['error', null],
  key_id_missing: ['error', null],
  challenge_missing: ['error', null],
  malformed_token: ['error', null],
  token_too_large: ['error', null],
};

for (const [reason, [status, jailbroken]] of Object.entries(ROWS)) {
  test(`[I3] ${reason}: ${status}, jailbroken ${jailbroken}`, () => {
    expect(refuseIos(reason as IosRefusal, 'challenge', false)).toEqual({
      status,
      compromised: jailbroken,
      reasons: [reason as IosRefusal],
      bound: 'challenge',
      details: null,
    });
  });
}

test('[I3] no device is accused when the signed data was only guessed', () => {
  for (const reason of ['nonce_mismatch', 'signature_invalid'] as const) {
    expect(refuseIos(reason, 'request', true)).toMatchObject({
      status: 'failed',
      compromised: null,
    });
  }
  expect(refuseIos('untrusted_chain', 'request', true).compromised).toBe(true);
});

test('[I3] a valid token passes, and fails only where binding is required and missing', () => {
  const details = { environment: 'production' } as const;
  const strict = new Set(['binding'] as const);
  for (const bound of ['challenge', 'request'] as const) {
    for (const requires of [new Set<never>(), strict]) {
      const found = acceptIos(bound, details, requires);
      expect(found).toEqual({ status: 'passed', compromised: false, reasons: [], bound, details });
    }
  }
  expect(acceptIos('none', details, new Set())).toMatchObject({
    status: 'passed',
    reasons: ['binding_unverified'],
  });
  expect(acceptIos('none', details, strict)).toMatchObject({
    status: 'failed',
    compromised: false,
    reasons: ['binding_mismatch'],
  });
});

test('[I3] a verdict has the platform’s own value and its time', () => {
  const found = makeVerdict('android', makeError('timeout'), 1_000, 3_500);
  expect(found).toEqual({
    platform: 'android',
    status: 'error',
    rooted: null,
    reasons: ['timeout'],
    bound: 'none',
    details: null,
    checkedAt: '1970-01-01T00:00:03.500Z',
    latencyMs: 2_500,
  });
  const skipped = makeVerdict('ios', makeSkipped('no_credential'), 5, 4);
  expect(skipped).toMatchObject({ status: 'skipped', jailbroken: null, latencyMs: 0 });
  expect(skipped).not.toHaveProperty('rooted');
});

test('[I3a] checks are stored in the order in which they were made', () => {
  const [a, b] = [makeError('timeout'), makeSkipped('no_credential')].map((found) =>
    makeVerdict('ios', found, 0, 0),
  );
  const kept = addCheck(addCheck(null, { seat: 1, verdict: a! }), { seat: 0, verdict: b! });
  expect(readChecks(kept)).toEqual([
    { seat: 1, verdict: a! },
    { seat: 0, verdict: b! },
  ]);
  expect(readChecks(undefined)).toEqual([]);
});
