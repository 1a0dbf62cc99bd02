/** Whatever goes wrong inside, a check is a verdict, and in time. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { IntegrityStore } from '../../store/integrity.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeAttestAuthority } from '../../testing/attest-authority.ts';
import { MANUAL_CLOCK_START, makeManualClock } from '../../testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { systemRandomness } from '../system.ts';
import { wireIntegrity } from './wire.ts';

const folder = makeTempFolder();
const clock = makeManualClock();
const authority = makeAttestAuthority({ now: MANUAL_CLOCK_START });
const logged: object[] = [];
const log = { info: () => {}, error: (fields: object) => void logged.push(fields) };
let store: Store;

beforeAll(async () => {
  store = await openSqliteStore(join(folder, 'matchd.db'));
  const credential = { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' };
  const row = { platform: 'ios', credential, tenant: 'ten_a', updatedAt: 0 } as const;
  await store.putCredential(
    row,
    { tenant: 'ten_a', actor: 'cli', act: '', object: '', at: 0 },
    null,
  );
});
afterAll(async () => {
  await store.close();
  removeFolder(folder);
});

const serviceOn = (change: Partial<IntegrityStore> = {}) =>
  wireIntegrity(
    { store: { ...store, ...change }, clock, randomness: systemRandomness, log },
    {
      accountsFolder: null,
      tokenUrl: 'http://127.0.0.1:9/token',
      playIntegrityUrl: 'http://127.0.0.1:9',
      appAttestRoots: authority.rootPem,
      appAttestEnvironments: ['production'],
      requires: [],
    },
  );
const REQUEST = { tenant: 'ten_a', mode: 'test', platform: 'ios', token: 'AAAA' } as const;

test('[I3] a bare proof where the request names no players has nothing to be bound to', async () => {
  const device = authority.makeDevice();
  const proof = device.attest({ clientDataHash: Buffer.alloc(32), appId: 'x' });
  const request = { ...REQUEST, token: proof.toString('base64'), bound: null };
  expect(await serviceOn().check(request)).toMatchObject({
    status: 'error',
    jailbroken: null,
    reasons: ['challenge_missing'],
  });
});

test('[I2] a store that fails is an error of ours, and is logged', async () => {
  const failing = serviceOn({
    findCredential: () => Promise.reject(new Error('the disk is gone')),
  });
  expect(await failing.check({ ...REQUEST, bound: null })).toMatchObject({
    status: 'error',
    jailbroken: null,
    reasons: ['internal'],
  });
  expect(logged).toMatchObject([{ err: new Error('the disk is gone'), tenant: 'ten_a' }]);
});

test('[METRICS] checks are counted by what they came to', async () => {
  const service = serviceOn();
  for (const platform of ['ios', 'ios', 'android'] as const) {
    await service.check({ ...REQUEST, platform, bound: null });
  }
  expect(service.tally()).toEqual([
    { platform: 'ios', status: 'error', reason: 'malformed_token', count: 2 },
    { platform: 'android', status: 'skipped', reason: 'no_credential', count: 1 },
  ]);
});

test('[I2] a store that does not answer costs 2.5 s', async () => {
  const hanging = serviceOn({ findCredential: () => new Promise(() => {}) });
  const check = hanging.check({ ...REQUEST, bound: null });
  clock.advance(2_499);
  clock.advance(1);
  expect(await check).toMatchObject({ reasons: ['timeout'], latencyMs: 2_500 });
  expect(clock.nextAt()).toBeNull();
});
