/** iOS devices checked inside session creation, under a test root. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import {
  type AttestDevice,
  makeAttestAuthority,
} from '../../../testing/devices/attest-authority.ts';
import type { Asked, Asking } from '../../../testing/service/asking.ts';
import {
  APP_ID,
  type DeviceTenant,
  type DeviceWorld,
  openDeviceWorld,
} from '../../../testing/service/device-world.ts';

let world: DeviceWorld;
let acme: DeviceTenant;
let device: AttestDevice;

beforeAll(async () => {
  world = await openDeviceWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.makeTenant();
  device = world.authority.makeDevice();
});

const sha256 = (text: string | Uint8Array): Buffer => hash('sha256', text, 'buffer');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const REQUEST = '{"game":"tictactoe","matchType":"matchmaking","players":["ann","ben"]}';

const create = (token: string, tenant = acme) => tenant.create('ios', token);
const envelope = (fields: object): string =>
  Buffer.from(JSON.stringify(fields)).toString('base64url');
const judged = ({ status, json: { integrity } }: Asked) => [
  status,
  integrity.status,
  integrity.jailbroken,
  ...integrity.reasons,
];

const attest = (clientDataHash: Uint8Array, change = {}): string =>
  base64(device.attest({ clientDataHash, appId: APP_ID, ...change }));
const assertion = (counter: number, clientDataHash: Uint8Array, change = {}): string =>
  base64(device.assert({ counter, clientDataHash, appId: APP_ID, ...change }));

const challengeBy = async (ask: Asking): Promise<string> =>
  (await ask('/v1/integrity/challenge', { body: { platform: 'ios' } })).json.challenge;

/** A token that attests the device's key over a new challenge. */
async function attestedToken(change = {}, by = acme.ask): Promise<string> {
  const challenge = await challengeBy(by);
  return envelope({ attestation: attest(sha256(challenge), change), challenge });
}

/** A token that asserts over a new challenge, with the device's key. */
async function assertedToken(counter: number, by = acme.ask): Promise<string> {
  const challenge = await challengeBy(by);
  const keyId = base64(device.keyId);
  return envelope({ keyId, assertion: assertion(counter, sha256(challenge)), challenge });
}

describe('attestations', () => {
  test('[I2][I3] over an issued challenge passes, and is stored on the session', async () => {
    const { status, json } = await create(await attestedToken());
    expect(status).toBe(201);
    expect(json.integrity).toEqual({
      platform: 'ios',
      status: 'passed',
      jailbroken: false,
      reasons: [],
      bound: 'challenge',
      details: { environment: 'production' },
      checkedAt: new Date(world.http.clock.now()).toISOString(),
      latencyMs: 0,
    });
    const shown = await acme.ask(`/v1/sessions/${json.sessionId}`);
    expect(shown.json.integrity).toEqual(json.integrity);
  });

  test('[I3] bare, over the request itself, passes as bound to it', async () => {
    const { json } = await create(attest(sha256(REQUEST)));
    expect(json.integrity).toMatchObject({ status: 'passed', bound: 'request', reasons: [] });
  });

  test('[I3] bare, over anything else, accuses no device', async () => {
    const answer = await create(attest(sha256('something')));
    expect(judged(answer)).toEqual([201, 'failed', null, 'nonce_mismatch']);
    expect(answer.json.integrity.bound).toBe('request');
  });

  test('[I3] that names a challenge and is made over another is tampering', async () => {
    const challenge = await acme.challenge('ios');
    const token = envelope({ attestation: attest(sha256('another')), challenge });
    expect(judged(await create(token))).toEqual([201, 'failed', true, 'nonce_mismatch']);
  });

  test('[I3] under another root, or with another key inside, is tampering', async () => {
    const stranger = makeAttestAuthority({ now: world.http.clock.now() }).makeDevice();
    const foreign = stranger.attest({ clientDataHash: sha256(REQUEST), appId: APP_ID });
    expect(judged(await create(base64(foreign)))).toEqual([201, 'failed', true, 'untrusted_chain']);
    const swapped = attest(sha256(REQUEST), { keyId: stranger.keyId });
    expect(judged(await create(swapped))).toEqual([201, 'failed', true, 'key_mismatch']);
  });

  test('[I3] for another app, of another environment or out of date is not evaluated', async () => {
    const now = world.http.clock.now();
    for (const [change, reason] of [
      [{ appId: 'A1B2C3D4E5.com.other' }, 'app_id_mismatch'],
      [{ counter: 3 }, 'counter_not_zero'],
      [{ notAfter: now - 60_000 }, 'certificate_expired'],
    ] as const) {
      const answer = await create(await attestedToken(change));
      expect(judged(answer)).toEqual([201, 'failed', null, reason]);
    }
  });

  test('[I3] a development build counts in test sessions, and not in live ones', async () => {
    const token = await attestedToken({ environment: 'appattestdevelop' });
    expect((await create(token)).json.integrity).toMatchObject({
      status: 'passed',
      details: { environment: 'development' },
    });
    device = world.authority.makeDevice();
    const integrityToken = await attestedToken({ environment: 'appattestdevelop' }, acme.live);
    const players = [{ id: 'ann' }, { id: 'ben' }];
    const body = { game: 'tictactoe', players, platform: 'ios', integrityToken };
    const live = await acme.live('/v1/sessions', { body });
    expect(judged(live)).toEqual([201, 'failed', null, 'environment_not_allowed']);
  });

  test('[I3] a key of a development build does not assert in live sessions either', async () => {
    await create(await attestedToken({ environment: 'appattestdevelop' }));
    const { store } = world.http;
    const id = { tenant: acme.tenant.id, appId: APP_ID, keyId: base64(device.keyId) };
    const key = (await store.findAttestedKey({ ...id, mode: 'test' }))!;
    // Keys attested before the worlds had keys of their own are stored like this.
    await store.addAttestedKey({ ...key, mode: 'live' });
    const players = [{ id: 'ann' }, { id: 'ben' }];
    const integrityToken = await assertedToken(1, acme.live);
    const body = { game: 'tictactoe', players, platform: 'ios', integrityToken };
    const live = await acme.live('/v1/sessions', { body });
    expect(judged(live)).toEqual([201, 'failed', null, 'environment_not_allowed']);
    expect((await create(await assertedToken(2))).json.integrity.status).toBe('passed');
  });

  test('[I3] is accepted once, however it is encoded', async () => {
    const clientData = Buffer.from('anything');
    const attestation = attest(sha256(clientData));
    const first = envelope({ attestation, clientData: base64(clientData) });
    expect((await create(first)).json.integrity).toMatchObject({
      status: 'passed',
      bound: 'none',
      reasons: ['binding_unverified'],
    });
    expect(judged(await create(first))).toEqual([201, 'failed', null, 'token_replayed']);
    const again = envelope({ clientData: base64(clientData), attestation });
    expect(judged(await create(again))).toEqual([201, 'failed', null, 'token_replayed']);
  });

  test('[I4] a challenge is used up even when the check then fails', async () => {
    const challenge = await acme.challenge('ios');
    const bad = envelope({ attestation: attest(sha256('x')), challenge });
    await create(bad);
    const good = envelope({ attestation: attest(sha256(challenge)), challenge });
    expect(judged(await create(good))).toEqual([201, 'failed', null, 'challenge_reused']);
  });

  test('[I4] an expired challenge, another tenant’s, another platform’s, a guess', async () => {
    const other = await world.makeTenant();
    const expired = await acme.challenge('ios');
    world.http.clock.advance(300_000);
    for (const [challenge, reason] of [
      [expired, 'challenge_expired'],
      [await other.challenge('ios'), 'challenge_unknown'],
      [await acme.challenge('android'), 'challenge_unknown'],
      ['guess', 'challenge_unknown'],
    ]) {
      const token = envelope({ attestation: attest(sha256(challenge!)), challenge });
      expect(judged(await create(token))).toEqual([201, 'failed', null, reason]);
    }
  });

  test('[I4] of many concurrent ones that name one challenge one is bound by it', async () => {
    const challenge = await acme.challenge('ios');
    const tokens = Array.from({ length: 8 }, () => {
      const each = world.authority.makeDevice();
      const proof = each.attest({ clientDataHash: sha256(challenge), appId: APP_ID });
      return envelope({ attestation: base64(proof), challenge });
    });
    const all = await Promise.all(tokens.map((token) => create(token)));
    const statuses = all.map(({ json }) => json.integrity.status).sort();
    expect(statuses).toEqual([...Array(7).fill('failed'), 'passed']);
  });
});

describe('assertions', () => {
  test('[I3] of an attested key pass while the counter rises', async () => {
    await create(await attestedToken());
    for (const counter of [1, 2, 9]) {
      const { json } = await create(await assertedToken(counter));
      expect(json.integrity).toMatchObject({
        status: 'passed',
        jailbroken: false,
        bound: 'challenge',
        details: { environment: 'production' },
      });
    }
    for (const counter of [9, 3, 0]) {
      const answer = await create(await assertedToken(counter));
      expect(judged(answer)).toEqual([201, 'failed', true, 'counter_regressed']);
    }
    expect((await create(await assertedToken(10))).json.integrity.status).toBe('passed');
  });

  test('[I3] of many concurrent ones with one counter one passes', async () => {
    await create(await attestedToken());
    const tokens = await Promise.all(Array.from({ length: 6 }, () => assertedToken(1)));
    const all = await Promise.all(tokens.map((token) => create(token)));
    const statuses = all.map(({ json }) => json.integrity.status).sort();
    expect(statuses).toEqual([...Array(5).fill('failed'), 'passed']);
  });

  test('[I3] the very same token again is a replay, and accuses no device', async () => {
    await create(await attestedToken());
    const token = await assertedToken(1);
    await create(token);
    expect(judged(await create(token))).toEqual([201, 'failed', null, 'token_replayed']);
  });

  test('[I3] of a key that was never attested, or by another tenant, requires an attestation', async () => {
    expect(judged(await create(await assertedToken(1)))).toEqual([
      201,
      'error',
      null,
      'key_unknown',
    ]);
    await create(await attestedToken());
    const other = await world.makeTenant();
    const foreign = await create(await assertedToken(1, other.ask), other);
    expect(judged(foreign)).toEqual([201, 'error', null, 'key_unknown']);
  });

  test('[I3] a key belongs to the app that was registered when it was attested', async () => {
    await create(await attestedToken());
    const credential = { bundleId: 'com.example.next', teamId: 'A1B2C3D4E5' };
    await acme.ask('/v1/integrity', { method: 'PUT', body: { platform: 'ios', credential } });
    const answer = await create(await assertedToken(1));
    expect(judged(answer)).toEqual([201, 'error', null, 'key_unknown']);
  });

  test('[I3] over client data with the challenge inside, and over the request', async () => {
    await create(await attestedToken());
    const keyId = base64(device.keyId);
    const challenge = await acme.challenge('ios');
    const clientData = Buffer.from(JSON.stringify({ challenge, level: 7 }));
    const inside = envelope({
      keyId,
      assertion: assertion(1, sha256(clientData)),
      clientData: base64(clientData),
      challenge,
    });
    expect((await create(inside)).json.integrity).toMatchObject({
      status: 'passed',
      bound: 'challenge',
    });
    const overRequest = envelope({ keyId, assertion: assertion(2, sha256(REQUEST)) });
    expect((await create(overRequest)).json.integrity).toMatchObject({
      status: 'passed',
      bound: 'request',
    });
    const forAnother = envelope({ keyId, assertion: assertion(3, sha256('{"game":"ludo"}')) });
    expect(judged(await create(forAnother))).toEqual([201, 'failed', null, 'signature_invalid']);
  });

  test('[I3] by another key than the named one is tampering', async () => {
    await create(await attestedToken());
    const keyId = base64(device.keyId);
    const challenge = await acme.challenge('ios');
    const stranger = world.authority.makeDevice();
    const clientDataHash = sha256(challenge);
    const proof = stranger.assert({ counter: 1, clientDataHash, appId: APP_ID });
    const token = envelope({ keyId, assertion: base64(proof), challenge });
    expect(judged(await create(token))).toEqual([201, 'failed', true, 'signature_invalid']);
  });
});

describe('unreadable tokens', () => {
  const proof = Buffer.from([0xa3, 1, 2, 3]).toString('base64');
  const rows: readonly (readonly [string, string, string])[] = [
    ['nothing', '', 'malformed_token'],
    ['no base64', 'ä', 'malformed_token'],
    ['base64 with bits that mean nothing', 'o3==', 'malformed_token'],
    ['bytes of another kind', 'AAAA', 'malformed_token'],
    ['a map that is no attestation', proof, 'malformed_token'],
    ['a bare assertion', Buffer.from([0xa2, 1]).toString('base64'), 'key_id_missing'],
    ['JSON cut short', '{"attestation":', 'malformed_token'],
    ['an empty envelope', '{}', 'malformed_token'],
    ['both proofs', `{"attestation":"${proof}","assertion":"${proof}"}`, 'malformed_token'],
    ['another field', `{"attestation":"${proof}","jb":"1"}`, 'malformed_token'],
    ['a field that is no text', `{"attestation":7}`, 'malformed_token'],
    ['an assertion without a key', `{"assertion":"${proof}"}`, 'key_id_missing'],
    ['a key id too short', `{"assertion":"${proof}","keyId":"AAAA"}`, 'malformed_token'],
    ['an empty challenge', `{"attestation":"${proof}","challenge":""}`, 'malformed_token'],
    [
      'a challenge too long',
      `{"attestation":"${proof}","challenge":"${'a'.repeat(513)}"}`,
      'malformed_token',
    ],
    [
      'client data that is no base64',
      `{"attestation":"${proof}","clientData":"?"}`,
      'malformed_token',
    ],
    ['too much', 'A'.repeat(24 * 1_024 + 1), 'token_too_large'],
    [
      'a token of the other platform',
      'eyJhbGciOiJBMjU2S1ciLCJlbmMiOiJBMjU2R0NNIn0.x.y.z',
      'malformed_token',
    ],
  ];
  for (const [what, token, reason] of rows) {
    test(`[I3] ${what} is ${reason}, and the session is created`, async () => {
      expect(judged(await create(token))).toEqual([201, 'error', null, reason]);
    });
  }

  test('[I3] base64 with other characters in it', async () => {
    const token = attest(sha256(REQUEST));
    for (const corrupt of [`${token.slice(0, 8)} ${token.slice(8)}`, `${token}!`, `=${token}`]) {
      expect(judged(await create(corrupt))).toEqual([201, 'error', null, 'malformed_token']);
    }
    expect((await create(token)).json.integrity.status).toBe('passed');
  });

  test('[I3] client data without the challenge that is named beside it', async () => {
    const challenge = await acme.challenge('ios');
    const clientData = base64(Buffer.from('{"challenge":"another"}'));
    const token = envelope({ attestation: attest(sha256('x')), clientData, challenge });
    expect(judged(await create(token))).toEqual([201, 'error', null, 'malformed_token']);
  });

  test('[I3] a key id that differs from that of the token', async () => {
    const keyId = base64(world.authority.makeDevice().keyId);
    const token = envelope({ keyId, attestation: attest(sha256(REQUEST)) });
    expect(judged(await create(token))).toEqual([201, 'error', null, 'malformed_token']);
  });
});
