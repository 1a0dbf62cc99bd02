/** `matchd.v2` on the wire, and beside `matchd.v1` in the same match. */

import { afterEach, expect, test } from 'bun:test';
import type { GameId, Json } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import { playOf } from '../games/plays.test-kit.ts';
import { findGame } from '../games/registry.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { SUBPROTOCOLS, speaking } from '../testing/sockets/both-protocols.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../testing/sockets/socket-world.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { RATES } from './connection/buckets.ts';

/** Heads of WebSocket frames: from the server, and masked. */
const HEAD_BYTES = 2;
const MASKED_HEAD_BYTES = 6;
const MOVE_BYTES_MAX = 200;
const PLIES_MAX = 120;
/**
 * The limit of messages at once, and more over time (rule P5); some are left for other messages
 * than moves.
 */
const AT_ONCE = RATES.message.burst - 10;
const PAUSE_MS = 1_000 / RATES.message.perSecond;

let world: SocketWorld;
afterEach(() => world.close());

const lists = ({ texts }: SocketClient): string[] => texts.filter((text) => text.startsWith('['));

test('[P2][P12] of the offered subprotocols the newer one is chosen', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const token = `token.${world.sessionToken(issuer, id, 'ann')}`;
  const agreed = (protocols: string[]) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${world.port}/v1/socket`, protocols);
      socket.addEventListener('open', () => {
        resolve(socket.protocol);
        socket.close();
      });
    });
  expect(await agreed(['matchd.v1', 'matchd.v2', token])).toBe('matchd.v2');
  expect(await agreed(['matchd.v2', token])).toBe('matchd.v2');
  expect(await agreed([token, 'matchd.v1'])).toBe('matchd.v1');
});

test('[P12] a move as it is sent, and its update as each player receives it', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  const base = (await world.match(id)).session.createdAt;
  expect(JSON.parse(ann.texts.find((text) => text.includes('"state"'))!)).toMatchObject({
    base,
    n: 0,
  });
  ann.send({ t: 'act', s: id, id: 'm1', action: { position: 4 } });
  await Promise.all([ann.next('ack'), bob.next('update')]);
  expect(ann.sent.at(-1)).toBe('[0,"m1",{"position":4}]');
  const at = clock.now() - base;
  const update = `[0,4,${at},0,{"position":4},1,${at + 60_000},{"board":[4,1,"X"]},[4,1]`;
  expect(lists(bob)).toEqual([`${update}]`]);
  expect(lists(ann)).toEqual([`${update},"m1"]`]);
  // A repeat shows nothing: it is acknowledged in a frame of its own.
  ann.send({ t: 'act', s: id, id: 'm1', action: { position: 4 } });
  expect(await ann.settle()).toMatchObject([
    { t: 'update', v: 4 },
    { t: 'ack', id: 'm1', v: 4 },
  ]);
  expect(ann.texts.filter((text) => text.startsWith('{"t":"ack"'))).toHaveLength(1);
});

test(`[P12] a move is ${MOVE_BYTES_MAX} bytes at most, to and from both players`, async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const before = clients.map(({ texts }) => texts.length);
  const sent = clients.map((client) => client.sent.length);
  const moves = [0, 3, 1, 4, 2];
  for (const [ply, position] of moves.entries()) {
    const mover = clients[ply % 2]!;
    mover.send({ t: 'act', s: id, id: `m${ply}`, action: { position } });
    await mover.next('ack');
  }
  await Promise.all(clients.map((client) => client.next('over')));
  let bytes = 0;
  for (const [seat, client] of clients.entries()) {
    for (const text of client.texts.slice(before[seat])) bytes += text.length + HEAD_BYTES;
    for (const text of client.sent.slice(sent[seat])) bytes += text.length + MASKED_HEAD_BYTES;
  }
  expect(bytes / moves.length).toBeLessThan(MOVE_BYTES_MAX);
});

test('[P12] what the last move showed is forgotten after a while, and the next update still holds only its change', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  ann.send({ t: 'act', s: id, id: 'm1', action: { position: 4 } });
  await Promise.all([ann.next('update'), bob.next('update')]);
  expect((await world.match(id)).position).not.toBeNull();
  clock.advance(11_000);
  await world.host.maintain();
  expect((await world.match(id)).position).toBeNull();
  bob.send({ t: 'act', s: id, id: 'm2', action: { position: 0 } });
  const update = await ann.next('update');
  expect(lists(ann).at(-1)).toEndWith(',{"board":[0,1,"O"]},[0,1]]');
  ann.send({ t: 'sync', s: id });
  const { view, legal } = await ann.next('state');
  expect(update).toMatchObject({ view, legal });
});

test('[P12] a lobby has a number for each session, and an unnumbered session is unknown', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const ids = [await world.makeSession(issuer), await world.makeSession(issuer)];
  const ann = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  const states = [await ann.next('state'), await ann.next('state')];
  expect(states.map(({ s }) => s).sort()).toEqual([...ids].sort());
  const [second] = ids.filter((id) => id !== states[0]!.s);
  const bob = await world.enter(issuer, second!, 'bob');
  await ann.settle();
  ann.send({ t: 'act', s: second, id: 'm1', action: { position: 0 } });
  expect(await ann.next('ack')).toMatchObject({ s: second, id: 'm1' });
  expect(ann.sent.at(-1)).toStartWith('[1,"m1"');
  expect(lists(ann)[0]).toStartWith('[1,');
  await bob.next('update');
  expect(lists(bob)[0]).toStartWith('[0,');
  ann.send('[2,"m2",{"position":1}]');
  expect(await ann.next('reject')).toMatchObject({ s: '#2', id: 'm2', code: 'unknown_session' });
  ann.send('[1.5,"m2",{"position":1}]');
  expect(await ann.closed).toEqual({ code: 4400, reason: 'bad frame: s' });
  bob.send('[0,null,{"position":1}]');
  expect(await bob.closed).toEqual({ code: 4400, reason: 'bad frame: id' });
});

test('[P12] with matchd.v1 a list is not a frame', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { clients } = await speaking('matchd.v1', () => world.startMatch(issuer));
  clients[0].send('[0,"m1",{"position":4}]');
  expect(await clients[0].closed).toEqual({ code: 4400, reason: 'bad frame: no object' });
});

/** A random action of the seat to move; null once the match is over. */
async function nextMove(id: string, game: GameId, chance: ReturnType<typeof makeRandom>) {
  const { session } = await world.match(id);
  if (session.status !== 'active') return null;
  const { state, turn } = session.play;
  const { legalActions } = findGame(game)!;
  const legal = legalActions(state);
  const action =
    legal === null
      ? playOf(game).randomAction!(state, chance, turn!)
      : legal[chance.integer(legal.length)]!;
  return { seat: turn!, action };
}

/** Everything a client was sent of the session, except its own answers. */
function told({ frames }: SocketClient, from: number): Json {
  const shown = frames
    .slice(from)
    .filter(({ t }) => t !== 'ack' && t !== 'pong' && t !== 'welcome');
  return JSON.parse(JSON.stringify(shown));
}

for (const game of ['tictactoe', 'connect4', 'checkers', 'ludo', 'pool'] as const) {
  const clockOf =
    game === 'ludo' || game === 'pool' ? {} : { clock: { initialMs: 600_000, incrementMs: 2_000 } };
  test(`[P12] ${game}: both subprotocols show the same match, in the same order (seed ${TEST_SEED})`, async () => {
    world = await openSocketWorld();
    const issuer: Issuer = await world.makeIssuer();
    const names = Array.from({ length: findGame(game)!.seats.default }, (_, seat) => `p${seat}`);
    const id = await world.makeSession(issuer, { game, players: names, options: clockOf });
    const players: SocketClient[] = [];
    for (const name of names) players.push(await world.enter(issuer, id, name));
    const token = () => world.makeToken(issuer, { scope: 'watch', session: id });
    const watchers = await Promise.all(
      SUBPROTOCOLS.map((each) => speaking(each, () => world.open({ token: token() }))),
    );
    for (const each of [...players, ...watchers]) await each.settle();
    const from = watchers.map(({ frames }) => frames.length);
    const chance = makeRandom(`${TEST_SEED}`, () => '', 0);
    const moves = players.map(() => 0);
    for (let ply = 0; ply < PLIES_MAX; ply += 1) {
      const move = await nextMove(id, game, chance);
      if (move === null) break;
      const mover = players[move.seat]!;
      moves[move.seat]! += 1;
      if (moves[move.seat]! > AT_ONCE) await Bun.sleep(PAUSE_MS);
      mover.send({ t: 'act', s: id, id: `m${ply}`, action: move.action });
      await mover.next('ack');
    }
    players[0]!.send({ t: 'resign', s: id, id: 'r' });
    await players[0]!.settle();
    for (const each of watchers) await each.settle();
    const [older, newer] = watchers.map((each, at) => told(each, from[at]!));
    // A match of pool may end after a few shots: the rack differs each time.
    const least = game === 'pool' ? 2 : 6;
    expect((older as Json[]).length).toBeGreaterThanOrEqual(least);
    expect(newer).toEqual(older!);
    expect(lists(watchers[1]!).length).toBeGreaterThanOrEqual(least);
    await until(() => world.errors.length === 0);
  });
}
