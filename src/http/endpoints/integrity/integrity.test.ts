/** Credentials and challenges through the whole HTTP side on a real store. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

const ANDROID = { packageName: 'com.example.game', googleCloudProjectNumber: '123456789012' };
const IOS = { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' };

let http: HttpService;
let live: Asking;
let testing: Asking;
let stranger: Asking;
let liveKeyId: string;

beforeAll(async () => {
  http = await openHttpService();
  const tenant = await http.makeTenant();
  const liveKey = await http.makeKey(tenant, 'live', { name: 'backend' });
  live = makeAsking(http.app, liveKey);
  testing = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  stranger = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'live'));
  liveKeyId = (await live('/v1/whoami')).json.key.id;
});
afterAll(() => http.close());

const put = (body: unknown, ask = live, headers = {}) =>
  ask('/v1/integrity', { method: 'PUT', body, headers });

describe('credentials', () => {
  test('[I1] a credential is registered, shown, replaced and removed', async () => {
    const put1 = await put({ platform: 'android', credential: ANDROID });
    expect(put1.status).toBe(200);
    expect(put1.json).toEqual({
      mode: 'live',
      platform: 'android',
      credential: ANDROID,
      updatedAt: new Date(http.clock.now()).toISOString(),
    });
    http.clock.advance(1_000);
    await put({ platform: 'ios', credential: IOS, more: 'is ignored' });
    const other = { ...ANDROID, packageName: 'com.example.other' };
    http.clock.advance(1_000);
    const put2 = await put({ platform: 'android', credential: other });
    expect(put2.json.credential).toEqual(other);
    const { json } = await live('/v1/integrity');
    expect(json.nextCursor).toBeNull();
    expect(json.data.map(({ credential }: { credential: object }) => credential)).toEqual([
      other,
      IOS,
    ]);
    const removed = await live('/v1/integrity/android', { method: 'DELETE' });
    expect([removed.status, removed.json]).toEqual([200, { platform: 'android', removed: true }]);
    const again = await live('/v1/integrity/android', { method: 'DELETE' });
    expect([again.status, again.json.error]).toEqual([404, 'Integrity credential not found']);
    expect((await live('/v1/integrity')).json.data).toHaveLength(1);
  });

  const refused: readonly (readonly [unknown, string])[] = [
    [{}, 'platform is required'],
    [{ platform: null, credential: {} }, 'platform is required'],
    [{ platform: 'web', credential: ANDROID }, 'Invalid platform. Valid: android, ios'],
    [{ platform: 7 }, 'Invalid platform. Valid: android, ios'],
    [{ platform: 'android' }, 'credential is required'],
    [{ platform: 'android', credential: null }, 'credential is required'],
    [{ platform: 'android', credential: 'text' }, 'Invalid credential'],
    [{ platform: 'android', credential: [] }, 'Invalid credential'],
    [{ platform: 'android', credential: {} }, 'credential.packageName is required for android'],
    [
      { platform: 'android', credential: { packageName: 'com.example.game' } },
      'credential.googleCloudProjectNumber is required for android',
    ],
    [{ platform: 'android', credential: IOS }, 'credential.packageName is required for android'],
    [{ platform: 'ios', credential: ANDROID }, 'credential.bundleId is required for ios'],
    [
      { platform: 'ios', credential: { bundleId: 'a.b', teamId: null } },
      'credential.teamId is required for ios',
    ],
    ...['game', 'com..game', '1com.game', 'com.game/x', 'com.gäme', `com.${'a'.repeat(252)}`].map(
      (packageName) =>
        [
          { platform: 'android', credential: { ...ANDROID, packageName } },
          'Invalid credential.packageName',
        ] as const,
    ),
    ...[12345, '', '12a', '-1', '0', '012', '1'.repeat(21)].map(
      (googleCloudProjectNumber) =>
        [
          { platform: 'android', credential: { ...ANDROID, googleCloudProjectNumber } },
          'Invalid credential.googleCloudProjectNumber',
        ] as const,
    ),
    [{ platform: 'ios', credential: { ...IOS, bundleId: 'a b' } }, 'Invalid credential.bundleId'],
    [
      { platform: 'ios', credential: { ...IOS, teamId: 'a1b2c3d4e5' } },
      'Invalid credential.teamId',
    ],
    [{ platform: 'ios', credential: { ...IOS, teamId: {} } }, 'Invalid credential.teamId'],
    [
      { platform: 'ios', credential: { ...IOS, packageName: 'com.x' } },
      'Invalid credential.packageName',
    ],
    [{ platform: 'ios', credential: { ...IOS, secret: 1 } }, 'Invalid credential.secret'],
  ];
  for (const [body, error] of refused) {
    test(`[I1] ${JSON.stringify(body).slice(0, 70)}: 400 ${error}`, async () => {
      const answer = await put(body);
      expect([answer.status, answer.json.error]).toEqual([400, error]);
    });
  }

  test('[I1] a platform in the path is one of the two', async () => {
    const { status, json } = await live('/v1/integrity/web', { method: 'DELETE' });
    expect([status, json.error]).toEqual([400, 'Invalid platform. Valid: android, ios']);
  });

  test('[K3] live credentials are read by either key, and by no other tenant', async () => {
    await live('/v1/integrity/android', { method: 'DELETE' });
    await put({ platform: 'ios', credential: IOS });
    const read = (await live('/v1/integrity')).json;
    expect((await testing('/v1/integrity?mode=live')).json).toEqual(read);
    expect((await stranger('/v1/integrity')).json.data).toEqual([]);
    const { status } = await stranger('/v1/integrity/ios', { method: 'DELETE' });
    expect(status).toBe(404);
    expect((await live('/v1/integrity')).json.data).toHaveLength(1);
  });

  test('[H8] a repeat has no second effect, and gets the first response', async () => {
    const headers = { 'idempotency-key': 'put-1' };
    const first = await put({ platform: 'ios', credential: IOS }, live, headers);
    http.clock.advance(5_000);
    await put({ platform: 'ios', credential: { ...IOS, bundleId: 'com.example.later' } });
    const repeat = await put({ platform: 'ios', credential: IOS }, live, headers);
    expect(repeat.json).toEqual(first.json);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    const { json } = await live('/v1/integrity');
    expect(json.data[0].credential.bundleId).toBe('com.example.later');
    const gone = { 'idempotency-key': 'delete-1' };
    const removed = await live('/v1/integrity/ios', { method: 'DELETE', headers: gone });
    const again = await live('/v1/integrity/ios', { method: 'DELETE', headers: gone });
    expect([removed.status, again.status, again.json]).toEqual([200, 200, removed.json]);
  });

  test('[K3] every write is in the audit with its key, and refusals are not', async () => {
    const before = (await http.audit()).length;
    await put({ platform: 'ios', credential: IOS });
    await put({ platform: 'ios', credential: {} });
    await live('/v1/integrity/ios', { method: 'DELETE' });
    await live('/v1/integrity/ios', { method: 'DELETE' });
    const rows = (await http.audit()).slice(before);
    expect(rows.map(({ actor, act, object }) => [actor, act, object])).toEqual([
      [`key:${liveKeyId}`, 'integrity.put', 'ios'],
      [`key:${liveKeyId}`, 'integrity.delete', 'ios'],
    ]);
  });
});

describe('challenges', () => {
  const challenge = (body: unknown, headers = {}) =>
    live('/v1/integrity/challenge', { method: 'POST', body, headers });

  test('[I4] a challenge has 43 characters of base64url, is valid for five minutes, and is never repeated', async () => {
    const made = [await challenge({ platform: 'ios' }), await challenge({ platform: 'android' })];
    for (const { status, json } of made) {
      expect(status).toBe(201);
      expect(json.challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(Date.parse(json.expiresAt) - http.clock.now()).toBe(300_000);
    }
    expect(made[0]!.json.challenge).not.toBe(made[1]!.json.challenge);
  });

  test('[I4] its platform is required and one of the two', async () => {
    expect((await challenge({})).json.error).toBe('platform is required');
    const { status, json } = await challenge({ platform: 'web' });
    expect([status, json.error]).toEqual([400, 'Invalid platform. Valid: android, ios']);
  });

  test('[H8][I4] a repeat gets the same challenge, which is not in the store', async () => {
    const headers = { 'idempotency-key': 'challenge-1' };
    const first = await challenge({ platform: 'ios' }, headers);
    expect((await challenge({ platform: 'ios' }, headers)).json).toEqual(first.json);
    const { challenge: text } = first.json;
    expect((await http.texts()).filter((each) => each.includes(String(text)))).toEqual([]);
  });
});
