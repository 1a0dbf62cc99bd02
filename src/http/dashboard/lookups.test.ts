/**
 * The dashboard's look-ups: players in pages, a ticket or group by its id, pass rates of checks,
 * what a key was used for.
 */

import { afterAll, expect, test } from 'bun:test';
import { makeAsking } from '../../testing/service/asking.ts';
import { makeMember, openDashboard } from '../../testing/service/dashboard-browser.ts';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

async function createSession(body: object): Promise<string> {
  const made = await owner.ask('/t/acme/test/v1/sessions', { body });
  expect(made.status).toBe(201);
  return String(made.json['sessionId']);
}

const idsOf = ({ json }: { readonly json: Record<string, unknown> }): string[] =>
  (json['data'] as { playerId: string }[]).map(({ playerId }) => playerId);

test('[D11] players are listed in pages, and no page repeats one', async () => {
  const players = ['ann', 'ben', 'cläre', 'dan'].map((id) => ({ id }));
  await createSession({ game: 'ludo', players });
  const first = await owner.ask('/t/acme/test/players?limit=3');
  expect(idsOf(first)).toEqual(['ann', 'ben', 'cläre']);
  const cursor = encodeURIComponent(String(first.json['nextCursor']));
  const second = await owner.ask(`/t/acme/test/players?limit=3&cursor=${cursor}`);
  expect(idsOf(second)).toEqual(['dan']);
  expect(second.json['nextCursor']).toBeNull();
  expect(idsOf(await owner.ask('/t/acme/live/players'))).toEqual([]);
  for (const wrong of ['limit=0', 'limit=101', 'cursor=AA', `cursor=${'x'.repeat(701)}`]) {
    expect((await owner.ask(`/t/acme/test/players?${wrong}`)).status).toBe(400);
  }
});

test('[D11] a ticket or group is found by its id in its own mode, also when cancelled', async () => {
  const hosted = '/t/acme/test/matchmaking/hosted';
  const made = await owner.ask(`${hosted}/ticket?game=ludo`, { body: {} });
  const id = String(made.json['ticketId']);
  const find = (ticket: string, mode = 'test') => owner.ask(`/t/acme/${mode}/tickets/${ticket}`);
  expect((await find(id)).json).toMatchObject({
    ticketId: id,
    groupId: null,
    status: 'forming',
    game: 'ludo',
    sessionId: null,
  });
  await owner.ask(`${hosted}/ticket/${id}?game=ludo`, { method: 'DELETE' });
  expect((await find(id)).json).toMatchObject({ status: 'cancelled' });
  for (const [ticket, mode] of [
    [id, 'live'],
    ['tkt_none', 'test'],
    [`grp_${id.slice(4)}`, 'test'],
  ] as const) {
    const refused = await find(ticket, mode);
    expect([refused.status, refused.json]).toEqual([404, { error: 'Ticket or group not found' }]);
  }
});

test('[I3][D11] pass rates count the checks of sessions', async () => {
  const rates = async () => (await owner.ask('/t/acme/test/verdict-rates')).json;
  expect(await rates()).toEqual({ isPartial: false, days: [], reasons: [] });
  await createSession({
    game: 'tictactoe',
    players: [{ id: 'eve' }],
    platform: 'android',
    integrityToken: 'x',
  });
  const day = new Date(world.clock.now()).toISOString().slice(0, 10);
  expect(await rates()).toEqual({
    isPartial: false,
    days: [{ day, platform: 'android', passed: 0, failed: 0, error: 0, skipped: 1 }],
    reasons: [{ reason: 'no_credential', count: 1 }],
  });
});

test('[K2] a key has the last use of each call, its own only and in its own mode', async () => {
  const create = async (mode: 'test' | 'live'): Promise<{ id: string; key: string }> =>
    (await owner.ask(`/t/acme/${mode}/keys`, { body: { name: 'shop' } })).json as never;
  const [shop, other, live] = [await create('test'), await create('test'), await create('live')];
  await world.refreshKeys();
  const call = async ({ key }: { key: string }, path: string): Promise<number> =>
    (await makeAsking(world.app, key)(path)).status;
  expect(await call(shop, '/v1/whoami')).toBe(200);
  world.clock.skip(60_000);
  expect(await call(shop, '/v1/whoami')).toBe(200);
  world.clock.skip(60_000);
  expect(await call(shop, '/v1/sessions/ses_none')).toBe(404);
  expect(await call(other, '/v1/games')).toBe(200);
  await world.requests.flush();
  const now = world.clock.now();
  const timeOf = (ms: number): string => new Date(now - ms).toISOString();
  const routes = async (id: string, mode = 'test') => {
    const { status, json } = await owner.ask(`/t/acme/${mode}/keys/${id}/routes`);
    return status === 200 ? json : status;
  };
  expect(await routes(shop.id)).toEqual({
    isPartial: false,
    data: [
      { method: 'GET', route: 'getSession', lastAt: timeOf(0), lastStatus: 404, requests: 1 },
      { method: 'GET', route: 'whoami', lastAt: timeOf(60_000), lastStatus: 200, requests: 2 },
    ],
  });
  expect(await routes(live.id, 'live')).toEqual({ isPartial: false, data: [] });
  expect([await routes(live.id), await routes(shop.id, 'live')]).toEqual([404, 404]);
});

test("[D6] the team page lists the installation's owners separately from the members", async () => {
  await makeMember(world, owner, 'acme', 'viewer');
  const { json } = await owner.ask('/t/acme/team');
  expect(json['operators']).toMatchObject([{ email: 'olga@example.test', name: 'Olga' }]);
  expect(json['members']).toMatchObject([{ email: 'viewer@example.test', role: 'viewer' }]);
});
