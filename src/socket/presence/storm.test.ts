/**
 * Many sockets of the same players connect and disconnect concurrently; presence is right
 * afterwards.
 */

import { afterEach, expect } from 'bun:test';
import { isQuiet } from '../../runtime/host/match-table.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { RefusedError } from '../../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../../testing/sockets/socket-world.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';

const CLIENTS = 50;
const STORM_MS = 2_500;
const TIMEOUT_MS = 20_000;

let world: SocketWorld;
afterEach(() => world.close());

const chance = makeSeededRandomness(TEST_SEED);
const roll = (below: number): number => chance.bytes(1)[0]! % below;

/** Connects and disconnects, in one of two ways, until the storm is over. */
async function blow(issuer: Issuer, id: string, player: string, until: number): Promise<void> {
  while (Date.now() < until) {
    const isLobby = roll(3) === 0;
    const token = isLobby
      ? world.lobbyToken(issuer, player)
      : world.sessionToken(issuer, id, player);
    const client = await world.open(roll(4) === 0 ? {} : { token }).catch(refusedOrThrow);
    if (client === null) {
      await Bun.sleep(20);
      continue;
    }
    if (roll(2) === 0) client.send({ t: 'hello', token });
    if (roll(2) === 0) await Bun.sleep(roll(20));
    if (client.isOpen()) client.send({ t: 'sync', s: id });
    if (roll(5) === 0) await client.closed;
    else await client.close();
  }
}

/** An address has a limit of concurrent handshakes (rule P5). */
function refusedOrThrow(error: unknown): null {
  if (error instanceof RefusedError && error.status === 429) return null;
  throw error;
}

function leftovers(issuer: Issuer): object {
  const { all, byPlace, byAddress, greeting, byPlayer, byTenant } = world.census;
  const tenant = issuer.tenant.id;
  return {
    sockets: all.size,
    places: byPlace.size,
    address: byAddress.of('127.0.0.1'),
    greeting: greeting.of('127.0.0.1'),
    players: ['ann', 'bob'].map((id) => byPlayer.of(JSON.stringify([tenant, 'live', id]))),
    tenant: byTenant.of(`${tenant}:live`),
  };
}

const NOTHING = { sockets: 0, places: 0, address: 0, greeting: 0, players: [0, 0], tenant: 0 };

test(
  `[P1][P2] ${CLIENTS} sockets of two players connect and disconnect: presence is right in the end (seed ${TEST_SEED})`,
  async () => {
    world = await openSocketWorld();
    const issuer = await world.makeIssuer();
    const { id, clients } = await world.startMatch(issuer, { options: { afk: false } });
    const end = Date.now() + STORM_MS;
    const players = Array.from({ length: CLIENTS }, (_, n) => (n % 2 === 0 ? 'ann' : 'bob'));
    const sweep = setInterval(() => {
      // They connect more often than players and addresses may (rule P5).
      world.census.arrivals.clear();
      world.census.handshakes.clear();
      // A socket that waits to be closed by a newer one may be the newest.
      if (Date.now() > end) for (const each of world.census.all) each.socket?.close(1000, '');
    }, 50);
    await Promise.all(players.map((player) => blow(issuer, id, player, end)));
    for (const client of clients) await client.close();
    await until(() => world.census.all.size === 0);
    clearInterval(sweep);
    world.census.arrivals.clear();
    world.census.handshakes.clear();
    expect(leftovers(issuer)).toEqual(NOTHING);
    const match = await world.match(id);
    await until(() => isQuiet(match));
    expect(match.subscribers.length).toBe(0);
    expect([await world.isConnected(id, 0), await world.isConnected(id, 1)]).toEqual([
      false,
      false,
    ]);
    const [ann, bob] = [await world.enter(issuer, id, 'ann'), await world.enter(issuer, id, 'bob')];
    ann.send({ t: 'act', s: id, id: 'z', action: { position: 4 } });
    await ann.next('ack');
    await bob.next('update');
    expect([await world.isConnected(id, 0), await world.isConnected(id, 1)]).toEqual([true, true]);
    expect((await world.match(id)).subscribers.length).toBe(2);
  },
  TIMEOUT_MS,
);

test("[P1][P6] a seat whose last socket closes while its match's queue is full is away all the same", async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  const { commit } = world.store;
  const held: (() => void)[] = [];
  world.store.commit = (match, done) => {
    held.push(() => commit(match, done));
  };
  const fill = (n: number) => bob.send({ t: 'act', s: id, id: `b${n}`, action: { position: 0 } });
  const more = await world.open({ token: world.lobbyToken(issuer, 'bob') });
  await more.next('state');
  ann.send({ t: 'act', s: id, id: 'a', action: { position: 4 } });
  await until(() => held.length === 1);
  for (let n = 0; n < 35; n++) fill(n);
  for (let n = 0; n < 35; n++) {
    more.send({ t: 'act', s: id, id: `c${n}`, action: { position: 0 } });
  }
  expect((await more.next('reject')).code).toBe('busy');
  await ann.close();
  await until(() => world.census.all.size === 2);
  world.store.commit = commit;
  for (const go of held) go();
  await until(async () => {
    await world.host.maintain();
    return !(await world.isConnected(id, 0));
  });
});

test('[P1][P6] a seat whose leaving could not be committed is away when it can be', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const { commit } = world.store;
  let failed = 0;
  world.store.commit = (_, done) => {
    failed += 1;
    setTimeout(() => done('unknown'), 1);
  };
  await Promise.all(clients.map((client) => client.close()));
  await until(() => failed > 0 && world.census.all.size === 0);
  await Bun.sleep(20);
  world.store.commit = commit;
  await until(async () => {
    await world.host.maintain();
    return !(await world.isConnected(id, 0)) && !(await world.isConnected(id, 1));
  });
});
