/** Refused keys, as a tenant finds them in the request log (rule D9). */

import { afterAll, expect, test } from 'bun:test';
import { makeAsking } from '../../testing/service/asking.ts';
import { openDashboard } from '../../testing/service/dashboard-browser.ts';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

async function logOf(query = ''): Promise<readonly Record<string, unknown>[]> {
  await world.requests.flush();
  return (await owner.ask(`/t/acme/test/requests?limit=100${query}`)).json['data'] as never;
}

async function makeKey(fields: object = {}): Promise<{ id: string; key: string }> {
  const made = await owner.ask('/t/acme/test/keys', { body: { name: 'k', ...fields } });
  await world.refreshKeys();
  return made.json as { id: string; key: string };
}

test('[D9] a revoked key and a wrong origin are in the log with the reason, and are not counted', async () => {
  const revoked = await makeKey();
  const bounded = await makeKey({ origins: ['https://shop.example'] });
  await owner.ask(`/t/acme/test/keys/${revoked.id}/revoke`, { method: 'POST' });
  await world.refreshKeys();
  const answer = await makeAsking(world.app, revoked.key)('/v1/sessions/ses_x');
  expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid or inactive API key' }]);
  world.clock.skip(1);
  const headers = { origin: 'https://thief.example' };
  expect((await makeAsking(world.app, bounded.key)('/v1/whoami', { headers })).status).toBe(403);
  const rows = await logOf();
  expect(rows).toMatchObject([
    {
      keyId: bounded.id,
      route: 'whoami',
      status: 403,
      code: 'origin_not_allowed',
      refusal: 'origin',
    },
    {
      keyId: revoked.id,
      route: 'getSession',
      status: 401,
      code: 'invalid_api_key',
      refusal: 'revoked',
    },
  ]);
  expect(rows[1]!['id']).toBe(answer.headers.get('x-request-id'));
  expect(await logOf('&errors=true')).toEqual(rows);
  const { counts } = (await owner.ask('/t/acme/test/usage')).json as { counts: object[] };
  expect(counts).toEqual([]);
});

test('[D9] a text that is not the whole key adds no row to any tenant’s log', async () => {
  const before = await logOf();
  const { key } = await makeKey();
  const other = key.slice(0, 16) + [...key.slice(16)].reverse().join('');
  for (const text of [other, key.slice(0, -1), 'mk_test_', 'x']) {
    expect((await makeAsking(world.app, text)('/v1/whoami')).status).toBe(401);
  }
  expect(await logOf()).toEqual(before);
});

test('[D9] a flood with a revoked key adds 20 rows a minute, and all other requests are logged', async () => {
  const revoked = await makeKey();
  const used = await makeKey();
  await owner.ask(`/t/acme/test/keys/${revoked.id}/revoke`, { method: 'POST' });
  await world.refreshKeys();
  world.clock.skip(120_000);
  const [flood, ask] = [makeAsking(world.app, revoked.key), makeAsking(world.app, used.key)];
  for (let i = 0; i < 200; i += 1) {
    await flood('/v1/whoami');
    if (i % 20 === 0) expect((await ask('/v1/whoami')).status).toBe(200);
  }
  const of = (rows: readonly Record<string, unknown>[], id: string) =>
    rows.filter(({ keyId }) => keyId === id).length;
  const rows = await logOf();
  expect([of(rows, revoked.id), of(rows, used.id)]).toEqual([20, 10]);
  world.clock.skip(60_000);
  await flood('/v1/whoami');
  expect(of(await logOf(), revoked.id)).toBe(21);
});

test('[D9] calls that create, join or find a session are logged with it, and listed by it', async () => {
  const { key } = await makeKey();
  const ask = makeAsking(world.app, key);
  const body = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };
  const made = await ask('/v1/sessions', { body });
  const { sessionId, roomCode } = made.json;
  world.clock.skip(1);
  await ask('/v1/sessions/join', { body: { game: 'tictactoe', roomCode, player: { id: 'ben' } } });
  world.clock.skip(1);
  expect((await ask(`/v1/sessions/${sessionId}`)).status).toBe(200);
  world.clock.skip(1);
  await ask('/v1/sessions', { body });
  const rows = await logOf(`&sessionId=${sessionId}`);
  expect(rows.map(({ route }) => route)).toEqual(['getSession', 'joinSession', 'createSession']);
  expect(await logOf('&sessionId=ses_nothing')).toEqual([]);
});
