/** Who counts as connected: real sockets, and the tickets that rely on it. */

import { afterEach, expect } from 'bun:test';
import type { TokenClaims } from '../../runtime/access/tokens.ts';
import type { PlayerPresence } from '../../store/tickets.ts';
import { type HostedWorld, openHostedWorld } from '../../testing/service/hosted-world.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { until } from '../../testing/sockets/socket-world.ts';

let world: HostedWorld;
afterEach(() => world.close());

/** By then a frame that was sent has arrived. */
const QUIET_MS = 50;

/** The store's notifications, as `+ann` and `-ann`. */
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

/** Whether they could be added to a ticket now. */
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

test("[P1][M2] a session's socket also connects its player, a watcher's does not", async () => {
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

test('[M2] only the first socket of a player and the last one are reported', async () => {
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

test('[P2] presence is committed before welcome, for every socket that enters meanwhile', async () => {
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

test('[P2] a player whose presence cannot be stored is asked to reconnect', async () => {
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

/** Until it is back the store can be told of no disconnection. */
function loseGoings(): { comeBack(): void } {
  const { setPresence } = world.store;
  world.store.setPresence = (presence) =>
    presence.isConnected ? setPresence(presence) : Promise.reject(new Error('no disk'));
  return {
    comeBack() {
      world.store.setPresence = setPresence;
    },
  };
}

test('[M2] a player who leaves while the store is unavailable counts as gone as soon as it is back', async () => {
  world = await openHostedWorld();
  const lobby = await world.lobby('ann');
  const outage = loseGoings();
  await lobby.close();
  await until(() => world.errors.length === 1);
  expect(isHere('ann')).toBe(false);
  await expect(world.sockets.maintain()).rejects.toThrow('no disk');
  expect(await isConnected('ann')).toBe(true);
  outage.comeBack();
  world.errors.splice(0);
  await world.sockets.maintain();
  expect(await isConnected('ann')).toBe(false);
  const told = listen();
  await world.sockets.maintain();
  expect(told).toEqual([]);
});

test('[M2] the store is notified of all disconnections before a round ends, though it refuse one', async () => {
  world = await openHostedWorld();
  const lobbies = [await world.lobby('ann'), await world.lobby('bob')];
  const outage = loseGoings();
  for (const lobby of lobbies) await lobby.close();
  await until(() => world.errors.length === 2);
  outage.comeBack();
  world.errors.splice(0);
  const { setPresence } = world.store;
  const slow = Promise.withResolvers<void>();
  world.store.setPresence = async (presence) => {
    if (presence.playerId === 'ann') throw new Error('no disk');
    await slow.promise;
    return setPresence(presence);
  };
  const tended = world.sockets.maintain().catch(String);
  expect(await Promise.race([tended, Bun.sleep(QUIET_MS).then(() => 'under way')])).toBe(
    'under way',
  );
  slow.resolve();
  expect(await tended).toContain('no disk');
  world.store.setPresence = setPresence;
  expect(await isConnected('bob')).toBe(false);
  await world.sockets.maintain();
  expect(await isConnected('ann')).toBe(false);
});

test('[M2] a player who returns before the store learns of the departure stays connected', async () => {
  world = await openHostedWorld();
  const lobby = await world.lobby('ann');
  const outage = loseGoings();
  await lobby.close();
  await until(() => world.errors.length === 1);
  const back = await world.lobby('ann');
  outage.comeBack();
  world.errors.splice(0);
  await world.sockets.maintain();
  expect(await isConnected('ann')).toBe(true);
  await back.close();
  await until(async () => !(await isConnected('ann')));
});

test('[M2] a disconnection that fails after its player is back is not sent again', async () => {
  world = await openHostedWorld();
  const lobby = await world.lobby('ann');
  const { setPresence } = world.store;
  const failing = Promise.withResolvers<void>();
  world.store.setPresence = (presence) =>
    presence.isConnected ? setPresence(presence) : failing.promise;
  await lobby.close();
  await until(() => !isHere('ann'));
  await world.lobby('ann');
  failing.reject(new Error('no disk'));
  await until(() => world.errors.length === 1);
  world.store.setPresence = setPresence;
  world.errors.splice(0);
  await world.sockets.maintain();
  expect(await isConnected('ann')).toBe(true);
});

test('[P2][M2] no new player is admitted while too many disconnections are unwritten', async () => {
  world = await openHostedWorld();
  await world.lobby('ann');
  const { unreported } = world.census;
  const gone = { tenant: 'ten_a', mode: 'test', player: 'x' } as TokenClaims;
  for (let n = 0; n < 100_000; n++) unreported.set(`${n}`, gone);
  await (await world.open({ token: world.lobbyToken(world.issuer, 'ann') })).next('welcome');
  const bob = await world.open({ token: world.lobbyToken(world.issuer, 'bob') });
  expect((await bob.closed).code).toBe(1012);
  expect(world.errors.splice(0).map(String)[0]).toContain('Too many players have gone');
  unreported.clear();
  await world.lobby('bob');
});

test('[K3][R2][N7] a player who returns before this node learns of their erasure is announced once more, and stays connected', async () => {
  world = await openHostedWorld();
  const { issuer } = world;
  const session = await world.makeSession(issuer, { players: ['ann', 'bob'] });
  const before = await world.enter(issuer, session, 'ann');
  await Bun.sleep(5);
  const erasedAt = world.clock.now();
  const anew = await world.lobby('ann');
  const told = listen();
  const ann = { tenant: issuer.tenant.id, playerId: 'ann' };
  // Another player, of the same id (rule K3).
  world.sockets.dropPlayer({ ...ann, world: 'live' });
  await Bun.sleep(QUIET_MS);
  expect([told.splice(0), before.isOpen(), anew.isOpen()]).toEqual([[], true, true]);
  world.sockets.dropPlayer({ ...ann, world: 'test' }, erasedAt);
  expect((await before.closed).code).toBe(4401);
  await Bun.sleep(QUIET_MS);
  expect([told, anew.isOpen(), isHere('ann')]).toEqual([['+ann'], true, true]);
});
