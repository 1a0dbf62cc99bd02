/** Sockets of one place of the census use one place among the tenant's on all nodes together. */

import { afterEach, expect } from 'bun:test';
import { makeLocalPlaces } from '../../runtime/limits/places.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { openFakeSocket } from '../../testing/sockets/fake-socket.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../../testing/sockets/socket-world.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';

let world: SocketWorld;
afterEach(() => world.close());

/** A world with a slow store, as on another machine, and the number of places taken. */
async function openSlowWorld(): Promise<{ issuer: Issuer; countTaken(): Promise<number> }> {
  // What all nodes together count.
  const places = makeLocalPlaces();
  world = await openSocketWorld({ places });
  const issuer = await world.makeIssuer();
  const { listOpenSessionsOf } = world.store;
  world.store.listOpenSessionsOf = async (...asked) => {
    await Bun.sleep(10);
    return listOpenSessionsOf(...asked);
  };
  const key = `sockets:live ${issuer.tenant.id}`;
  return {
    issuer,
    async countTaken() {
      for (let max = 1; ; max++) {
        const leave = await places.take(key, max);
        leave?.();
        if (leave !== null) return max - 1;
      }
    },
  };
}

const openLobby = (issuer: Issuer) =>
  openFakeSocket(world.sockets, world.lobbyToken(issuer, 'ann'));
const isOpen = (lobby: ReturnType<typeof openLobby>): boolean => lobby.data.state.kind === 'open';

test('[N20] a socket keeps its place while its replacement gives up', async () => {
  const { issuer, countTaken } = await openSlowWorld();
  const ann = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await ann.next('welcome');
  expect(await countTaken()).toBe(1);
  for (let i = 0; i < 3; i++) {
    const hasty = openLobby(issuer);
    await until(() => hasty.data.state.kind === 'entering');
    hasty.close(1000, '');
    await Bun.sleep(20);
  }
  expect(ann.isOpen()).toBe(true);
  expect(world.census.byTenant.of(`${issuer.tenant.id}:live`)).toBe(1);
  expect(await countTaken()).toBe(1);
  await ann.close();
  await until(async () => (await countTaken()) === 0);
});

test('[N20] a socket that closes while another is about to replace it leaves its place to that one', async () => {
  const { issuer, countTaken } = await openSlowWorld();
  const older = openLobby(issuer);
  await until(() => isOpen(older));
  const newer = openLobby(issuer);
  await until(() => newer.data.state.kind === 'entering');
  older.close(1000, '');
  await until(() => isOpen(newer));
  expect(await countTaken()).toBe(1);
  newer.close(1000, '');
  await until(() => world.census.all.size === 0);
  expect(await countTaken()).toBe(0);
});

test(`[N20] in any order of connects and closes a lobby has one place (seed ${TEST_SEED})`, async () => {
  const { issuer, countTaken } = await openSlowWorld();
  const chance = makeSeededRandomness(TEST_SEED);
  const roll = (below: number): number => chance.bytes(1)[0]! % below;
  let lobbies: ReturnType<typeof openLobby>[] = [];
  for (let i = 0; i < 150; i++) {
    if (roll(2) === 0) lobbies.push(openLobby(issuer));
    else lobbies[roll(Math.max(1, lobbies.length))]?.close(1000, '');
    await Bun.sleep(roll(12));
    // This player connects more often than is allowed (rule P5).
    world.census.arrivals.clear();
    lobbies = lobbies.filter((lobby) => lobby.closedWith === null);
    if (lobbies.some(isOpen)) expect(await countTaken()).toBeGreaterThanOrEqual(1);
  }
  const last = openLobby(issuer);
  await until(() => isOpen(last) && world.census.all.size === 1);
  expect(await countTaken()).toBe(1);
  last.close(1000, '');
  await until(() => world.census.all.size === 0);
  expect(await countTaken()).toBe(0);
});
