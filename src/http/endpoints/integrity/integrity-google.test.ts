/** Google's responses without a verdict, and missing ones: over HTTP, to a stand-in for it. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { until } from '../../../platform/contract/until.ts';
import type { Behaviour } from '../../../testing/devices/google-stand-in.ts';
import { MANUAL_CLOCK_START } from '../../../testing/manual-clock.ts';
import type { Asked } from '../../../testing/service/asking.ts';
import {
  type DeviceTenant,
  type DeviceWorld,
  giveAccount,
  openDeviceWorld,
  PACKAGE,
} from '../../../testing/service/device-world.ts';

let world: DeviceWorld;
let acme: DeviceTenant;

beforeAll(async () => {
  world = await openDeviceWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.makeTenant();
});
afterEach(() => {
  world.google.behave({ token: 'well', decode: 'well' });
});

const create = (token = world.mint()) => acme.create('android', token);
const reasonsOf = ({ status, json }: Asked) => [status, ...json.integrity.reasons];

/**
 * Runs requests that wait for Google, and moves time past the limit once Google has been asked a
 * given number of times.
 */
async function runOut<T>(
  count: number,
  run: () => Promise<T>,
  isElseDone = () => true,
): Promise<T> {
  const { google, http } = world;
  const before = google.calls.token + google.calls.decode;
  const running = run();
  await until(
    () => google.calls.token + google.calls.decode >= before + count && isElseDone(),
    'Google to be asked',
  );
  http.clock.advance(2_500);
  return running;
}

function countCreates() {
  let count = 0;
  const createOne = () => create().finally(() => (count += 1));
  return { createOne, answered: () => count };
}

describe('tokens that cannot be judged', () => {
  test('[I3] invalid and oversized tokens never reach Google', async () => {
    const { decode } = world.google.calls;
    expect(reasonsOf(await create(''))).toEqual([201, 'malformed_token']);
    expect(reasonsOf(await create('{"keyId":"x"}'))).toEqual([201, 'malformed_token']);
    expect(reasonsOf(await create('ä'.repeat(10)))).toEqual([201, 'malformed_token']);
    expect(reasonsOf(await create('a'.repeat(32 * 1_024 + 1)))).toEqual([201, 'token_too_large']);
    expect(world.google.calls.decode).toBe(decode);
    expect(reasonsOf(await create('a'.repeat(32 * 1_024)))).toEqual([201, 'token_undecodable']);
  });

  test('[I5] a project without a service account is not configured', async () => {
    const credential = { packageName: PACKAGE, googleCloudProjectNumber: '777' };
    const body = { platform: 'android', credential };
    await acme.ask('/v1/integrity', { method: 'PUT', body });
    const token = world.mint({ project: '777' });
    expect(reasonsOf(await create(token))).toEqual([201, 'provider_not_configured']);
    // The token was not used: it is still valid once there is an account.
    giveAccount(world, acme.tenant, '777');
    expect((await create(token)).json.integrity.status).toBe('passed');
    // The account belongs to this tenant only.
    const other = await world.makeTenant();
    await other.ask('/v1/integrity', { method: 'PUT', body });
    const { json } = await other.create('android', world.mint({ project: '777' }));
    expect(json.integrity.reasons).toEqual(['provider_not_configured']);
  });

  const refusal = (status: number, message = ''): Behaviour => ({
    status,
    body: { error: { code: status, message, status: 'X' } },
  });
  const judgement = () => ({
    tokenPayloadExternal: {
      requestDetails: {
        requestPackageName: PACKAGE,
        timestampMillis: String(MANUAL_CLOCK_START),
      },
      deviceIntegrity: { deviceRecognitionVerdict: ['MEETS_DEVICE_INTEGRITY'] },
    },
  });
  const ok = (body: unknown): Behaviour => ({ status: 200, body });
  const rows: readonly (readonly [string, Behaviour, string])[] = [
    ['400', refusal(400, 'Integrity token cannot be decoded'), 'token_undecodable'],
    ['400 about the app', refusal(400, 'App is not found.'), 'provider_rejected_app'],
    ['401', refusal(401), 'provider_auth'],
    ['403', refusal(403), 'provider_forbidden'],
    ['404', refusal(404), 'provider_not_found'],
    ['429', refusal(429), 'provider_quota'],
    ['500', refusal(500), 'provider_unavailable'],
    ['503 in HTML', { status: 503, body: '<html>' }, 'provider_unavailable'],
    [
      'a redirect',
      { status: 307, body: '', headers: { location: '/v1/elsewhere' } },
      'provider_unavailable',
    ],
    ['a connection that is cut', 'hang_up', 'provider_unavailable'],
    ['200 in HTML', ok('<html>'), 'provider_bad_response'],
    ['200 with {}', ok({}), 'provider_bad_response'],
    ['200 with null', ok(null), 'provider_bad_response'],
    ['200 with a list', ok([]), 'provider_bad_response'],
    [
      '200 with far too much beside the judgement',
      ok({ ...judgement(), x: 'x'.repeat(70_000) }),
      'provider_bad_response',
    ],
    [
      '200 without a judgement',
      ok({
        tokenPayloadExternal: {
          requestDetails: { requestPackageName: PACKAGE, timestampMillis: '1' },
        },
      }),
      'malformed_payload',
    ],
  ];
  for (const [what, decode, reason] of rows) {
    test(`[I3] decoding: ${what} is ${reason}, and the session is created`, async () => {
      await create(); // Earlier failures are forgotten.
      world.google.behave({ decode });
      const before = world.google.calls.decode;
      const answer = await create();
      expect(reasonsOf(answer)).toEqual([201, reason]);
      expect(world.google.calls.decode).toBe(before + 1);
      expect(answer.json.integrity).toMatchObject({ status: 'error', rooted: null, bound: 'none' });
    });
  }

  const tokenRows: readonly (readonly [string, Behaviour, string])[] = [
    ['a refused grant', { status: 400, body: { error: 'invalid_grant' } }, 'provider_auth'],
    ['503', { status: 503, body: '<html>' }, 'provider_unavailable'],
    ['a connection that is cut', 'hang_up', 'provider_unavailable'],
    ['no token', ok({ expires_in: 3_599, token_type: 'Bearer' }), 'provider_bad_response'],
    [
      'a token of another kind',
      ok({ access_token: 'x', expires_in: 3_599, token_type: 'mac' }),
      'provider_bad_response',
    ],
  ];
  for (const [what, token, reason] of tokenRows) {
    test(`[I5] requesting access: ${what} is ${reason}, and the token is not used up`, async () => {
      await create();
      world.http.clock.advance(3_600_000);
      world.google.behave({ token });
      const device = world.mint();
      expect(reasonsOf(await create(device))).toEqual([201, reason]);
      world.google.behave({ token: 'well' });
      expect((await create(device)).json.integrity.status).toBe('passed');
    });
  }
});

describe('access', () => {
  test('[I5] an access token is requested once for many calls, and again before it expires', async () => {
    world.http.clock.advance(3_600_000);
    const { token } = world.google.calls;
    await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(world.google.calls.token).toBe(token + 1);
    world.http.clock.advance(3_538_000);
    await create();
    expect(world.google.calls.token).toBe(token + 1);
    world.http.clock.advance(1_000);
    expect((await create()).json.integrity.status).toBe('passed');
    expect(world.google.calls.token).toBe(token + 2);
  });

  test('[I5] an access token that Google no longer knows is requested again the next time', async () => {
    await create();
    world.google.forgetAccess();
    expect(reasonsOf(await create())).toEqual([201, 'provider_auth']);
    expect((await create()).json.integrity.status).toBe('passed');
  });
});

describe('a Google that does not answer', () => {
  test('[I2] delays a creation by 2.5 s and no more, whichever endpoint hangs', async () => {
    await create();
    world.google.behave({ decode: 'hang' });
    const decoding = await runOut(1, () => create());
    expect(reasonsOf(decoding)).toEqual([201, 'timeout']);
    expect(decoding.json.integrity).toMatchObject({ status: 'error', rooted: null });
    expect(decoding.json.integrity.latencyMs).toBe(2_500);
    world.google.behave({ decode: 'well', token: 'hang' });
    world.http.clock.advance(3_600_000);
    const asking = await runOut(1, () => create());
    expect(reasonsOf(asking)).toEqual([201, 'timeout']);
    world.google.behave({ token: 'well' });
    // The cancelled request may not have ended yet: concurrent calls wait for the same one.
    const isPassed = async () => (await create()).json.integrity.status === 'passed';
    for (let tries = 0; tries < 3 && !(await isPassed()); tries++) await Bun.sleep(20);
    expect(await isPassed()).toBe(true);
  });

  test('[I3] after five failures in a row further calls fail at once, until one is let through', async () => {
    await create();
    world.google.behave({ decode: 'hang' });
    for (let n = 0; n < 5; n++) {
      expect(reasonsOf(await runOut(1, () => create()))).toEqual([201, 'timeout']);
    }
    const { decode } = world.google.calls;
    const token = world.mint();
    const refused = await create(token);
    expect(reasonsOf(refused)).toEqual([201, 'circuit_open']);
    expect(refused.json.integrity.latencyMs).toBe(0);
    world.http.clock.advance(30_000);
    // One is let through, alone.
    const { createOne, answered } = countCreates();
    const createBoth = () => Promise.all([createOne(), createOne()]);
    const both = await runOut(1, createBoth, () => answered() === 1);
    const reasons = both.map(({ json }) => json.integrity.reasons[0]).sort();
    expect(reasons).toEqual(['circuit_open', 'timeout']);
    expect(world.google.calls.decode).toBe(decode + 1);
    expect(reasonsOf(await create())).toEqual([201, 'circuit_open']);
    world.google.behave({ decode: 'well' });
    world.http.clock.advance(30_000);
    // Tokens refused without a check are still valid.
    expect((await create(token)).json.integrity.status).toBe('passed');
    expect((await create()).json.integrity.status).toBe('passed');
  });

  test('[I3] a stranger’s tokens do not keep Google from being asked', async () => {
    for (let n = 0; n < 8; n++) {
      const foreign = world.mint({ project: '999' });
      expect(reasonsOf(await create(foreign))).toEqual([201, 'provider_forbidden']);
      expect(reasonsOf(await create(`junk${n}`))).toEqual([201, 'token_undecodable']);
    }
    expect((await create()).json.integrity.status).toBe('passed');
  });

  test('[I3] at most 32 calls wait for Google at once', async () => {
    await create();
    world.google.behave({ decode: 'hang' });
    const { createOne, answered } = countCreates();
    const createAll = () => Promise.all(Array.from({ length: 40 }, createOne));
    const all = await runOut(32, createAll, () => answered() === 8);
    const reasons = all.map(({ json }) => json.integrity.reasons[0]);
    expect(reasons.filter((reason) => reason === 'timeout')).toHaveLength(32);
    expect(reasons.filter((reason) => reason === 'overloaded')).toHaveLength(8);
    world.google.behave({ decode: 'well' });
    world.http.clock.advance(30_000);
    expect((await create()).json.integrity.status).toBe('passed');
  });
});
