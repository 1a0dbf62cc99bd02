/** The limits of sockets, and what happens to those that exceed them. */

import { afterEach, expect } from 'bun:test';
import { connect } from 'node:net';
import { makeLeasedPlaces } from '../runtime/limits/places.ts';
import { makeSystemClock } from '../runtime/system.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { openLimits } from '../testing/service/limit-store.ts';
import { spokenHere, test } from '../testing/sockets/both-protocols.ts';
import { openFakeSocket } from '../testing/sockets/fake-socket.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../testing/sockets/socket-world.ts';

const KIB = 1_024;
const FRAME_BYTES_MAX = 16 * KIB;

let world: SocketWorld;
afterEach(() => world.close());

async function openWorld(): Promise<Issuer> {
  world = await openSocketWorld();
  return world.makeIssuer();
}

/** The status of a handshake from an address; 101 for one that succeeds. */
async function handshake(address: string, token: string | null = null): Promise<number> {
  return world.open({ token, headers: { 'X-Forwarded-For': address } }).then(
    () => 101,
    ({ status }) => status,
  );
}

async function openLobby(issuer: Issuer, player: string): Promise<SocketClient> {
  const lobby = await world.open({ token: world.lobbyToken(issuer, player) });
  await lobby.next('welcome');
  return lobby;
}

// ── frames ─────────────────────────────────────────────────────────────────────────────────────

const manySessions = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`s${n}`, 0]));
const BAD_FRAMES: readonly (object | string | Uint8Array<ArrayBuffer>)[] = [
  new Uint8Array([1, 2, 3]),
  new TextEncoder().encode('{"t":"ping","n":1}'),
  '',
  'ping',
  '{"t":"ping","n":1',
  'null',
  '1',
  '"ping"',
  '[{"t":"ping","n":1}]',
  '['.repeat(FRAME_BYTES_MAX),
  '{"t":"ping","n":1e999}',
  '{"__proto__":{"t":"ping","n":1}}',
  {},
  { t: 'pong', n: 1 },
  { t: 'PING', n: 1 },
  { t: ['ping'], n: 1 },
  { t: 'constructor' },
  { t: 'ping' },
  { t: 'ping', n: '1' },
  { t: 'ping', n: null },
  { t: 'sync' },
  { t: 'sync', s: '' },
  { t: 'sync', s: 's'.repeat(65) },
  { t: 'sync', s: 1 },
  { t: 'act', s: 'S', action: {} },
  { t: 'act', s: 'S', id: '', action: {} },
  { t: 'act', s: 'S', id: 1, action: {} },
  { t: 'act', s: 'S', id: 'x'.repeat(65), action: {} },
  { t: 'act', s: 'S', id: 'a\nb', action: {} },
  '{"t":"act","s":"S","id":"\\ud800","action":{}}',
  { t: 'resign', s: 'S' },
  { t: 'draw', s: 'S', id: '1' },
  { t: 'draw', s: 'S', id: '1', do: 'take' },
  { t: 'emote', s: 'S', emote: 'wink' },
  { t: 'entropy', s: 'S', value: '' },
  { t: 'entropy', s: 'S', value: 'x'.repeat(65) },
  { t: 'entropy', s: 'S', value: 7 },
  { t: 'hello', token: 1 },
  { t: 'hello', token: 'x'.repeat(2_049) },
  { t: 'hello', resume: [] },
  { t: 'hello', resume: { S: '1' } },
  { t: 'hello', resume: manySessions },
];

test('[P5] invalid frames close with 4400: binary, not JSON, unknown t, fields of the wrong type', async () => {
  const issuer = await openWorld();
  const wrong: unknown[] = [];
  for (const [n, frame] of BAD_FRAMES.entries()) {
    const greeting = await world.open();
    const lobby = await openLobby(issuer, `ann-${n}`);
    for (const client of [greeting, lobby]) {
      client.send(frame);
      const { code } = await client.closed;
      if (code !== 4400 || client.take().length > 0) wrong.push([frame, code]);
    }
  }
  expect(wrong).toEqual([]);
});

test('[P5] the reason of a 4400 names the fault in our own words only', async () => {
  const issuer = await openWorld();
  const cases: [object | string | Uint8Array<ArrayBuffer>, string][] = [
    [new Uint8Array([1]), 'bad frame: binary'],
    ['{"t":', 'bad frame: no JSON'],
    ['7', 'bad frame: no object'],
    [{ n: 1 }, 'bad frame: t'],
    [{ t: 'foo' }, 'bad frame: t'],
    [{ t: 'emote', s: 'S', emote: 'zzz' }, 'bad frame: emote'],
    [{ t: 'act', s: 'S', action: {} }, 'bad frame: id'],
    [{ t: 'hello', resume: { ['x'.repeat(500)]: 'y' } }, 'bad frame: resume'],
  ];
  for (const [n, [frame, reason]] of cases.entries()) {
    const lobby = await openLobby(issuer, `ben-${n}`);
    lobby.send(frame);
    expect(await lobby.closed).toEqual({ code: 4400, reason });
  }
});

test('[P3] unknown fields are ignored', async () => {
  const lobby = await openLobby(await openWorld(), 'ann');
  lobby.send({ t: 'ping', n: 1, more: { of: ['it'] }, s: 7 });
  expect((await lobby.next('pong')).n).toBe(1);
});

test('[P5] a frame of 16 KiB is read, one byte more closes the socket', async () => {
  const issuer = await openWorld();
  const empty = JSON.stringify({ t: 'ping', n: 1, pad: '' }).length;
  const frame = (bytes: number) => ({ t: 'ping', n: 1, pad: 'x'.repeat(bytes - empty) });
  const lobby = await openLobby(issuer, 'ann');
  lobby.send(frame(FRAME_BYTES_MAX));
  await lobby.next('pong');
  lobby.send(frame(FRAME_BYTES_MAX + 1));
  expect((await lobby.closed).code).toBe(1009);
  await until(() => world.census.all.size === 0);
});

// ── rate limits ────────────────────────────────────────────────────────────────────────────────

test('[P5] 20 messages a second, 40 at once; more are too_fast, then 4429', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  clock.advance(2_000);
  for (let n = 0; n < 40; n++) ann.send({ t: 'ping', n });
  ann.send({ t: 'act', s: id, id: 'x', action: { position: 4 } });
  ann.send({ t: 'ping', n: -1 });
  expect(await ann.next('reject')).toMatchObject({ s: id, id: 'x', code: 'too_fast' });
  expect(await ann.next('reject')).toMatchObject({ s: null, id: null, code: 'too_fast' });
  expect(ann.frames.filter(({ t }) => t === 'pong')).toHaveLength(41);
  expect(await bob.settle()).toEqual([]);
  // Refused messages count: two of debt and one for the next.
  clock.advance(149);
  ann.send({ t: 'ping', n: 1 });
  await ann.next('reject');
  clock.advance(2_000);
  ann.send({ t: 'act', s: id, id: 'x', action: { position: 4 } });
  await ann.next('ack');
  clock.advance(60_000 / 20);
  for (let n = 0; n < 80; n++) ann.send({ t: 'ping', n });
  expect((await ann.closed).code).toBe(4429);
  const last = ann.frames.slice(-79).map(({ t }) => t);
  expect(last).toEqual([...Array(40).fill('pong'), ...Array(39).fill('reject')]);
  expect(await bob.next('presence')).toMatchObject({ seat: 0, connected: false });
});

test('[P5] requests for whole states have a rate of their own: 2 a second, 20 at once', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  clock.advance(10_000);
  for (let n = 0; n < 20; n++) ann.send({ t: 'sync', s: id });
  await ann.settle();
  ann.take();
  ann.send({ t: 'sync', s: id });
  expect(await ann.next('reject')).toMatchObject({ s: id, id: null, code: 'too_fast' });
  // A hello is no way around it, and costs nothing for sessions that are up to date.
  ann.send({ t: 'hello', resume: { [id]: 0 } });
  expect(await ann.next('reject')).toMatchObject({ s: id, id: null, code: 'too_fast' });
  const { v } = (await world.match(id)).session;
  for (let n = 0; n < 5; n++) bob.send({ t: 'hello', resume: { [id]: v } });
  for (let n = 0; n < 20; n++) bob.send({ t: 'sync', s: id });
  expect((await bob.settle()).map(({ t }) => t)).toEqual(Array(20).fill('state'));
  // A refused request leaves nothing pending.
  clock.advance(500);
  expect(ann.take()).toEqual([]);
  ann.send({ t: 'sync', s: id });
  expect((await ann.settle()).map(({ t }) => t)).toEqual(['state']);
  ann.send({ t: 'act', s: id, id: 'x', action: { position: 4 } });
  await ann.next('ack');
});

test('[P5] 5 sockets a player, by tenant and mode; replacing one needs no room', async () => {
  const issuer = await openWorld();
  const other = await world.makeIssuer();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await world.makeSession(issuer));
  const lobby = await openLobby(issuer, 'ann');
  const clients: SocketClient[] = [];
  for (const id of ids.slice(0, 4)) clients.push(await world.enter(issuer, id, 'ann'));
  const token = world.sessionToken(issuer, ids[4]!, 'ann');
  expect((await (await world.open({ token })).closed).code).toBe(4429);
  expect(await world.kindsOf(ids[4]!)).toEqual(['created', 'connected']); // By the lobby.
  await world.enter(issuer, ids[4]!, 'bob');
  await openLobby(other, 'ann');
  clients.push(await world.enter(issuer, ids[0]!, 'ann'));
  expect((await clients[0]!.closed).code).toBe(4409);
  await lobby.close();
  await world.enter(issuer, ids[4]!, 'ann');
  expect((await (await world.open({ token: world.lobbyToken(issuer, 'ann') })).closed).code).toBe(
    4429,
  );
});

test('[P5] 5 sockets a player, however many connect while the other nodes are asked for room', async () => {
  const places = makeLeasedPlaces({
    store: openLimits(['nod_a']).limits,
    clock: makeSystemClock(),
    node: 'nod_a',
    nodes: () => 2,
    isHeld: () => true,
    onError: () => {},
  });
  // All have connected before the first is told that it has room.
  const asked = Promise.withResolvers<void>();
  let count = 0;
  const take: typeof places.take = async (...wish) => {
    count += 1;
    if (count === 9) asked.resolve();
    await asked.promise;
    return places.take(...wish);
  };
  world = await openSocketWorld({ places: { ...places, take } });
  const issuer = await world.makeIssuer();
  const ids: string[] = [];
  for (let n = 0; n < 9; n++) ids.push(await world.makeSession(issuer));
  const clients = await Promise.all(
    ids.map((id) => world.open({ token: world.sessionToken(issuer, id, 'ann') })),
  );
  const fates = await Promise.all(
    clients.map((client) =>
      Promise.race([
        client.next('welcome').then(({ t }) => t),
        client.closed.then(({ code }) => code),
      ]),
    ),
  );
  expect(fates.filter((fate) => fate === 'welcome')).toHaveLength(5);
  expect(fates.filter((fate) => fate === 4429)).toHaveLength(4);
});

test("[P5][H6] the plan's limit of sockets, by mode", async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer({ limits: { sockets: 2 } });
  const test = await world.makeIssuer(issuer.tenant, { mode: 'test' });
  const first = await openLobby(issuer, 'ann');
  await openLobby(issuer, 'bob');
  const third = await world.open({ token: world.lobbyToken(issuer, 'cid') });
  expect((await third.closed).code).toBe(4429);
  await openLobby(test, 'cid');
  await openLobby(issuer, 'bob');
  await first.close();
  await until(() => world.census.all.size === 2);
  await openLobby(issuer, 'cid');
});

test("[P5][H6] the plan's limit of sockets over all nodes; replacing one needs no room", async () => {
  const { limits } = openLimits(['nod_a', 'nod_b']);
  const [here, there] = ['nod_a', 'nod_b'].map((node) =>
    makeLeasedPlaces({
      store: limits,
      clock: makeSystemClock(),
      node,
      nodes: () => 2,
      isHeld: () => true,
      onError: () => {},
    }),
  );
  world = await openSocketWorld({ places: here! });
  const issuer = await world.makeIssuer({ limits: { sockets: 3 } });
  const key = `sockets:${issuer.key.mode} ${issuer.tenant.id}`;
  const elsewhere = await there!.take(key, 3);
  const first = await openLobby(issuer, 'ann');
  await openLobby(issuer, 'bob');
  const refused = await world.open({ token: world.lobbyToken(issuer, 'cyd') });
  expect((await refused.closed).code).toBe(4429);
  // A player who returns gets their own place, and no other.
  const again = await openLobby(issuer, 'ann');
  expect((await first.closed).code).toBe(4409);
  expect(await there!.take(key, 3)).toBeNull();
  elsewhere!();
  there!.maintain();
  await until(async () => {
    const cyd = await world.open({ token: world.lobbyToken(issuer, 'cyd') });
    const isIn = await Promise.race([cyd.closed.then(() => false), cyd.next('welcome')]);
    // An address is limited to a number of handshakes a second.
    if (isIn === false) await Bun.sleep(100);
    return isIn !== false;
  });
  again.close();
  await until(async () => {
    here!.maintain();
    return (await there!.take(key, 3)) !== null;
  });
});

test('[P5] 200 sockets an address, 20 of them without a token; IPv6 by its /64', async () => {
  const issuer = await openWorld();
  const one = '198.51.100.1';
  const greeting: SocketClient[] = [];
  for (let n = 0; n < 20; n++) {
    greeting.push(await world.open({ headers: { 'X-Forwarded-For': one } }));
  }
  expect(await handshake(one)).toBe(429);
  expect(await handshake('198.51.100.2')).toBe(101);
  greeting[0]!.send({ t: 'hello', token: world.lobbyToken(issuer, 'p0') });
  await greeting[0]!.next('welcome');
  await greeting[1]!.close();
  await until(() => world.census.greeting.of(one) === 18);
  expect([await handshake(one), await handshake(one), await handshake(one)]).toEqual([
    101, 101, 429,
  ]);
  const tokens = Array.from({ length: 180 }, (_, n) => world.lobbyToken(issuer, `q${n}`));
  const statuses = await Promise.all(tokens.map((token) => handshake(one, token)));
  expect(statuses.filter((status) => status === 101)).toHaveLength(179);
  expect(await handshake(one, world.lobbyToken(issuer, 'z'))).toBe(429);
  for (let n = 0; n < 20; n++) await handshake(`2001:db8:1:2::${n}`);
  expect(await handshake('2001:db8:1:2:ffff::1')).toBe(429);
  expect(await handshake('2001:db8:1:3::1')).toBe(101);
});

/** A frame of this many bytes. */
function heavy(s: string, bytes: number): string {
  const text = JSON.stringify({ t: 'emote', s, v: 3, prev: 3, seat: 0, emote: 'clap' });
  return text + ' '.repeat(bytes - text.length);
}

// ── slow readers ───────────────────────────────────────────────────────────────────────────────

test('[P5] past 256 KiB unread a reader is sent no frames, and later only the latest state', async () => {
  const issuer = await openWorld();
  const { id, clients } = await world.startMatch(issuer);
  const watch = world.makeToken(issuer, { scope: 'watch', session: id });
  const slow = openFakeSocket(world.sockets, watch);
  await until(() => slow.sent.length === 2);
  slow.isReading = false;
  // Exactly that much is still sent.
  world.host.relay(id, () => heavy(id, 256 * KIB));
  expect(slow.sent).toHaveLength(3);
  world.host.relay(id, () => heavy(id, 200));
  expect(slow.sent).toHaveLength(4);
  for (const [n, position] of [4, 0, 8].entries()) {
    const mover = clients[n % 2]!;
    mover.send({ t: 'act', s: id, id: `${n}`, action: { position } });
    await mover.next('ack');
  }
  slow.receive({ t: 'ping', n: 1 });
  expect(slow.sent).toHaveLength(4);
  slow.read();
  expect(slow.sent.slice(4).map((text) => JSON.parse(text))).toMatchObject([{ t: 'state', v: 6 }]);
  clients[1].send({ t: 'act', s: id, id: 'z', action: { position: 1 } });
  await clients[1].next('ack');
  expect(slow.sent).toHaveLength(6);
  expect(slow.closedWith).toBeNull();
  slow.close(1000, '');
});

test('[P1][P5] a lobby with more than 1 MiB of states gets them all, as fast as it reads', async () => {
  const issuer = await openWorld();
  const ids: string[] = [];
  // 1.3 kB each.
  for (let n = 0; n < 850; n++) {
    ids.push(await world.makeSession(issuer, { game: 'checkers', matchType: 'private' }));
  }
  const slow = openFakeSocket(world.sockets, world.lobbyToken(issuer, 'ann'));
  slow.isReading = false;
  const told = () => slow.sent.map((text) => JSON.parse(text));
  await until(() => slow.backlog > 256 * KIB);
  expect(told()[0]).toMatchObject({ t: 'welcome' });
  expect([...told()[0].sessions].sort()).toEqual([...ids].sort());
  // Changes meanwhile are in the states to come, or sent at once: each is reported once.
  const bob = await world.open({ token: world.sessionToken(issuer, ids.at(-1)!, 'bob') });
  await bob.next('welcome');
  while (told().filter(({ t }) => t === 'state').length < ids.length) {
    const { length } = slow.sent;
    slow.read();
    slow.isReading = false;
    await until(() => slow.sent.length > length);
    expect(slow.backlog).toBeLessThan(400 * KIB);
  }
  expect(slow.closedWith).toBeNull();
  const states = told().filter(({ t }) => t === 'state');
  expect(new Set(states.map(({ s }) => s))).toEqual(new Set(ids));
  const last = states.filter(({ s }) => s === ids.at(-1)).at(-1);
  expect(last).toMatchObject({ status: 'active' });
  slow.close(1000, '');
}, 30_000);

test('[P1][P4] an answer about a session whose state is still pending comes after that state', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await world.makeSession(issuer, { matchType: 'private' }));
  const lobby = openFakeSocket(world.sockets, world.lobbyToken(issuer, 'ann'));
  await until(() => lobby.sent.length > 1);
  const told = () => lobby.sent.map((text) => JSON.parse(text));
  const shown = told().flatMap(({ t, s }) => (t === 'state' ? [s] : []));
  expect(shown).toHaveLength(16);
  const later = ids.find((id) => !shown.includes(id))!;
  lobby.receive({ t: 'act', s: later, id: 'a', action: { position: 4 } });
  await until(() => lobby.sent.length > 17);
  expect(told().slice(17)).toMatchObject([
    { t: 'state', s: later },
    { t: 'reject', s: later, id: 'a', code: 'session_not_active' },
  ]);
  clock.advance(0);
  const states = told().flatMap(({ t, s }) => (t === 'state' ? [s] : []));
  expect([...states].sort()).toEqual([...ids].sort());
  lobby.close(1000, '');
});

test('[P5] a backlog of 1 MiB, sent or skipped, is 1013', async () => {
  const issuer = await openWorld();
  const { id } = await world.startMatch(issuer);
  const watch = world.makeToken(issuer, { scope: 'watch', session: id });
  const sockets = [openFakeSocket(world.sockets, watch), openFakeSocket(world.sockets, watch)];
  for (const slow of sockets) {
    await until(() => slow.sent.length === 2);
    slow.isReading = false;
  }
  const [steady, sudden] = sockets as [(typeof sockets)[0], (typeof sockets)[0]];
  sudden.send(['x'.repeat(KIB * KIB)]);
  steady.send(['x'.repeat(512 * KIB)]);
  world.host.relay(id, () => heavy(id, 256 * KIB));
  expect([steady.closedWith, sudden.closedWith]).toEqual([null, 1013]);
  const { length } = steady.sent;
  world.host.relay(id, () => heavy(id, 256 * KIB));
  expect(steady.closedWith).toBeNull();
  world.host.relay(id, () => heavy(id, 200));
  expect(steady.closedWith).toBe(1013);
  expect(steady.sent).toHaveLength(length);
  await until(() => world.census.all.size === 2);
  expect((await world.match(id)).subscribers.length).toBe(2);
});

test('[P5] a client that reads nothing at all is dropped, the others play on', async () => {
  const issuer = await openWorld();
  const { id, clients } = await world.startMatch(issuer);
  const token = world.makeToken(issuer, { scope: 'watch', session: id });
  const stuck = connect(world.port, '127.0.0.1');
  stuck.on('error', () => {});
  stuck.write(
    `GET /v1/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
      `Sec-WebSocket-Protocol: ${spokenHere()}, token.${token}\r\n\r\n`,
  );
  stuck.pause();
  await until(() => world.census.all.size === 3);
  await until(async () => (await world.match(id)).subscribers.length === 3);
  // 64 MiB at most: what the kernel buffers, and then what it does not.
  const flood = heavy(id, 64 * KIB);
  for (let n = 0; n < 1_000 && world.census.all.size === 3; n++) {
    world.host.relay(id, () => flood);
    await Promise.all(clients.map((client) => client.next('emote')));
  }
  expect(world.census.all.size).toBe(2);
  stuck.destroy();
  clients[0].send({ t: 'act', s: id, id: '1', action: { position: 4 } });
  await clients[0].next('ack');
  await clients[1].next('update');
});
