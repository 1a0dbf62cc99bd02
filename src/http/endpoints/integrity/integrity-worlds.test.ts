/** Device integrity of two worlds: a test key uses live credentials and changes nothing of them (rules K3, I1 to I4). */

import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { openPostgresStore } from '../../../store/postgres/postgres-store.ts';
import type { Store } from '../../../store/whole-store.ts';
import type { AttestDevice } from '../../../testing/devices/attest-authority.ts';
import { migratedDatabase } from '../../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../../testing/servers/postgres.ts';
import type { Asked, Asking } from '../../../testing/service/asking.ts';
import {
  APP_ID,
  type DeviceTenant,
  type DeviceWorld,
  IOS_CREDENTIAL,
  openDeviceWorld,
} from '../../../testing/service/device-world.ts';

setDefaultTimeout(60_000);

const REFUSED = [403, 'Test API key cannot change live device integrity'];
const GONE = [404, 'Integrity credential not found'];
const OTHER_IOS = { bundleId: 'com.example.beta', teamId: 'A1B2C3D4E5' };
const SESSION = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const envelope = (fields: object): string =>
  Buffer.from(JSON.stringify(fields)).toString('base64url');

const onPostgres = async (): Promise<Store> =>
  openPostgresStore({ url: await migratedDatabase(), node: 'nod_test' });

describe('on SQLite', () => suite(async () => null));
describe.skipIf(!isPostgresHere())('on PostgreSQL', () => suite(onPostgres));

async function outcome(asking: Asking, ...request: Parameters<Asking>): Promise<unknown[]> {
  const { status, json } = await asking(...request);
  return [status, json.error];
}

async function challengeOf(asking: Asking, fields: object = {}): Promise<string> {
  const made = await asking('/v1/integrity/challenge', { body: { platform: 'ios', ...fields } });
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  return made.json.challenge;
}

function suite(openStore: () => Promise<Store | null>): void {
  let world: DeviceWorld;
  /** Its two credentials are live. */
  let acme: DeviceTenant;
  let device: AttestDevice;

  beforeAll(async () => {
    world = await openDeviceWorld([], await openStore());
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    acme = await world.makeTenant();
    device = world.authority.makeDevice();
  });

  const put = (asking: Asking, body: object) =>
    outcome(asking, '/v1/integrity', { method: 'PUT', body });
  const list = async (asking: Asking, query = '') =>
    (await asking(`/v1/integrity${query}`)).json.data;
  const remove = (asking: Asking, platform: string, query = '') =>
    outcome(asking, `/v1/integrity/${platform}${query}`, { method: 'DELETE' });

  const attested = (challenge: string, appId = APP_ID): string =>
    envelope({
      attestation: base64(device.attest({ clientDataHash: sha256(challenge), appId })),
      challenge,
    });
  const asserted = (counter: number, challenge: string): string => {
    const clientDataHash = sha256(challenge);
    const assertion = base64(device.assert({ counter, clientDataHash, appId: APP_ID }));
    return envelope({ keyId: base64(device.keyId), assertion, challenge });
  };
  const check = async (asking: Asking, integrityToken: string, fields: object = {}) => {
    const body = { ...SESSION, platform: 'ios', integrityToken, ...fields };
    return judged(await asking('/v1/sessions', { body }));
  };
  const judged = ({ status, json }: Asked) => [
    status,
    json.integrity.status,
    ...json.integrity.reasons,
  ];

  test('[K3][I1] a test key neither overwrites nor deletes a live credential', async () => {
    const before = await list(acme.live);
    expect(before).toMatchObject([{ mode: 'live' }, { mode: 'live' }]);
    expect(await list(acme.ask, '?mode=live')).toEqual(before);
    const credential = OTHER_IOS;
    const asked = { platform: 'ios', credential };
    expect(await put(acme.ask, { ...asked, mode: 'live' })).toEqual(REFUSED);
    expect(await remove(acme.ask, 'ios', '?mode=live')).toEqual(REFUSED);
    expect(await remove(acme.ask, 'ios')).toEqual(GONE);
    expect(await put(acme.ask, asked)).toEqual([200, undefined]);
    expect(await list(acme.ask)).toMatchObject([{ ...asked, mode: 'test' }]);
    expect(await list(acme.live)).toEqual(before);
    expect(await remove(acme.ask, 'ios')).toEqual([200, undefined]);
    expect(await list(acme.ask)).toEqual([]);
    expect(await list(acme.live)).toEqual(before);
  });

  test('[K3][I1] a live key registers, lists and removes credentials of both worlds', async () => {
    const asked = { mode: 'test', platform: 'ios', credential: OTHER_IOS };
    expect(await put(acme.live, asked)).toEqual([200, undefined]);
    expect(await list(acme.live, '?mode=test')).toMatchObject([asked]);
    expect(await list(acme.live)).toHaveLength(2);
    expect(await remove(acme.live, 'ios', '?mode=test')).toEqual([200, undefined]);
    expect(await remove(acme.live, 'ios', '?mode=test')).toEqual(GONE);
    expect(await list(acme.live)).toHaveLength(2);
    const wrong = [400, 'Invalid mode. Valid: live, test'];
    expect(await put(acme.live, { ...asked, mode: 'training' })).toEqual(wrong);
    expect(await remove(acme.live, 'ios', '?mode=x')).toEqual(wrong);
  });

  test('[K3][I2] a test session is checked by the live credential if test mode has none', async () => {
    const judgedFor = async (appId: string) =>
      check(acme.ask, attested(await challengeOf(acme.ask), appId));
    expect(await judgedFor(APP_ID)).toEqual([201, 'passed']);
    device = world.authority.makeDevice();
    await put(acme.ask, { platform: 'ios', credential: OTHER_IOS });
    expect(await judgedFor(APP_ID)).toEqual([201, 'failed', 'app_id_mismatch']);
    expect(await judgedFor('A1B2C3D4E5.com.example.beta')).toEqual([201, 'passed']);
    device = world.authority.makeDevice();
    await remove(acme.ask, 'ios');
    expect(await judgedFor(APP_ID)).toEqual([201, 'passed']);
  });

  test('[K3][I2] a live session is never checked by a test credential', async () => {
    await remove(acme.live, 'ios');
    await put(acme.ask, { platform: 'ios', credential: IOS_CREDENTIAL });
    const token = attested(await challengeOf(acme.live));
    expect(await check(acme.live, token)).toEqual([201, 'skipped', 'no_credential']);
    const training = { mode: 'training', players: undefined };
    expect(await check(acme.live, token, training)).toEqual([201, 'skipped', 'no_credential']);
  });

  test('[K3][I4] a test key does not use up a live challenge, nor a live key a test one', async () => {
    const [live, own] = [await challengeOf(acme.live), await challengeOf(acme.ask)];
    expect(await check(acme.ask, attested(live))).toEqual([201, 'failed', 'challenge_unknown']);
    expect(await check(acme.live, attested(live))).toEqual([201, 'passed']);
    device = world.authority.makeDevice();
    expect(await check(acme.live, attested(own))).toEqual([201, 'failed', 'challenge_unknown']);
    expect(await check(acme.ask, attested(own))).toEqual([201, 'passed']);
    device = world.authority.makeDevice();
    const asked = await challengeOf(acme.live, { mode: 'test' });
    expect(await check(acme.live, attested(asked), { mode: 'test' })).toEqual([201, 'passed']);
    const body = { platform: 'ios', mode: 'live' };
    expect(await outcome(acme.ask, '/v1/integrity/challenge', { body })).toEqual(REFUSED);
  });

  test('[K3][I3] a test key registers no live App Attest key and raises no live counter', async () => {
    await check(acme.live, attested(await challengeOf(acme.live)));
    expect(await check(acme.live, asserted(1, await challengeOf(acme.live)))).toEqual([
      201,
      'passed',
    ]);
    // It is read: the device asserts in test mode, from its counter on.
    const test1 = asserted(1, await challengeOf(acme.ask));
    expect(await check(acme.ask, test1)).toEqual([201, 'failed', 'counter_regressed']);
    const test9 = asserted(9, await challengeOf(acme.ask));
    expect(await check(acme.ask, test9)).toEqual([201, 'passed']);
    const again = asserted(9, await challengeOf(acme.ask));
    expect(await check(acme.ask, again)).toEqual([201, 'failed', 'counter_regressed']);
    // That has no effect in live mode.
    expect(await check(acme.live, asserted(2, await challengeOf(acme.live)))).toEqual([
      201,
      'passed',
    ]);
  });

  test('[K3][I3] a key attested in test mode is unknown in live mode', async () => {
    await check(acme.ask, attested(await challengeOf(acme.ask)));
    const live = asserted(1, await challengeOf(acme.live));
    expect(await check(acme.live, live)).toEqual([201, 'error', 'key_unknown']);
    expect(await check(acme.live, attested(await challengeOf(acme.live)))).toEqual([201, 'passed']);
  });

  test('[K3][I3] a token of Google’s is decoded once for both worlds together', async () => {
    const token = world.mint();
    const body = { ...SESSION, platform: 'android', integrityToken: token };
    expect(judged(await acme.ask('/v1/sessions', { body }))).toEqual([
      201,
      'passed',
      'binding_unverified',
    ]);
    expect(judged(await acme.live('/v1/sessions', { body }))).toEqual([
      201,
      'failed',
      'token_replayed',
    ]);
  });
}
