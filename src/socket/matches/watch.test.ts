/**
 * Watchers over real sockets: what they see, what they may do, and how many are allowed (rule S10).
 */

import { afterEach, expect } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { diceRace } from '../../testing/matches/dice-race.ts';
import { installGame } from '../../testing/matches/install-game.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import type { SocketClient } from '../../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../../testing/sockets/socket-world.ts';
import { SESSION_WATCHERS_MAX } from '../presence/census.ts';

installGame(diceRace as unknown as AnyGame);

let world: SocketWorld;
afterEach(() => world.close());

const watch = (issuer: Issuer, session: string, address = '203.0.113.1') =>
  world.open({
    token: world.makeToken(issuer, { scope: 'watch', session }),
    headers: { 'X-Forwarded-For': address },
  });

test('[S10] a watcher follows a match from before its start to its end, without a secret', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const players = ['ann', 'bob', 'cyd', 'dan'];
  const id = await world.makeSession(issuer, { game: 'ludo', players });
  const watcher = await watch(issuer, id);
  expect(await watcher.next('welcome')).toMatchObject({ player: null, sessions: [id] });
  expect(await watcher.next('state')).toMatchObject({ status: 'pending', seat: null });
  const clients: SocketClient[] = [];
  for (const player of players) clients.push(await world.enter(issuer, id, player));
  expect(await watcher.next('state')).toMatchObject({ status: 'active', seat: null });
  for (let ply = 0; ply < 4; ply++) await moveOnce(id, clients, `${ply}`);
  clients[0]!.send({ t: 'resign', s: id, id: 'r' });
  await clients[0]!.next('ack');
  const { seed } = (await world.match(id)).session.setup;
  const ended = await world.sessions.end({ tenant: issuer.tenant.id, id, modes: ['live'] }, null);
  expect(ended.ok).toBe(true);
  await watcher.next('over');
  const text = JSON.stringify(watcher.frames);
  expect(text).not.toContain(seed);
  // The test game shows each seat its own hand.
  expect(JSON.stringify(clients[1]!.frames)).toMatch(/"hand":\d/);
  expect(text).not.toMatch(/"hands?":[^n]/);
});

/** The player to move moves. */
async function moveOnce(s: string, clients: readonly SocketClient[], id: string): Promise<void> {
  const [frame] = (await clients[0]!.settle()).slice(-1);
  const state = (await world.match(s)).session;
  if (state.status !== 'active') throw new Error(`${state.status} after ${JSON.stringify(frame)}`);
  const mover = clients[(state.play.state as { turn: number }).turn]!;
  mover.send({ t: 'act', s, id, action: { stake: 1 } });
  await mover.next('ack');
}

test('[S10] watchers can send ping, hello and sync only', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id } = await world.startMatch(issuer);
  const watcher = await watch(issuer, id);
  const { v } = await watcher.next('state');
  watcher.send({ t: 'ping', n: 7 });
  expect(await watcher.next('pong')).toMatchObject({ n: 7 });
  watcher.send({ t: 'sync', s: id });
  expect(await watcher.next('state')).toMatchObject({ seat: null, v });
  watcher.send({ t: 'hello', resume: { [id]: 0 } });
  expect(await watcher.next('state')).toMatchObject({ seat: null, v });
  watcher.send({ t: 'act', s: id, id: '1', action: { position: 0 } });
  const refused = await watcher.next('reject');
  expect(refused).toMatchObject({
    id: '1',
    code: 'watch_only',
    error: 'Watchers cannot do anything',
  });
});

test("[S10] watchers do not count as present: a player's grace runs on while they watch", async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer, { options: { disconnectGraceMs: 30 } });
  const watcher = await watch(issuer, id);
  await watcher.next('state');
  await clients[0].close();
  expect(await watcher.next('presence')).toMatchObject({ seat: 0, connected: false });
  expect(await watcher.next('over')).toMatchObject({
    result: { winner: 'bob', reason: 'disconnect' },
  });
});

test("[S10][H6] watchers count towards the plan's sockets", async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer({ limits: { sockets: 3 } });
  const { id } = await world.startMatch(issuer);
  const first = await watch(issuer, id);
  await first.next('state');
  const second = await watch(issuer, id);
  expect(await second.closed).toMatchObject({ code: 4429 });
  await first.close();
  await until(() => world.census.all.size === 2);
  const third = await watch(issuer, id);
  await third.next('state');
});

test('[S10] a session has at most 500 watchers, and its players can always connect', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const other = await world.makeSession(issuer);
  expect(SESSION_WATCHERS_MAX).toBe(500);
  for (let n = 0; n < SESSION_WATCHERS_MAX; n++) world.census.watchersBySession.add(id, 1);
  expect(await (await watch(issuer, id)).closed).toMatchObject({ code: 4429 });
  await (await watch(issuer, other)).next('state');
  await world.enter(issuer, id, 'ann');
  world.census.watchersBySession.add(id, -1);
  const last = await watch(issuer, id);
  await last.next('state');
  expect(await (await watch(issuer, id)).closed).toMatchObject({ code: 4429 });
  await last.close();
  await until(() => world.census.watchersBySession.of(id) === SESSION_WATCHERS_MAX - 1);
});

test('[S10][K3] a token opens the session of its own tenant only', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const stranger = await world.makeIssuer();
  const { id } = await world.startMatch(issuer);
  expect(await (await watch(stranger, id)).closed).toMatchObject({ code: 4401 });
});
