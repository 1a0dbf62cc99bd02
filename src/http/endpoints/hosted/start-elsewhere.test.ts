/** Matches started by a node other than the one with the players' lobbies. */

import { afterEach, expect, test } from 'bun:test';
import { shippedGames } from '../../../games/registry.ts';
import { makeKeyRing } from '../../../runtime/access/key-ring.ts';
import { makeEventFeed } from '../../../runtime/events/event-feed.ts';
import { makeIds } from '../../../runtime/ids.ts';
import { type HostedDeps, makeHostedService } from '../../../runtime/matchmaking/hosted.ts';
import { systemRandomness } from '../../../runtime/system.ts';
import { makeKeyText } from '../../../tenancy/key-text.ts';
import { makeAsking } from '../../../testing/service/asking.ts';
import { type HostedWorld, openHostedWorld } from '../../../testing/service/hosted-world.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';
import { until } from '../../../testing/sockets/socket-world.ts';

let world: HostedWorld;
let elsewhere: HttpService;
afterEach(async () => {
  await world.close();
  await elsewhere.close();
});

/** `ask` goes to the node that starts the match; it has no player's lobby. */
async function open(change: (deps: HostedDeps) => Partial<HostedDeps> = () => ({})) {
  world = await openHostedWorld();
  const { store, clock, node, issuer, host, sockets } = world;
  const made = makeKeyText('test', (count) => systemRandomness.bytes(count));
  const key = { ...issuer.key, id: `${issuer.key.id.slice(0, -4)}else` };
  const audit = { tenant: issuer.tenant.id, actor: 'cli', act: 'test', object: '', at: 0 };
  await store.createKey(key, { id: made.id, hash: made.hash }, audit);
  const makeId = makeIds(clock, systemRandomness);
  const deps: HostedDeps = {
    games: shippedGames,
    store,
    clock,
    randomness: systemRandomness,
    makeId,
    node,
    host,
    isInLobby: () => false,
    isElsewhere: async (...player) => sockets.isConnected(...player),
  };
  elsewhere = await openHttpService({
    service: world.sessions,
    hosted: makeHostedService({ ...deps, ...change(deps) }),
    keys: makeKeyRing({ store, clock }),
    tokens: world.tokens,
    events: makeEventFeed(store),
    store,
    clock,
    makeId,
  });
  return makeAsking(elsewhere.app, made.text);
}

async function groupOf(...players: string[]): Promise<string> {
  const ticket = await world.hosted.ticket();
  for (const player of players) await world.hosted.add(ticket, player);
  return world.hosted.promote(ticket);
}

const START = '/matchmaking/hosted/start-match?game=tictactoe';

test('[M5][N1] a player with a lobby on another node comes from there, whatever the grace', async () => {
  const ask = await open();
  const lobbies = [await world.lobby('ann'), await world.lobby('bob')];
  const groupIds = [await groupOf('ann', 'bob')];
  const body = { groupIds, options: { disconnectGraceMs: 0 } };
  const { status, json } = await ask(START, { method: 'POST', body });
  expect(status).toBe(201);
  for (const lobby of lobbies) await lobby.next('state');
  await until(() => world.isConnected(json.sessionId, 1));
  const { session } = (await world.host.peek(json.sessionId))!;
  expect([session.status, ...session.seats.map(({ connected }) => connected)]).toEqual([
    'active',
    true,
    true,
  ]);
  const told = (await ask('/v1/events?limit=100')).json.data.map(
    ({ type }: { type: string }) => type,
  );
  const comings = told.filter((type: string) => /^player.*connected$/.test(type));
  expect(comings).toEqual(['player.connected', 'player.connected']);
  // A player who leaves after being present has the usual grace, here none.
  await lobbies[1]!.close();
  expect((await lobbies[0]!.next('over')).result).toMatchObject({ winner: 'ann' });
});

test('[M5][N1] a player who is connected nowhere has the grace and no more', async () => {
  const ask = await open();
  const lobbies = [await world.lobby('ann'), await world.lobby('bob')];
  const groupIds = [await groupOf('ann', 'bob')];
  await lobbies[1]!.close();
  await until(() => world.census.all.size === 1);
  const body = { groupIds, options: { disconnectGraceMs: 0 } };
  await ask(START, { method: 'POST', body });
  expect(await lobbies[0]!.next('state')).toMatchObject({
    status: 'ended',
    result: { winner: 'ann', reason: 'disconnect' },
  });
});

for (const isKeyed of [true, false]) {
  const how = isKeyed ? 'with its key' : 'without a key';
  test(`[M5][H8] players whom a crashed node did not notify are notified when the start is repeated ${how}`, async () => {
    const ask = await open(({ host }) => ({
      host: { ...host, adopt() {}, notifySeated() {} },
    }));
    const lobbies = [await world.lobby('ann'), await world.lobby('bob')];
    const groupIds = [await groupOf('ann', 'bob')];
    const headers: Record<string, string> = isKeyed ? { 'idempotency-key': 'k' } : {};
    const request = { method: 'POST', body: { groupIds }, headers };
    expect((await ask(START, request)).status).toBe(201);
    for (const lobby of lobbies) expect(await lobby.settle()).toEqual([]);
    expect((await world.ask(START, request)).status).toBe(isKeyed ? 201 : 200);
    for (const lobby of lobbies) expect(await lobby.next('state')).toMatchObject({ turn: 0 });
  });
}
