/** A client over a socket's limits is disconnected, and its address may reconnect only slowly. */

import { afterEach, expect } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { makeFrame, makeHandshake, OPCODE } from '../../platform/contract/raw-client.ts';
import { type ManualClock, makeManualClock } from '../../testing/manual-clock.ts';
import { spokenHere, test } from '../../testing/sockets/both-protocols.ts';
import { type FakeSocket, openFakeSocket } from '../../testing/sockets/fake-socket.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../../testing/sockets/socket-world.ts';

/** At once, and as many over the rate before the socket is closed. */
const CONTROL_MAX = 20 + 39;
const GREETING_CONTROL_MAX = 5 + 4;
const ADDRESS = '198.51.100.77';

let world: SocketWorld;
let clock: ManualClock;
afterEach(() => world.close());

async function openWorld(): Promise<Issuer> {
  clock = makeManualClock();
  world = await openSocketWorld({ clock });
  return world.makeIssuer();
}

async function openLobby(issuer: Issuer, player: string): Promise<FakeSocket> {
  const lobby = openFakeSocket(world.sockets, world.lobbyToken(issuer, player));
  await until(() => lobby.sent.length === 1);
  return lobby;
}

/** Whether a socket from there would be admitted, without opening one. */
function mayCome(address: string): boolean {
  const headers = { 'sec-websocket-protocol': spokenHere(), 'x-forwarded-for': address };
  const request = new Request('http://127.0.0.1/v1/socket', { headers });
  return world.sockets.upgrade(request, { address: '127.0.0.1' }).accept;
}

test('[P5] pings and pongs: 5 a second, 20 at once; a client that continues is disconnected', async () => {
  const issuer = await openWorld();
  const [pings, pongs, steady] = [
    await openLobby(issuer, 'ann'),
    await openLobby(issuer, 'bob'),
    await openLobby(issuer, 'cyd'),
  ];
  const { handlers } = world.sockets;
  clock.advance(10_000);
  for (let n = 0; n < CONTROL_MAX; n++) {
    pings.receivePing();
    handlers.ponged(pongs);
  }
  expect([pings.closedWith, pongs.closedWith]).toEqual([null, null]);
  pings.receivePing();
  handlers.ponged(pongs);
  expect([pings.closedWith, pongs.closedWith]).toEqual([1006, 1006]);
  for (let second = 0; second < 60; second++) {
    for (let n = 0; n < 5; n++) steady.receivePing();
    clock.advance(1_000);
  }
  expect(steady.closedWith).toBeNull();
  steady.close(1000, '');
});

test('[P5] before a token is accepted: one ping or pong a second, 5 at once', async () => {
  const issuer = await openWorld();
  const greeting = openFakeSocket(world.sockets, null);
  for (let n = 0; n < GREETING_CONTROL_MAX; n++) greeting.receivePing();
  expect(greeting.closedWith).toBeNull();
  greeting.receivePing();
  expect(greeting.closedWith).toBe(1006);
  // Earlier messages no longer count.
  const other = openFakeSocket(world.sockets, null);
  for (let n = 0; n < GREETING_CONTROL_MAX; n++) other.receivePing();
  other.receive({ t: 'hello', token: world.lobbyToken(issuer, 'ann') });
  await until(() => other.sent.length === 1);
  for (let n = 0; n < CONTROL_MAX; n++) other.receivePing();
  expect(other.closedWith).toBeNull();
  other.close(1000, '');
});

test('[P5] an address opens 400 sockets at once and 20 a second; for IPv6 a /64 counts as one', async () => {
  await openWorld();
  const opened = (address: string, tries: number): number =>
    Array.from({ length: tries }, () => mayCome(address)).filter(Boolean).length;
  expect(opened('2001:db8:1:2::1', 300) + opened('2001:db8:1:2::2', 300)).toBe(400);
  expect(opened('2001:db8:1:3::1', 1)).toBe(1);
  clock.advance(1_000);
  expect(opened('2001:db8:1:2::1', 100)).toBe(20);
  await world.sockets.maintain();
  expect(world.census.handshakes.size).toBe(1);
  clock.advance(30_000);
  await world.sockets.maintain();
  expect(world.census.handshakes.size).toBe(0);
});

test('[P5] a flood of any kind costs its address 100 handshakes; the others wait for 5 s at most', async () => {
  const issuer = await openWorld();
  const { handlers } = world.sockets;
  const floods: ((socket: FakeSocket) => void)[] = [
    (socket) => {
      for (let n = 0; n <= CONTROL_MAX; n++) socket.receivePing();
    },
    (socket) => {
      for (let n = 0; n < 80; n++) socket.receive({ t: 'ping', n });
    },
    (socket) => handlers.flooded(socket),
    (socket) => handlers.flooded(socket),
  ];
  for (const [n, flood] of floods.entries()) {
    const socket = await openLobby(issuer, `p${n}`);
    flood(socket);
    expect(socket.closedWith).toBe([1006, 4429, 1006, 1006][n]!);
  }
  expect(mayCome(ADDRESS)).toBe(false);
  expect(mayCome('198.51.100.78')).toBe(true);
  const response = world.sockets.upgrade(
    new Request('http://127.0.0.1/v1/socket', {
      headers: { 'sec-websocket-protocol': spokenHere(), 'x-forwarded-for': ADDRESS },
    }),
    { address: '127.0.0.1' },
  );
  if (response.accept) throw new Error('accepted');
  expect(response.response.status).toBe(429);
  clock.advance(5_200);
  expect(mayCome(ADDRESS)).toBe(true);
});

test('[P5] endless empty fragments close the socket, and a match beside them continues', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const token = world.lobbyToken(issuer, 'eve');
  const floods = [flood(world.port, token), flood(world.port, null)];
  await until(() => floods.every((socket) => socket.destroyed));
  await until(() => world.census.all.size === 2);
  clients[0].send({ t: 'act', s: id, id: 'x', action: { position: 4 } });
  await clients[0].next('ack');
});

/** Opens a socket and sends fragments of one message, as fast as the server takes them. */
function flood(port: number, token: string | null): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const spoken = spokenHere();
  const protocol = token === null ? spoken : `${spoken}, token.${token}`;
  socket.on('error', () => {});
  socket.resume();
  socket.write(
    makeHandshake({ path: '/v1/socket', headers: { 'sec-websocket-protocol': protocol } }),
  );
  socket.write(makeFrame(OPCODE.text, '', false));
  const empty = makeFrame(OPCODE.continuation, '', false);
  const many = Buffer.concat(Array<Buffer>(20_000).fill(empty));
  const send = (): void => {
    while (!socket.destroyed && socket.write(many));
    socket.once('drain', send);
  };
  send();
  return socket;
}
