/** In real time: what a hanging Google costs a check, and the next check after that. */

// @alone: it measures times, which parallel tests would stretch.

import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { openGoogleStandIn } from '../../testing/devices/google-stand-in.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { makeSystemClock, systemRandomness } from '../system.ts';
import { APPLE_APP_ATTEST_ROOT } from './apple-root.ts';
import { wireIntegrity } from './wire.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const TENANT = 'ten_a';
const PROJECT = '123456789012';
const APP = { packageName: 'com.example.game', googleCloudProjectNumber: PROJECT };

test('[I2][I3] 2.5 s for each check while it is asked, nothing once the breaker is open', async () => {
  const clock = makeSystemClock();
  const store = await openSqliteStore(join(folder, 'matchd.db'));
  const google = await openGoogleStandIn(() => clock.now());
  writeFileSync(join(folder, `${PROJECT}.json`), google.makeAccount(PROJECT));
  const log = { info: () => {}, error: () => {} };
  const service = wireIntegrity(
    { store, clock, randomness: systemRandomness, log },
    {
      accountsFolder: folder,
      tokenUrl: google.tokenUrl,
      playIntegrityUrl: google.playIntegrityUrl,
      appAttestRoots: APPLE_APP_ATTEST_ROOT,
      appAttestEnvironments: ['production'],
      requires: [],
    },
  );
  const world = { tenant: TENANT, mode: 'live' } as const;
  await service.register(world, { platform: 'android', credential: APP }, 'cli', null);
  const check = async () => {
    const requestedAt = clock.now();
    const labels = ['MEETS_DEVICE_INTEGRITY'];
    const { packageName } = APP;
    const token = google.mint({ project: PROJECT, packageName, requestedAt, labels });
    const startedAt = performance.now();
    const request = {
      ...world,
      world: 'live',
      platform: 'android',
      token,
      asked: '',
    } as const;
    const { verdict } = await service.check({ ...request, bound: null });
    return { reason: verdict.reasons[0], tookMs: performance.now() - startedAt };
  };
  expect((await check()).reason).toBe('binding_unverified');
  google.behave({ decode: 'hang' });
  for (const { reason, tookMs } of await Promise.all([1, 2, 3, 4, 5].map(check))) {
    expect(reason).toBe('timeout');
    expect(tookMs).toBeGreaterThan(2_450);
    holdBar('a check that hangs, ms', tookMs, 2_900);
  }
  const { reason, tookMs } = await check();
  expect(reason).toBe('circuit_open');
  holdBar('a check once the breaker is open, ms', tookMs, 100);
  await google.close();
  await store.close();
}, 20_000);
