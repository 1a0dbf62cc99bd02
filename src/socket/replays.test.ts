/** Replays over real sockets: to whom, when, how often, and how they prove fairness (rule P11). */

import { afterEach, expect } from 'bun:test';
import { sha256Hex } from '../../game/src/random.ts';
import { shippedGames } from '../games/registry.ts';
import { verifyReplay } from '../match/replay/replay.ts';
import type { Replay } from '../match/replay/replay-form.ts';
import { test } from '../testing/sockets/both-protocols.ts';
import { openFakeSocket } from '../testing/sockets/fake-socket.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../testing/sockets/socket-world.ts';
import { RATES } from './connection/buckets.ts';
import { REPLAY_CHARS_MAX } from './replays.ts';

let world: SocketWorld;
afterEach(() => world.close());

const watch = (issuer: Issuer, session: string) =>
  world.open({ token: world.makeToken(issuer, { scope: 'watch', session }) });

/** A match of tic-tac-toe that seat 1 has resigned after one move. */
async function playMatch(issuer: Issuer) {
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  ann.send({ t: 'act', s: id, id: 'a', action: { position: 4 } });
  await ann.next('ack');
  bob.send({ t: 'resign', s: id, id: 'b' });
  await bob.next('ack');
  return { id, ann, bob };
}

async function askReplay(client: SocketClient, s: string, id: string) {
  client.send({ t: 'replay', s, id });
  return client.next('replay');
}

test("[P11][S7] players and watchers get the tenant's document once the match is over", async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const watcher = await watch(issuer, id);
  await watcher.next('state');
  const everybody = [...clients, watcher];
  for (const client of everybody) {
    client.send({ t: 'replay', s: id, id: 'early' });
    expect(await client.next('reject')).toMatchObject({
      s: id,
      id: 'early',
      code: 'session_not_ended',
    });
  }
  clients[0].send({ t: 'act', s: id, id: 'a', action: { position: 4 } });
  await clients[0].next('ack');
  clients[1].send({ t: 'resign', s: id, id: 'b' });
  await watcher.next('over');
  const ref = { tenant: issuer.tenant.id, id, modes: ['live'] as const };
  const told = await world.sessions.replay(ref);
  if (!told.ok) throw new Error(told.refusal);
  for (const client of everybody) {
    const frame = await askReplay(client, id, 'late');
    expect(frame).toEqual({
      t: 'replay',
      s: id,
      id: 'late',
      replay: JSON.parse(JSON.stringify(told.value)),
    });
    expect(verifyReplay(shippedGames, frame['replay'] as Replay)).toMatchObject({ ok: true });
  }
});

test('[P11][S9] every state commits to the seed that the replay shows, and does not reveal it', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const ann = await world.enter(issuer, id, 'ann');
  const bob = await world.enter(issuer, id, 'bob');
  await bob.settle();
  const { seed } = (await world.match(id)).session.setup;
  const commitment = sha256Hex(seed);
  const states = [...ann.frames, ...bob.frames].filter((frame) => frame.t === 'state');
  expect(states.map(({ status }) => status)).toContain('pending');
  expect(new Set(states.map((state) => state.commitment))).toEqual(new Set([commitment]));
  bob.send({ t: 'resign', s: id, id: 'b' });
  await bob.next('over');
  expect(JSON.stringify([...ann.frames, ...bob.frames])).not.toContain(seed);
  const { replay } = await askReplay(bob, id, 'r');
  expect((replay as Replay).fairness).toMatchObject({ commitment, seed });
});

test('[P11] replays have a rate limit of their own, and exceeding it does not close the socket', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, ann, bob } = await playMatch(issuer);
  for (let n = 0; n < RATES.replay.burst; n += 1) await askReplay(ann, id, `${n}`);
  ann.send({ t: 'replay', s: id, id: 'more' });
  expect(await ann.next('reject')).toMatchObject({ id: 'more', code: 'too_fast' });
  ann.send({ t: 'ping', n: 1 });
  await ann.next('pong');
  await askReplay(bob, id, 'his');
});

test('[P11] many concurrent requests share one read', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, ann, bob } = await playMatch(issuer);
  let reads = 0;
  const { promise: bothHaveAsked, resolve: goOn } = Promise.withResolvers<void>();
  const { store } = world;
  const loadSession = store.loadSession.bind(store);
  Object.assign(store, {
    loadSession: async (session: string) => {
      reads += 1;
      await bothHaveAsked;
      return loadSession(session);
    },
  });
  for (const client of [ann, bob]) client.send({ t: 'replay', s: id, id: 'r' });
  for (const client of [ann, bob]) await client.settle();
  goOn();
  await Promise.all([ann.next('replay'), bob.next('replay')]);
  expect(reads).toBe(1);
});

test('[P11] while the store does not answer that is reported, and a later request succeeds', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, ann } = await playMatch(issuer);
  const { store } = world;
  const loadSession = store.loadSession.bind(store);
  Object.assign(store, { loadSession: () => Promise.reject(new Error('away')) });
  ann.send({ t: 'replay', s: id, id: 'r' });
  expect(await ann.next('reject')).toMatchObject({ id: 'r', code: 'unavailable' });
  expect(world.errors.splice(0)).toHaveLength(1);
  Object.assign(store, { loadSession });
  await askReplay(ann, id, 'r');
});

test('[P5][P11] a slow reader is answered when it has caught up, or closed with 1013', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id } = await playMatch(issuer);
  const token = world.makeToken(issuer, { scope: 'watch', session: id });
  const slow = openFakeSocket(world.sockets, token);
  const told = () => slow.sent.map((text) => JSON.parse(text));
  const fallBehind = (): void => {
    slow.isReading = false;
    const emote = JSON.stringify({ t: 'emote', s: id, v: 1, prev: 1, seat: 0, emote: 'clap' });
    world.host.relay(id, () => emote.padEnd(300 * 1_024));
  };
  await until(() => slow.sent.length === 2);
  fallBehind();
  slow.receive({ t: 'replay', s: id, id: 'behind' });
  slow.read();
  await until(() => slow.sent.length === 4);
  expect(told().at(-1)).toMatchObject({ t: 'replay', id: 'behind' });
  // A reader that falls behind while it is read.
  slow.receive({ t: 'replay', s: id, id: 'under way' });
  fallBehind();
  await until(() => slow.data.pendingReplays?.size === 1);
  slow.read();
  await until(() => told().some((frame) => frame.id === 'under way'));
  fallBehind();
  slow.receive({ t: 'replay', s: id, id: 'last' });
  expect(slow.closedWith).toBeNull();
  slow.receive({ t: 'replay', s: id, id: 'more' });
  expect(slow.closedWith).toBe(1013);
});

test('[P11] a replay that is too large for a frame is left for the tenant to fetch', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, ann } = await playMatch(issuer);
  const { store } = world;
  const loadSession = store.loadSession.bind(store);
  Object.assign(store, {
    loadSession: async (session: string) => {
      const stored = (await loadSession(session))!;
      const move = stored.entries.find(({ record }) => record.k === 'action')!;
      return { ...stored, entries: Array(REPLAY_CHARS_MAX / 64).fill(move) };
    },
  });
  ann.send({ t: 'replay', s: id, id: 'r' });
  expect(await ann.next('reject')).toMatchObject({ id: 'r', code: 'replay_too_large' });
});

test('[P11] a session that the socket does not show has no replay there', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id } = await playMatch(issuer);
  const other = await world.makeSession(issuer, { players: ['cyd', 'dan'] });
  const cyd = await world.enter(issuer, other, 'cyd');
  cyd.send({ t: 'replay', s: id, id: 'r' });
  expect(await cyd.next('reject')).toMatchObject({ id: 'r', code: 'unknown_session' });
});

test('[P11][S10] the pong of a session has its number of watchers', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const count = async (client: SocketClient): Promise<unknown> => {
    client.send({ t: 'ping', n: 1 });
    return (await client.next('pong'))['watchers'];
  };
  expect(await count(clients[0])).toBe(0);
  const watcher = await watch(issuer, id);
  await watcher.next('state');
  expect(await count(watcher)).toBe(1);
  expect(await count(clients[0])).toBe(1);
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'zoe') });
  await lobby.next('welcome');
  expect(await count(lobby)).toBeUndefined();
});
