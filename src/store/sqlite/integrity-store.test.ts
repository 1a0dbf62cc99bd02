/** What device checks keep in SQLite: each step is one, whoever else takes it at the same time. */

import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sweepIntegrity } from '../../runtime/integrity/sweep.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { answerOf, auditOf, T0, TENANT } from '../contract/stage.ts';
import type { AttestedKey, ChallengeRow, CredentialRow } from '../integrity.ts';
import type { Store } from '../whole-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

let store: Store;
let file: string;
let files = 0;

beforeEach(async () => {
  files += 1;
  file = join(folder, `${files}.db`);
  store = await openSqliteStore(file);
});

const IOS: CredentialRow = {
  tenant: TENANT,
  platform: 'ios',
  credential: { bundleId: 'com.example', teamId: 'A1B2C3D4E5' },
  updatedAt: T0,
};
const ANDROID: CredentialRow = {
  tenant: TENANT,
  platform: 'android',
  credential: { packageName: 'com.example', googleCloudProjectNumber: '1' },
  updatedAt: T0 + 1,
};
const KEY: AttestedKey = {
  tenant: TENANT,
  appId: 'A1B2C3D4E5.com.example',
  keyId: 'key',
  publicKey: 'point',
  environment: 'production',
  attestedAt: T0,
};
const challengeOf = (digest: string, change: Partial<ChallengeRow> = {}): ChallengeRow => ({
  digest,
  tenant: TENANT,
  platform: 'ios',
  expiresAt: T0 + 300_000,
  ...change,
});
const use = (digest: string, now = T0, change: object = {}) =>
  store.useChallenge({ digest, tenant: TENANT, platform: 'ios', now, ...change });
const times = <T>(n: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, act));

describe('credentials', () => {
  test('[I1] one a platform and tenant: a second replaces the first', async () => {
    await store.putCredential(IOS, auditOf('integrity.put'), null);
    await store.putCredential(ANDROID, auditOf('integrity.put'), null);
    expect(await store.findCredential(TENANT, 'ios')).toEqual(IOS);
    expect(await store.listCredentials(TENANT)).toEqual([ANDROID, IOS]);
    const next = { ...IOS, updatedAt: T0 + 2 };
    await store.putCredential(next, auditOf('integrity.put'), null);
    expect(await store.listCredentials(TENANT)).toEqual([next, ANDROID]);
    expect(await store.findCredential('ten_b', 'ios')).toBeNull();
    expect(await store.listCredentials('ten_b')).toEqual([]);
  });

  test('[I1][H8] removing what is not there writes nothing; otherwise the answer is kept', async () => {
    const id = { tenant: TENANT, platform: 'ios' } as const;
    const answer = answerOf('k');
    const find = () => store.findIdempotent(answer, T0);
    expect(await store.removeCredential(id, auditOf('integrity.delete'), answer)).toBe(false);
    expect(await find()).toBeNull();
    await store.putCredential(IOS, auditOf('integrity.put'), null);
    expect(await store.removeCredential(id, auditOf('integrity.delete'), answer)).toBe(true);
    expect((await find())?.body).toBe(answer.body);
    expect(await store.findCredential(TENANT, 'ios')).toBeNull();
  });
});

describe('challenges', () => {
  test('[I4] of any number of uses one counts', async () => {
    await store.addChallenge(challengeOf('a'), null);
    const outcomes = await times(20, () => use('a'));
    expect(outcomes.filter((each) => each === 'used')).toHaveLength(1);
    expect(outcomes.filter((each) => each === 'reused')).toHaveLength(19);
  });

  test('[I4] what is another tenant’s or platform’s is unknown, and stays unused', async () => {
    await store.addChallenge(challengeOf('a'), null);
    expect(await use('b')).toBe('unknown');
    expect(await use('a', T0, { tenant: 'ten_b' })).toBe('unknown');
    expect(await use('a', T0, { platform: 'android' })).toBe('unknown');
    expect(await use('a', T0 + 299_999)).toBe('used');
  });

  test('[I4] what has expired stays expired', async () => {
    await store.addChallenge(challengeOf('a'), null);
    expect(await use('a', T0 + 300_000)).toBe('expired');
    expect(await use('a', T0 + 300_001)).toBe('expired');
  });
});

describe('tokens', () => {
  test('[I3] a digest is new once, also to another process and after a restart', async () => {
    const other = await openSqliteStore(file);
    const both = await Promise.all([
      times(10, () => store.noteToken('d', T0)),
      times(10, () => other.noteToken('d', T0)),
    ]);
    expect(both.flat().filter(Boolean)).toHaveLength(1);
    await other.close();
    await store.close();
    store = await openSqliteStore(file);
    expect(await store.noteToken('d', T0 + 1)).toBe(false);
    expect(await store.noteToken('e', T0 + 1)).toBe(true);
  });
});

describe('attested keys', () => {
  test('[I3] a key is kept once a tenant and app', async () => {
    expect((await times(5, () => store.addAttestedKey(KEY))).filter(Boolean)).toHaveLength(1);
    expect(await store.findAttestedKey(KEY)).toEqual(KEY);
    expect(await store.findAttestedKey({ ...KEY, tenant: 'ten_b' })).toBeNull();
    expect(await store.findAttestedKey({ ...KEY, appId: 'x' })).toBeNull();
    expect(await store.addAttestedKey({ ...KEY, tenant: 'ten_b' })).toBe(true);
  });

  test('[I3] its counter only rises, and of equal ones at once one does', async () => {
    await store.addAttestedKey(KEY);
    expect(await store.raiseCounter(KEY, 0)).toBe(false);
    const raised = await times(10, () => store.raiseCounter(KEY, 1));
    expect(raised.filter(Boolean)).toHaveLength(1);
    expect(await store.raiseCounter(KEY, 4_294_967_295)).toBe(true);
    expect(await store.raiseCounter(KEY, 2)).toBe(false);
    expect(await store.raiseCounter({ ...KEY, keyId: 'other' }, 1)).toBe(false);
  });
});

test('[R1] challenges go an hour after they expired, tokens after a day', async () => {
  const clock = makeManualClock(T0);
  const HOUR_MS = 3_600_000;
  for (let n = 0; n < 600; n++) void store.addChallenge(challengeOf(`c${n}`), null);
  await store.noteToken('t', T0);
  expect(await sweepIntegrity(store, clock)).toBe(0);
  clock.advance(300_000 + HOUR_MS);
  expect(await sweepIntegrity(store, clock)).toBe(0);
  clock.advance(1);
  expect(await sweepIntegrity(store, clock)).toBe(600);
  expect(await use('c1', clock.now())).toBe('unknown');
  clock.advance(23 * HOUR_MS - 300_001);
  expect(await store.noteToken('t', clock.now())).toBe(false);
  clock.advance(1);
  expect(await sweepIntegrity(store, clock)).toBe(1);
  expect(await store.noteToken('t', clock.now())).toBe(true);
});
