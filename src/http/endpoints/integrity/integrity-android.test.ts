/** Android devices checked inside session creation, against a stand-in for Google over HTTP. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { type Asked, makeAsking } from '../../../testing/service/asking.ts';
import {
  type DeviceTenant,
  type DeviceWorld,
  openDeviceWorld,
  PACKAGE,
} from '../../../testing/service/device-world.ts';
import { openHttpService } from '../../../testing/service/http-service.ts';

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

/** A request hash that a token for `create` is bound to. */
const REQUEST_HASH = hash(
  'sha256',
  '{"game":"tictactoe","matchType":"matchmaking","players":["ann","ben"]}',
  'base64url',
);

describe('the verdict', () => {
  test('[I2][I3] are in the response, on the session, in lists, and in an event', async () => {
    const { status, json } = await create(world.mint({ requestHash: REQUEST_HASH }));
    expect(status).toBe(201);
    expect(json.integrity).toEqual({
      platform: 'android',
      status: 'passed',
      rooted: false,
      reasons: [],
      bound: 'request',
      details: {
        deviceLabels: ['MEETS_DEVICE_INTEGRITY'],
        appRecognition: 'PLAY_RECOGNIZED',
        licensing: 'LICENSED',
        versionCode: '42',
      },
      checkedAt: new Date(world.http.clock.now()).toISOString(),
      latencyMs: 0,
    });
    const { sessionId } = json;
    const shown = await acme.ask(`/v1/sessions/${sessionId}`);
    expect(shown.json.integrity).toEqual(json.integrity);
    expect(shown.json.integrityChecks).toEqual([{ playerId: 'ann', ...json.integrity }]);
    const list = await acme.ask('/v1/sessions');
    expect(list.json.data[0].integrity).toEqual(json.integrity);
    const ended = await acme.ask(`/v1/sessions/${sessionId}/end`, { body: {} });
    expect(ended.json.integrity).toEqual(json.integrity);
    const events = await world.http.store.readEvents(
      { tenant: acme.tenant.id, mode: 'test' },
      0,
      100,
    );
    const told = events.find(({ type }) => type === 'integrity.checked')!;
    expect(told.session).toBe(sessionId);
    expect(JSON.parse(told.data)).toEqual({ v: 0, seat: 0, ...json.integrity });
    const page = await acme.ask('/v1/events?types=integrity.checked');
    expect(page.json.data[0].data).toMatchObject({ playerId: 'ann', seat: 0, ...json.integrity });
  });

  test('[I2] a rooted device is recorded and may play', async () => {
    const { status, json } = await create(world.mint({ labels: [] }));
    expect(status).toBe(201);
    expect(json.integrity).toMatchObject({
      status: 'failed',
      rooted: true,
      reasons: ['device_integrity_empty', 'binding_unverified'],
    });
    expect(json.status).toBe('pending');
  });

  test('[I2] without a platform, a token or a credential Google is not asked', async () => {
    const before = { ...world.google.calls };
    const bare = await acme.ask('/v1/sessions', {
      body: { game: 'tictactoe', players: [{ id: 'a' }, { id: 'b' }] },
    });
    expect(bare.json.integrity).toBeNull();
    expect(
      (await acme.create('android', '', { integrityToken: null })).json.integrity,
    ).toMatchObject({ status: 'skipped', rooted: null, reasons: ['token_missing'] });
    await acme.live('/v1/integrity/android', { method: 'DELETE' });
    expect((await create()).json.integrity).toMatchObject({
      status: 'skipped',
      rooted: null,
      reasons: ['no_credential'],
      bound: 'none',
    });
    expect(world.google.calls).toEqual(before);
  });

  test('[R2] a player’s export has the verdict on their device, and no other’s', async () => {
    const { json } = await create();
    const exported = async (id: string) =>
      (await acme.live(`/v1/players/${id}/export`)).json.sessions[0].integrity;
    const shown = await acme.ask('/v1/players/ann/export');
    expect(shown.json.sessions[0].integrity).toEqual(json.integrity);
    expect(await exported('ben')).toBeNull();
  });

  test('[I3] neither the token nor a secret is stored or logged', async () => {
    const token = world.mint();
    await create(token);
    const texts = [
      ...(await world.http.texts()),
      ...world.http.lines.map((l) => JSON.stringify(l)),
    ];
    expect(texts.some((text) => text.includes(PACKAGE))).toBe(true);
    expect(texts.some((text) => text.includes(token.slice(0, 40)))).toBe(false);
    expect(texts.some((text) => text.includes('ya29.') || text.includes('PRIVATE KEY'))).toBe(
      false,
    );
  });

  test('[H8] a repeat asks Google nothing and shows the same verdict', async () => {
    const headers = { 'idempotency-key': 'one' };
    const token = world.mint();
    const first = await acme.create('android', token, {}, { headers });
    const { decode } = world.google.calls;
    const again = await acme.create('android', token, {}, { headers });
    expect(again.json.sessionId).toBe(first.json.sessionId);
    expect(again.json.integrity).toEqual(first.json.integrity);
    expect(world.google.calls.decode).toBe(decode);
  });
});

describe('several creates that are matched in one session', () => {
  const waitFor = (id: string, integrityToken: string | null) =>
    acme.create('android', '', { players: [{ id }], integrityToken });

  test('[I3a] each response has its own verdict, the session all of them and first the first', async () => {
    const first = await waitFor('ann', world.mint({ labels: [] }));
    const second = await waitFor('ben', world.mint());
    const { sessionId } = first.json;
    expect(second.json.sessionId).toBe(sessionId);
    expect(first.json.integrity.rooted).toBe(true);
    expect(first.json.integrityChecks).toEqual([{ playerId: 'ann', ...first.json.integrity }]);
    expect(second.json.integrity.rooted).toBe(false);
    const shown = await acme.ask(`/v1/sessions/${sessionId}`);
    expect(shown.json.integrity).toEqual(first.json.integrity);
    expect(shown.json.integrityChecks).toEqual([
      { playerId: 'ann', ...first.json.integrity },
      { playerId: 'ben', ...second.json.integrity },
    ]);
    expect(second.json.integrityChecks).toEqual(shown.json.integrityChecks);
    const log = { tenant: acme.tenant.id, mode: 'test' } as const;
    const events = await world.http.store.readEvents(log, 0, 100);
    const told = events.filter(({ type }) => type === 'integrity.checked');
    const seatOf = (id: string) =>
      shown.json.players.find((player: { id: string }) => player.id === id).seat;
    expect(told.map(({ data }) => JSON.parse(data))).toEqual([
      { v: 0, seat: seatOf('ann'), ...first.json.integrity },
      { v: 1, seat: seatOf('ben'), ...second.json.integrity },
    ]);
  });

  test('[I3a] an unchecked player has no verdict, and does not get the other’s', async () => {
    const first = await waitFor('ann', world.mint());
    const players = [{ id: 'ben' }];
    const second = await acme.ask('/v1/sessions', { body: { game: 'tictactoe', players } });
    expect(second.json.sessionId).toBe(first.json.sessionId);
    expect(second.json.integrity).toBeNull();
    const shown = await acme.ask(`/v1/sessions/${first.json.sessionId}`);
    expect(shown.json.integrity).toEqual(first.json.integrity);
    expect(shown.json.integrityChecks).toEqual([{ playerId: 'ann', ...first.json.integrity }]);
  });

  test('[I3a][R2] the verdict of an erased player stays, without the name', async () => {
    const first = await waitFor('ann', world.mint());
    await waitFor('ben', world.mint());
    await acme.live('/v1/players/ann', { method: 'DELETE' });
    const shown = await acme.ask(`/v1/sessions/${first.json.sessionId}`);
    const [ann, ben] = shown.json.integrityChecks;
    expect([ann.playerId, ann.status, ben.playerId]).toEqual([null, 'passed', 'ben']);
  });
});

describe('a token is decoded once', () => {
  test('[I3] the second time it is a replay, for any tenant, and Google is not asked', async () => {
    const token = world.mint();
    expect((await create(token)).json.integrity.status).toBe('passed');
    const { decode } = world.google.calls;
    const other = await world.makeTenant();
    for (const tenant of [acme, other]) {
      expect((await tenant.create('android', token)).json.integrity).toMatchObject({
        status: 'failed',
        rooted: null,
        reasons: ['token_replayed'],
      });
    }
    expect(world.google.calls.decode).toBe(decode);
  });

  test('[I3] of many concurrent requests one decodes it', async () => {
    const token = world.mint();
    const { decode } = world.google.calls;
    const all = await Promise.all(Array.from({ length: 12 }, () => create(token)));
    const statuses = all.map(({ json }) => json.integrity.status).sort();
    expect(statuses).toEqual([...Array(11).fill('failed'), 'passed']);
    expect(world.google.calls.decode).toBe(decode + 1);
  });

  test('[I3] a token decoded elsewhere before is distinguished from a rooted device', async () => {
    const token = world.mint();
    await decodeElsewhere(token);
    expect((await create(token)).json.integrity).toMatchObject({
      status: 'failed',
      rooted: true,
      reasons: ['device_integrity_empty', 'verdicts_cleared', 'binding_unverified'],
    });
  });
});

/** A second installation, with a store of its own, that knows nothing of this one. */
async function decodeElsewhere(token: string): Promise<void> {
  const { tokenUrl, playIntegrityUrl } = world.google;
  const settings = { accountsFolder: world.accounts, tokenUrl, playIntegrityUrl };
  const elsewhere = await openHttpService({}, settings);
  const key = await elsewhere.makeKey(await elsewhere.makeTenant(), 'test');
  const ask = makeAsking(elsewhere.app, key);
  const credential = { packageName: PACKAGE, googleCloudProjectNumber: '123456789012' };
  await ask('/v1/integrity', { method: 'PUT', body: { platform: 'android', credential } });
  const body = {
    game: 'tictactoe',
    players: [{ id: 'a' }, { id: 'b' }],
    platform: 'android',
    integrityToken: token,
  };
  const { json } = await ask('/v1/sessions', { body });
  if (json.integrity.status !== 'passed') throw new Error(JSON.stringify(json.integrity));
  await elsewhere.close();
}

describe('the binding of a token', () => {
  test('[I4] a challenge counts once, as hash or as nonce', async () => {
    for (const field of ['requestHash', 'nonce'] as const) {
      const challenge = await acme.challenge('android');
      const bound = { [field]: field === 'nonce' ? `${challenge}=` : challenge };
      expect((await create(world.mint(bound))).json.integrity).toMatchObject({
        status: 'passed',
        bound: 'challenge',
        reasons: [],
      });
      expect((await create(world.mint(bound))).json.integrity).toMatchObject({
        status: 'failed',
        rooted: null,
        reasons: ['challenge_reused'],
      });
    }
  });

  test('[I4] a challenge ends after five minutes, on the millisecond', async () => {
    const [early, late] = [await acme.challenge('android'), await acme.challenge('android')];
    world.http.clock.advance(299_999);
    expect((await create(world.mint({ requestHash: early }))).json.integrity.bound).toBe(
      'challenge',
    );
    world.http.clock.advance(1);
    expect((await create(world.mint({ requestHash: late }))).json.integrity).toMatchObject({
      status: 'failed',
      rooted: null,
      reasons: ['challenge_expired'],
    });
  });

  test('[I4] another tenant’s challenge, another platform’s or a guess binds nothing', async () => {
    const other = await world.makeTenant();
    for (const requestHash of [
      await other.challenge('android'),
      await acme.challenge('ios'),
      'A'.repeat(43),
      'my own hash',
    ]) {
      expect((await create(world.mint({ requestHash }))).json.integrity).toMatchObject({
        status: 'passed',
        bound: 'none',
        reasons: ['binding_unverified'],
      });
    }
  });

  test('[I3] a token for another request is not bound to this one', async () => {
    const token = world.mint({ requestHash: REQUEST_HASH });
    const players = [{ id: 'ann' }, { id: 'zoe' }];
    const { json } = await acme.create('android', token, { players });
    expect(json.integrity.bound).toBe('none');
  });

  test('[I3] where binding is required, an unbound token fails', async () => {
    const strict = await openDeviceWorld(['binding']);
    const tenant = await strict.makeTenant();
    const { json } = await tenant.create('android', strict.mint());
    expect(json.integrity).toMatchObject({
      status: 'failed',
      rooted: false,
      reasons: ['binding_mismatch'],
    });
    await strict.close();
  });

  test('[I3] a token of another app is not evaluated', async () => {
    const token = world.mint({ saysPackage: 'com.example.evil' });
    expect((await create(token)).json.integrity).toMatchObject({
      status: 'failed',
      rooted: null,
      reasons: ['package_mismatch'],
    });
  });

  test('[I3] a token from the future is not evaluated', async () => {
    const token = world.mint({ requestedAt: world.http.clock.now() + 61_000 });
    expect(reasonsOf(await create(token))).toEqual([201, 'token_from_future']);
  });
});
