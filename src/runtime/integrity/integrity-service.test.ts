/** Whatever goes wrong inside, a check returns a verdict, and in time. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { IntegrityStore } from '../../store/integrity.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeAttestAuthority } from '../../testing/devices/attest-authority.ts';
import { MANUAL_CLOCK_START, makeManualClock } from '../../testing/manual-clock.ts';
import { systemRandomness } from '../system.ts';
import { requestDigest } from './client-data.ts';
import { wireIntegrity } from './wire.ts';

const clock = makeManualClock();
const authority = makeAttestAuthority({ now: MANUAL_CLOCK_START });
const logged: object[] = [];
const log = { info: () => {}, error: (fields: object) => void logged.push(fields) };
let store: Store;

beforeAll(async () => {
  store = openMemoryStore();
  const credential = { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' };
  const row = { platform: 'ios', credential, tenant: 'ten_a', mode: 'live', updatedAt: 0 } as const;
  await store.putCredential(
    row,
    { tenant: 'ten_a', actor: 'cli', act: '', object: '', at: 0 },
    null,
  );
});
afterAll(async () => {
  await store.close();
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
const IOS = { tenant: 'ten_a', mode: 'test', world: 'test', platform: 'ios' } as const;
const REQUEST = { ...IOS, token: 'AAAA', asked: 'a match' } as const;
const MATCH = { game: 'tictactoe', matchType: 'matchmaking', players: ['ann', 'ben'] } as const;

/** A new device's token over data that no request has the digest of. */
function bareProof(): string {
  const proof = authority.makeDevice().attest({ clientDataHash: Buffer.alloc(32), appId: 'x' });
  return Buffer.from(proof).toString('base64');
}

test('[I3] a bare token for a request that names no players has nothing to be bound to', async () => {
  const request = { ...REQUEST, token: bareProof(), bound: null };
  expect((await serviceOn().check(request)).verdict).toMatchObject({
    status: 'error',
    jailbroken: null,
    reasons: ['challenge_missing'],
  });
});

test('[I2] a failing store is reported as our error, and logged', async () => {
  const failing = serviceOn({
    findCredential: () => Promise.reject(new Error('the disk is gone')),
  });
  expect((await failing.check({ ...REQUEST, bound: null })).verdict).toMatchObject({
    status: 'error',
    jailbroken: null,
    reasons: ['internal'],
  });
  expect(logged).toMatchObject([{ err: new Error('the disk is gone'), tenant: 'ten_a' }]);
});

test('[METRICS] checks are counted by outcome', async () => {
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
  expect((await check).verdict).toMatchObject({ reasons: ['timeout'], latencyMs: 2_500 });
  expect(clock.nextAt()).toBeNull();
});

test('[I4] a returned finding is found on another node, once, and by the same request only', async () => {
  const proof = authority.makeDevice().attest({
    clientDataHash: requestDigest(MATCH),
    appId: 'A1B2C3D4E5.com.example.game',
  });
  const request = { ...REQUEST, token: Buffer.from(proof).toString('base64'), bound: MATCH };
  const [first, second] = [serviceOn(), serviceOn()];
  const checked = await first.check(request);
  expect(checked.verdict).toMatchObject({ status: 'passed', bound: 'request' });
  const replayed = { status: 'failed', jailbroken: null, reasons: ['token_replayed'] };
  const early = await second.check(request);
  expect(early.verdict).toMatchObject(replayed);
  // Its token was used by another request: there is no finding to return.
  await early.giveBack();
  expect((await second.check(request)).verdict).toMatchObject(replayed);
  await checked.giveBack();
  expect((await second.check({ ...request, asked: 'another' })).verdict).toMatchObject(replayed);
  expect((await second.check({ ...request, tenant: 'ten_b' })).verdict.status).toBe('skipped');
  expect((await second.check(request)).verdict).toMatchObject({ status: 'passed', reasons: [] });
  expect((await first.check(request)).verdict).toMatchObject(replayed);
});

test('[I4] a token recorded only after the time limit has its finding for the repeat', async () => {
  const clientDataHash = requestDigest(MATCH);
  const appId = 'A1B2C3D4E5.com.example.game';
  const proof = authority.makeDevice().attest({ clientDataHash, appId });
  const request = { ...REQUEST, token: Buffer.from(proof).toString('base64'), bound: MATCH };
  const [asked, answered, held] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const slow = serviceOn({
    async noteToken(use) {
      asked!.resolve();
      await answered!.promise;
      return await store.noteToken(use);
    },
    async holdFinding(...args) {
      await store.holdFinding(...args);
      held!.resolve();
    },
  });
  const checking = slow.check(request);
  await asked!.promise;
  clock.advance(2_500);
  const { verdict, giveBack } = await checking;
  expect(verdict.reasons).toEqual(['timeout']);
  // The refused create is answered without waiting for the store.
  await giveBack();
  answered!.resolve();
  await held!.promise;
  expect((await serviceOn().check(request)).verdict.reasons).toEqual(['timeout']);
  expect((await serviceOn().check(request)).verdict.reasons).toEqual(['token_replayed']);
});

test('[I2] a finding that cannot be returned does no harm', async () => {
  const away = () => Promise.reject(new Error('the store is away'));
  const request = { ...REQUEST, token: bareProof(), bound: null };
  const { giveBack } = await serviceOn({ holdFinding: away }).check(request);
  await giveBack();
  expect(logged.at(-1)).toMatchObject({ err: new Error('the store is away'), tenant: 'ten_a' });
});
