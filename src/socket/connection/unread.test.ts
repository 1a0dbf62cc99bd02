/** The backlog of sockets that do not read is limited, and so are pings. */

import { afterEach, expect } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { makeFrame, OPCODE } from '../../platform/contract/raw-client.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { spokenHere, test } from '../../testing/sockets/both-protocols.ts';
import { type FakeSocket, openFakeSocket } from '../../testing/sockets/fake-socket.ts';
import { openSocketWorld, type SocketWorld, until } from '../../testing/sockets/socket-world.ts';
import { SMALL_BACKLOG_BYTES } from './backlogs.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;
const PINGS = Buffer.concat(Array<Buffer>(500).fill(makeFrame(OPCODE.ping, 'x'.repeat(125))));

let world: SocketWorld;
afterEach(() => world.close());

/** Watchers of one match, who have been shown it and read nothing from now on. */
async function openWatchers(count: number): Promise<FakeSocket[]> {
  const issuer = await world.makeIssuer();
  const { id } = await world.startMatch(issuer);
  const token = world.makeToken(issuer, { scope: 'watch', session: id });
  const all = Array.from({ length: count }, () => openFakeSocket(world.sockets, token));
  for (const each of all) {
    await until(() => each.sent.length === 2);
    each.isReading = false;
  }
  return all;
}

test('[P5] unread answers to pings count towards the 1 MiB, and 16 KiB before a token', async () => {
  world = await openSocketWorld({ clock: makeManualClock() });
  const [watcher] = await openWatchers(1);
  const greeting = openFakeSocket(world.sockets, null);
  greeting.isReading = false;
  watcher!.receivePing(MIB);
  greeting.receivePing(16 * KIB);
  expect([watcher!.closedWith, greeting.closedWith]).toEqual([null, null]);
  expect(world.census.backlogs.total()).toBe(MIB + 16 * KIB);
  watcher!.receivePing(1);
  greeting.receivePing(1);
  expect([watcher!.closedWith, greeting.closedWith]).toEqual([1013, 1013]);
  await until(() => world.census.backlogs.total() === 0);
});

test('[P5] sockets of one address share 16 MiB; those with a small backlog stay', async () => {
  world = await openSocketWorld({ clock: makeManualClock() });
  const sockets = await openWatchers(20);
  const [small, ...large] = sockets;
  for (const each of large.slice(0, 16)) each.receivePing(MIB);
  expect(sockets.map(({ closedWith }) => closedWith)).toEqual(Array(20).fill(null));
  small!.receivePing(SMALL_BACKLOG_BYTES);
  expect(small!.closedWith).toBeNull();
  large[16]!.receivePing(SMALL_BACKLOG_BYTES + 1);
  expect(large[16]!.closedWith).toBe(1013);
  await until(() => world.census.backlogs.total() === 16 * MIB + SMALL_BACKLOG_BYTES);
  // A socket that has read everything makes room.
  large[0]!.read();
  large[17]!.receivePing(SMALL_BACKLOG_BYTES + 1);
  expect(large[17]!.closedWith).toBeNull();
  for (const each of sockets) each.close(1000, '');
});

test('[P5] twenty sockets without a token that ping and read nothing are closed, and others are admitted', async () => {
  world = await openSocketWorld();
  const floods = Array.from({ length: 20 }, () => flood(world.port));
  await until(() => floods.every((socket) => socket.destroyed));
  await until(() => world.census.all.size === 0);
  expect(world.census.backlogs.total()).toBe(0);
  const issuer = await world.makeIssuer();
  const token = world.lobbyToken(issuer, 'ann');
  const lobby = await world.open({ token, headers: { 'X-Forwarded-For': '198.51.100.9' } });
  await lobby.next('welcome');
}, 20_000);

/** Opens a socket without a token, then pings as fast as the server takes it and reads nothing. */
function flood(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET /v1/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
      `Sec-WebSocket-Protocol: ${spokenHere()}\r\n\r\n`,
  );
  socket.pause();
  const send = (): void => {
    while (!socket.destroyed && socket.write(PINGS));
    socket.once('drain', send);
  };
  send();
  return socket;
}
