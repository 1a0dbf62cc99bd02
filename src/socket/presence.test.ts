/** Who counts as connected: real sockets, and the tickets that believe what they tell. */

import { afterEach, expect, test } from 'bun:test';
import type { PlayerPresence } from '../store/tickets.ts';
import { type HostedWorld, openHostedWorld } from '../testing/hosted-world.ts';
import { until } from '../testing/socket-world.ts';

let world: HostedWorld;
afterEach(() => world.close());

/** A frame that was sent has come by then. */
const QUIET_MS = 50;

/** What the store was told, as `+ann` and `-ann`. */
function listen(): string[] {
  const told: string[] = [];
  const { setPresence } = world.store;
  world.store.setPresence = (presence: PlayerPresence) => {
    expect(presence.node).toBe(world.node);
    told.push(`${presence.isConnected ? '+' : '-'}${presence.playerId}`);
    return setPresence(presence);
  };
  return told;
}

/** Could he be added to a ticket now? */
async function isConnected(player: string): Promise<boolean> {
  const { hosted } = world;
  const ticket = await hosted.ticket();
  const added = await hosted.add(ticket, player);
  await hosted.call('DELETE', `/ticket/${ticket}`);
  return added.status === 200;
}

/** The same as the process itself knows it. */
const isHere = (player: string): boolean =>
  world.sockets.isConnected(world.issuer.tenant.id, 'test', player);

test('[P1][M2] a lobby makes its player connected for as long as it is open', async () => {
  world = await openHostedWorld();
  expect(await isConnected('ann')).toBe(false);
  const lobby = await world.lobby('ann');
  expect(await isConnected('ann')).toBe(true);
  expect(isHere('ann')).toBe(true);
  expect(world.sockets.isConnected(world.issuer.tenant.id, 'live', 'ann')).toBe(false);
  await lobby.close();
  await until(async () => !(await isConnected('ann')));
  expect(isHere('ann')).toBe(false);
});

test("[P1][M2] so does a session's socket, and a watcher's does not", async () => {
  world = await openHostedWorld();
  const { issuer } = world;
  const session = await world.makeSession(issuer, { players: ['ann', 'bob'] });
  await world.enter(issuer, session, 'ann');
  expect(await isConnected('ann')).toBe(true);
  const told = listen();
  const token = world.makeToken(issuer, { scope: 'watch', session, player: null });
  await (await world.open({ token })).next('welcome');
  expect(told).toEqual([]);
});

test('[M2] only the first socket of a player and the last one are told of', async () => {
  world = await openHostedWorld();
  const { issuer } = world;
  const session = await world.makeSession(issuer, { players: ['ann', 'bob'] });
  const told = listen();
  const lobby = await world.lobby('ann');
  const playing = await world.enter(issuer, session, 'ann');
  await lobby.close();
  expect(told).toEqual(['+ann']);
  expect(await isConnected('ann')).toBe(true);
  await playing.close();
  await until(() => told.length === 2);
  expect(told).toEqual(['+ann', '-ann']);
});

test('[P2][M2] a socket that replaces another leaves no gap', async () => {
  world = await openHostedWorld();
  const told = listen();
  const older = await world.lobby('ann');
  await world.lobby('ann');
  expect((await older.closed).code).toBe(4409);
  expect(told).toEqual(['+ann']);
  expect(await isConnected('ann')).toBe(true);
});

test('[P2] presence is committed before welcome, for every socket that comes meanwhile', async () => {
  world = await openHostedWorld();
  const { issuer } = world;
  const { setPresence } = world.store;
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  world.store.setPresence = async (presence) => {
    await held;
    return setPresence(presence);
  };
  const session = await world.makeSession(issuer, { players: ['ann', 'bob'] });
  const sockets = [
    await world.open({ token: world.lobbyToken(issuer, 'ann') }),
    await world.open({ token: world.sessionToken(issuer, session, 'ann') }),
  ];
  await until(() => world.isConnected(session, 0));
  expect(await isConnected('ann')).toBe(false);
  await Bun.sleep(QUIET_MS);
  for (const socket of sockets) expect(socket.take()).toEqual([]);
  goOn();
  for (const socket of sockets) await socket.next('welcome');
  expect(await isConnected('ann')).toBe(true);
});

test('[P2] a player whose presence cannot be kept is asked to come back', async () => {
  world = await openHostedWorld();
  const { setPresence } = world.store;
  world.store.setPresence = () => Promise.reject(new Error('no disk'));
  const socket = await world.open({ token: world.lobbyToken(world.issuer, 'ann') });
  expect((await socket.closed).code).toBe(1012);
  world.store.setPresence = setPresence;
  await world.lobby('ann');
  expect(await isConnected('ann')).toBe(true);
  expect(world.errors.splice(0).map(String)).toContain('Error: no disk');
});
