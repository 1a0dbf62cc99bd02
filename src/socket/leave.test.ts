/** Rule S3a over real sockets: leaving a pending session, and what others are shown. */

import { afterEach, beforeEach, expect } from 'bun:test';
import { test } from '../testing/sockets/both-protocols.ts';
import { openSocketWorld, type SocketWorld, until } from '../testing/sockets/socket-world.ts';

let world: SocketWorld;
beforeEach(async () => {
  world = await openSocketWorld();
});
afterEach(() => world.close());

const room = { game: 'ludo', matchType: 'private', options: {} } as const;

async function openRoom(players: readonly string[]) {
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer, { ...room, players });
  return { issuer, id };
}

test('[S3a][P4] leave is acknowledged, the others are shown the open seat, and the socket closes', async () => {
  const { issuer, id } = await openRoom(['ann', 'bob']);
  const ann = await world.enter(issuer, id, 'ann');
  const bob = await world.enter(issuer, id, 'bob');
  bob.send({ t: 'leave', s: id, id: 'l1' });
  expect(await bob.next('ack')).toMatchObject({ s: id, id: 'l1' });
  expect(await bob.next('left')).toMatchObject({ s: id, seat: 1 });
  expect(await bob.closed).toMatchObject({ code: 4410 });
  const kinds = await world.kindsOf(id);
  expect(kinds.slice(kinds.indexOf('left'))).toEqual(['left']);
  let shown = await ann.next('state');
  while (shown.players.length === 2) shown = await ann.next('state');
  expect(shown.players.map(({ id: player }) => player)).toEqual(['ann']);
  expect(shown.status).toBe('pending');
  // The token names a player without a seat.
  const back = await world.open({ token: world.sessionToken(issuer, id, 'bob') });
  expect(await back.closed).toMatchObject({ code: 4401 });
});

test('[S3][P3] players of a private session are shown its room code while a seat is open, watchers never', async () => {
  const { issuer, id } = await openRoom(['ann', 'bob', 'cid']);
  const { roomCode } = (await world.match(id)).row;
  const ann = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  expect((await ann.next('state')).roomCode).toBe(roomCode);
  const watcher = await world.open({
    token: world.makeToken(issuer, { scope: 'watch', session: id }),
  });
  await watcher.next('state');
  await world.join(issuer, id, 'dan');
  let shown = await ann.next('state');
  while (shown.players.length < 4) shown = await ann.next('state');
  expect(shown).not.toHaveProperty('roomCode');
  const dan = await world.enter(issuer, id, 'dan');
  dan.send({ t: 'leave', s: id, id: 'l1' });
  while (shown.players.length > 3) shown = await ann.next('state');
  expect(shown.roomCode).toBe(roomCode);
  await watcher.settle();
  expect(watcher.frames.length).toBeGreaterThan(2);
  expect(JSON.stringify(watcher.frames)).not.toContain(roomCode);
});

test("[S3a] a lobby stays open, and shows its player's next session", async () => {
  const { issuer, id } = await openRoom(['ann', 'bob']);
  await world.enter(issuer, id, 'ann');
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'bob') });
  expect(await lobby.next('state')).toMatchObject({ s: id, seat: 1 });
  lobby.send({ t: 'leave', s: id, id: 'l1' });
  await lobby.next('ack');
  await lobby.next('left');
  lobby.send({ t: 'leave', s: id, id: 'l2' });
  expect(await lobby.next('reject')).toMatchObject({ id: 'l2', code: 'unknown_session' });
  await world.join(issuer, id, 'bob');
  expect(await lobby.next('state')).toMatchObject({ s: id, seat: 1 });
  expect(lobby.isOpen()).toBe(true);
});

test("[S3a] the next player's seat is neither visible nor playable for the one who left", async () => {
  const { issuer, id } = await openRoom(['ann', 'bob', 'cid', 'eve']);
  await world.enter(issuer, id, 'ann');
  const bob = await world.open({ token: world.lobbyToken(issuer, 'bob') });
  await bob.next('state');
  // All at once: frames after `leave` no longer act for the seat.
  bob.send({ t: 'leave', s: id, id: 'l1' });
  bob.send({ t: 'entropy', s: id, value: 'mine' });
  bob.send({ t: 'resign', s: id, id: 'r1' });
  bob.send({ t: 'sync', s: id });
  await bob.next('ack');
  await world.join(issuer, id, 'dan');
  const dan = await world.enter(issuer, id, 'dan');
  await dan.settle();
  await bob.settle();
  const seat = (await world.match(id)).session.seats[1]!;
  expect(seat).toMatchObject({ taken: true, connected: true, entropy: '' });
  await dan.close();
  // Bob's lobby is not subscribed to that seat.
  await until(async () => !(await world.isConnected(id, 1)));
  const after = bob.frames.slice(bob.frames.findIndex(({ t }) => t === 'left') + 1);
  expect(after.filter((frame) => 's' in frame && frame.t !== 'reject')).toEqual([]);
});

test('[S3a] no player can leave a match that has begun', async () => {
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  clients[0].send({ t: 'leave', s: id, id: 'l1' });
  expect(await clients[0].next('reject')).toMatchObject({ id: 'l1', code: 'session_not_pending' });
});
