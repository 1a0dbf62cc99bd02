/** The device checks of the sample month: most pass; a few devices and one hour of the provider do not. */

import { type Finding, makeVerdict, type Platform, type Verdict } from '../../integrity/verdict.ts';
import type { CredentialRow, IntegrityStore } from '../../store/integrity.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { Chance } from './chance.ts';

/** The share of sessions whose first player's device was checked. */
const CHECKED = 0.7;
const ANDROID = 0.6;

const PASSED: Finding = {
  status: 'passed',
  compromised: false,
  reasons: [],
  bound: 'challenge',
  details: null,
};

interface Share {
  /** Of all checks of the platform; what is left passes. */
  readonly share: number;
  readonly finding: Finding;
}

function failed(reason: Finding['reasons'][number], compromised: boolean | null): Finding {
  return { ...PASSED, status: 'failed', reasons: [reason], compromised };
}

function unjudged(status: 'error' | 'skipped', reason: Finding['reasons'][number]): Finding {
  return { status, compromised: null, reasons: [reason], bound: 'none', details: null };
}

const SKIPPED: Share = { share: 0.04, finding: unjudged('skipped', 'token_missing') };

const FINDINGS: Readonly<Record<Platform, readonly Share[]>> = {
  android: [
    { share: 0.05, finding: failed('basic_integrity_only', true) },
    { share: 0.02, finding: failed('app_unrecognized', null) },
    { share: 0.02, finding: failed('challenge_expired', null) },
    { share: 0.02, finding: unjudged('error', 'provider_unavailable') },
    { share: 0.01, finding: unjudged('error', 'timeout') },
    SKIPPED,
  ],
  ios: [
    { share: 0.03, finding: failed('counter_regressed', null) },
    { share: 0.02, finding: failed('key_unknown', null) },
    SKIPPED,
  ],
};

/** `at` is when the check ended. Null: the session was created without one. */
export function drawVerdict(at: number, chance: Chance): Verdict | null {
  if (chance.fraction() > CHECKED) return null;
  const platform = chance.fraction() < ANDROID ? 'android' : 'ios';
  let left = chance.fraction();
  const found = FINDINGS[platform].find(({ share }) => {
    left -= share;
    return left < 0;
  });
  const finding = found?.finding ?? PASSED;
  // Google is asked; what App Attest shows is checked here.
  const median = finding.status === 'skipped' ? 1 : platform === 'android' ? 180 : 6;
  const tookMs = finding.reasons[0] === 'timeout' ? 5_000 : Math.ceil(chance.duration(median));
  return makeVerdict(platform, finding, at - tookMs, at);
}

export async function writeCredentials(
  store: Pick<IntegrityStore, 'putCredential'>,
  { id: tenant, createdAt: updatedAt }: Tenant,
): Promise<void> {
  const world = { tenant, mode: 'live', updatedAt } as const;
  const rows: readonly CredentialRow[] = [
    {
      ...world,
      platform: 'android',
      credential: { packageName: 'invalid.sample.game', googleCloudProjectNumber: '123456789012' },
    },
    {
      ...world,
      platform: 'ios',
      credential: { bundleId: 'invalid.sample.game', teamId: 'SAMPLE0000' },
    },
  ];
  for (const row of rows) {
    const object = row.platform;
    const act = 'integrity.put';
    await store.putCredential(row, { tenant, actor: 'dev', act, object, at: updatedAt }, null);
  }
}
