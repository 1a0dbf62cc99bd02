/** A refused create uses up its token: a repeat of the very same create gets the finding back. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Asked } from '../../../testing/service/asking.ts';
import {
  APP_ID,
  type DeviceTenant,
  type DeviceWorld,
  openDeviceWorld,
} from '../../../testing/service/device-world.ts';

let world: DeviceWorld;
let acme: DeviceTenant;

beforeAll(async () => {
  world = await openDeviceWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.makeTenant({ limits: { openSessions: 1 } });
});

const judged = ({ status, json: { integrity } }: Asked) => [
  status,
  integrity?.status,
  ...(integrity?.reasons ?? []),
];

/** Uses the tenant's only session; the returned function frees it. */
async function fill(): Promise<() => Promise<void>> {
  const body = { game: 'tictactoe', players: [{ id: 'x' }, { id: 'y' }] };
  const { json } = await acme.ask('/v1/sessions', { body });
  return async () => void (await acme.ask(`/v1/sessions/${json.sessionId}/end`, { body: {} }));
}

/** Ends the created session, so that the next one has room. */
async function create(
  platform: 'android' | 'ios',
  token: string,
  change = {},
  headers = {},
): Promise<Asked> {
  const made = await acme.create(platform, token, change, { headers });
  if (made.status === 201) await acme.ask(`/v1/sessions/${made.json.sessionId}/end`, { body: {} });
  return made;
}

async function iosToken(): Promise<string> {
  const challenge = await acme.challenge('ios');
  const clientDataHash = hash('sha256', challenge, 'buffer');
  const proof = world.authority.makeDevice().attest({ clientDataHash, appId: APP_ID });
  const attestation = Buffer.from(proof).toString('base64');
  return Buffer.from(JSON.stringify({ attestation, challenge })).toString('base64url');
}

test('[I4] an iOS device whose create is refused is judged by the repeat as by the first', async () => {
  const token = await iosToken();
  const key = { 'idempotency-key': 'k' };
  const free = await fill();
  for (let tries = 0; tries < 3; tries++) {
    expect((await create('ios', token, {}, key)).status).toBe(429);
  }
  await free();
  const again = await create('ios', token, {}, key);
  expect(judged(again)).toEqual([201, 'passed']);
  expect(again.json.integrity).toMatchObject({ jailbroken: false, bound: 'challenge' });
  expect(judged(await create('ios', token))).toEqual([201, 'failed', 'token_replayed']);
});

test('[I3][I4] an Android device, too, and Google is asked once', async () => {
  const good = world.mint({ requestHash: await acme.challenge('android') });
  const rooted = world.mint({ labels: [], requestHash: await acme.challenge('android') });
  const before = world.google.calls.decode;
  const free = await fill();
  for (const token of [good, rooted]) expect((await create('android', token)).status).toBe(429);
  await free();
  expect(judged(await create('android', good))).toEqual([201, 'passed']);
  const judgement = [201, 'failed', 'device_integrity_empty'];
  expect(judged(await create('android', rooted))).toEqual(judgement);
  expect(world.google.calls.decode).toBe(before + 2);
  for (const token of [good, rooted]) {
    expect(judged(await create('android', token))).toEqual([201, 'failed', 'token_replayed']);
  }
});

test('[I4] the finding is not available to any other request, or with another key', async () => {
  const other = await world.makeTenant();
  const token = await iosToken();
  const free = await fill();
  expect((await create('ios', token)).status).toBe(429);
  await free();
  const players = [{ id: 'ann' }, { id: 'eve' }];
  const stolen = [
    await create('ios', token, { players }),
    await create('ios', token, { game: 'connect4' }),
    await create('ios', token, { metadata: { stake: 'all' } }),
    await create('ios', token, { platform: 'android' }),
    await other.create('ios', token),
  ];
  const body = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }], platform: 'ios' };
  stolen.push(await acme.live('/v1/sessions', { body: { ...body, integrityToken: token } }));
  await acme.live(`/v1/sessions/${stolen.at(-1)!.json.sessionId}/end`, { body: {} });
  for (const { status, json } of stolen) {
    expect([status, json.integrity.status]).toEqual([201, expect.not.stringContaining('passed')]);
  }
  expect(judged(await create('ios', token))).toEqual([201, 'passed']);
});

test('[I4] five minutes after the check the finding is gone', async () => {
  const [early, late] = [await iosToken(), await iosToken()];
  const free = await fill();
  for (const token of [early, late]) expect((await create('ios', token)).status).toBe(429);
  world.http.clock.advance(299_999);
  // Refused once more, which does not extend the time.
  expect((await create('ios', late)).status).toBe(429);
  await free();
  world.http.clock.advance(1);
  expect(judged(await create('ios', early))).toEqual([201, 'passed']);
  world.http.clock.advance(1);
  expect(judged(await create('ios', late))).toEqual([201, 'failed', 'token_replayed']);
});

test('[I4] a create that fails on our side returns the finding, too', async () => {
  const token = await iosToken();
  const { service } = world.http;
  const { create: working } = service;
  Object.assign(service, { create: () => Promise.reject(new Error('the disk is gone')) });
  expect((await create('ios', token)).status).toBe(500);
  Object.assign(service, { create: working });
  expect(judged(await create('ios', token))).toEqual([201, 'passed']);
});
