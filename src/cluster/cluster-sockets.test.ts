/**
 * Sockets on different nodes: one per place, lobbies that learn of seats on any node, erased
 * players, watchers.
 */

import { expect } from 'bun:test';
import { makeBotStreams } from '../runtime/bots/bot-streams.ts';
import { WORLDS } from '../store/world.ts';
import { createAt, joinAt, makeRequest, serviceAt } from '../testing/cluster/cluster-matches.ts';
import {
  type ClusterNode,
  type ClusterWorld,
  openClusterWorld,
} from '../testing/cluster/cluster-world.ts';
import { createSession, playerOf, TENANT, type World } from '../testing/matches/match-world.ts';
import { test } from '../testing/sockets/both-protocols.ts';
import type { FakeSocket } from '../testing/sockets/fake-socket.ts';

const ID = 'ses_shared';
const ANN = { id: 'ann', displayName: null };

async function make(world: ClusterWorld, node: ClusterNode, id = ID): Promise<void> {
  const asWorld = { clock: world.clock, kept: node.store, host: node.local, node: node.name };
  await createSession(asWorld as unknown as World, id);
}

async function openThree() {
  const world = openClusterWorld();
  const nodes = [
    await world.start('nod_a'),
    await world.start('nod_b'),
    await world.start('nod_c'),
  ];
  await world.pass(1_000);
  return { world, nodes: nodes as [ClusterNode, ClusterNode, ClusterNode] };
}

const player = (seat: number): string => playerOf(seat).id;

function framesOf({ sent }: FakeSocket): { t: string; v?: number; status?: string }[] {
  return sent.map((text) => JSON.parse(text));
}

function kindsOf(socket: FakeSocket): string[] {
  return framesOf(socket).map(({ t }) => t);
}

test('[N1][P3] a socket gets welcome, whole state, then every change; a move is acked with its update', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = b.open(player(0), ID);
  await world.pass(150);
  const o = c.open(player(1), ID);
  await world.pass(150);
  expect(kindsOf(x)).toEqual(['welcome', 'state', 'presence', 'state']);
  expect(kindsOf(o)).toEqual(['welcome', 'state']);
  x.receive({ t: 'act', s: ID, id: 'm1', action: { position: 4 } });
  await world.pass(150);
  expect(framesOf(x).slice(-2)).toMatchObject([
    { t: 'ack', v: 4 },
    { t: 'update', v: 4, prev: 3 },
  ]);
  expect(framesOf(o).at(-1)).toMatchObject({ t: 'update', v: 4, prev: 3 });
  o.receive({ t: 'sync', s: ID });
  o.receive({ t: 'emote', s: ID, emote: 'thumbs_up' });
  await world.pass(150);
  expect(framesOf(o).slice(-2)).toMatchObject([
    { t: 'state', v: 4 },
    { t: 'emote', v: 4, seat: 1, emote: 'thumbs_up' },
  ]);
  expect(kindsOf(x).at(-1)).toBe('emote');
});

test('[N1][P5] a reader who falls behind on another node gets the latest state', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a);
  const x = b.open(player(0), ID);
  const o = b.open(player(1), ID);
  await world.pass(150);
  x.isReading = false;
  x.backlog = 300 * 1_024;
  o.receive({ t: 'emote', s: ID, emote: 'thumbs_up' });
  x.receive({ t: 'act', s: ID, id: 'm1', action: { position: 4 } });
  await world.pass(150);
  o.receive({ t: 'act', s: ID, id: 'm2', action: { position: 0 } });
  await world.pass(150);
  const before = x.sent.length;
  x.read();
  await world.pass(150);
  const fresh = framesOf(x).slice(before);
  expect(fresh.at(-1)).toMatchObject({ t: 'state', v: 5 });
});

test('[N7][P1] a player has one socket per place over all nodes: the newer one stays', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const first = a.open(player(0), ID);
  await world.pass(150);
  const second = b.open(player(0), ID);
  await world.pass(150);
  expect(first.closedWith).toBe(4_409);
  expect(second.closedWith).toBeNull();
  // Two at the same moment: one of them stays.
  const third = c.open(player(0), ID);
  const fourth = a.open(player(0), ID);
  await world.pass(100);
  expect(second.closedWith).toBe(4_409);
  expect([third, fourth].filter(({ closedWith }) => closedWith === null)).toHaveLength(1);
  // The player was connected the whole time.
  const { session } = (await a.host.peek(ID))!;
  expect(session.seats[0]!.connected).toBe(true);
});

test('[N7][P1] a handshake processed after its player has connected elsewhere replaces no socket', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const newest = b.open(player(0), ID);
  await world.pass(150);
  const stale = c.open(player(0), ID, false);
  await world.pass(1_000);
  expect([newest.closedWith, stale.closedWith]).toEqual([null, null]);
  // Nor does it block a later one, and it does not count as newer.
  const later = a.open(player(0), ID);
  await world.pass(150);
  expect([newest.closedWith, later.closedWith]).toEqual([4_409, null]);
  // What it sent before it closed proves nothing. If another socket exists after all, that one is
  // the newest.
  stale.receive({ t: 'ping', n: 1 });
  await world.pass(150);
  expect([stale.closedWith, later.closedWith]).toEqual([null, null]);
  c.sockets.handlers.ponged(stale);
  await world.pass(150);
  expect([stale.closedWith, later.closedWith]).toEqual([null, 4_409]);
});

test('[N7][P1] a lobby on any node shows a session from the moment its player is seated', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const lobby = c.open(player(1));
  await world.pass(150);
  expect(framesOf(lobby)).toMatchObject([{ t: 'welcome', sessions: [] }]);
  await make(world, a);
  a.host.notifySeated((await a.host.peek(ID))!);
  await world.pass(150);
  expect(framesOf(lobby).at(-1)).toMatchObject({ t: 'state', s: ID, seat: 1 });
  const { session } = (await a.host.peek(ID))!;
  expect(session.seats[1]!.connected).toBe(true);
  // A message sent while a link is broken is sent again.
  await make(world, b, 'ses_later');
  world.network.setCut('nod_b', 'nod_c', true);
  b.host.notifySeated((await b.host.peek('ses_later'))!);
  await world.pass(2_000);
  world.network.setCut('nod_b', 'nod_c', false);
  await world.pass(8_000);
  expect(framesOf(lobby).some((frame) => 's' in frame && frame.s === 'ses_later')).toBe(true);
});

test('[N2][N7] the same holds when the node that seated the player dies at once', async () => {
  let doomed: ClusterNode | null = null;
  const world = openClusterWorld(undefined, (_, { entries }) => {
    if (doomed === null || !entries.some(({ record }) => record.k === 'joined')) return;
    const dead = doomed;
    doomed = null;
    world.kill(dead);
  });
  const [a, b] = [await world.start('nod_a'), await world.start('nod_b')];
  await world.pass(1_000);
  const session = await createAt(world, a, makeRequest({ players: [ANN] }));
  b.open('ann');
  b.open('bob');
  await world.pass(1_000);
  doomed = a;
  void joinAt(serviceAt(world, a, 11), (await a.host.peek(session))!, 'bob');
  await world.pass(20_000, 50);
  expect(doomed).toBeNull();
  const { session: now } = (await b.host.peek(session))!;
  expect([now.status, ...now.seats.map(({ connected }) => connected)]).toEqual([
    'active',
    true,
    true,
  ]);
});

test('[N2][N7] a session without an owner is found when its creator died', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const lobbies = [b.open('ann'), c.open('bob')];
  await world.pass(1_000);
  const { createSession: write } = a.store;
  a.store.createSession = (made) => {
    // Its last transaction ends long after its death was noticed.
    world.clock.after(9_000, () => void world.kept.createSession(made));
    world.kill(a);
    return write(made);
  };
  void serviceAt(world, a, 11).create(makeRequest(), null);
  await world.pass(25_000, 50);
  for (const lobby of lobbies) expect(framesOf(lobby).at(-1)).toMatchObject({ status: 'active' });
});

test('[N7][R2] an erased player has no socket and no name left on any node', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = b.open(player(0), ID);
  await world.pass(150);
  await world.kept.erasePlayer(TENANT, WORLDS, player(0), world.clock.now());
  c.host.forgetPlayer({ tenant: TENANT, world: 'live', playerId: player(0) });
  c.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: player(0) });
  await world.pass(150);
  expect(x.closedWith).toBe(4_401);
  expect((await a.host.peek(ID))!.roster[0]).toEqual({ id: null, displayName: null });
});

test('[P11] a request for a replay while the store is unavailable is refused with the reason', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a);
  const x = b.open(player(0), ID);
  b.open(player(1), ID);
  await world.pass(150);
  x.receive({ t: 'resign', s: ID, id: 'r' });
  await world.pass(150);
  expect(kindsOf(x)).toContain('over');
  b.faults.failLoads = true;
  x.receive({ t: 'replay', s: ID, id: 'rep' });
  await world.pass(150);
  expect(framesOf(x).at(-1)).toMatchObject({ t: 'reject', id: 'rep', code: 'unavailable' });
  b.faults.failLoads = false;
  x.receive({ t: 'replay', s: ID, id: 'again' });
  await world.pass(150);
  expect(framesOf(x).at(-1)).toMatchObject({ t: 'replay', id: 'again' });
});

test('[N7] watchers are counted over all nodes', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const gone = b.watch(ID);
  c.watch(ID);
  c.watch(ID);
  await world.pass(2_200);
  expect(nodes.map(({ host }) => host.watchers(ID))).toEqual([3, 3, 3]);
  gone.close(1_000, '');
  await world.pass(2_200);
  expect(nodes.map(({ host }) => host.watchers(ID))).toEqual([2, 2, 2]);
  const x = c.open(player(0), ID);
  await world.pass(150);
  x.receive({ t: 'ping', n: 1 });
  expect(framesOf(x).at(-1)).toMatchObject({ t: 'pong', watchers: 2 });
});

test('[N1][B3] a bot plays over a stream on another node, and continues when the owner is gone', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = b.open(player(0), ID);
  await world.pass(150);
  const onError = (error: unknown): void => void c.errors.push(error);
  const streams = makeBotStreams({ host: c.host, store: c.store, clock: c.clock, onError });
  const stream = await streams.open({ tenant: TENANT, mode: 'live', playerId: player(1) });
  const next = () => (stream.next() ?? []).map((text) => JSON.parse(text));
  streams.seated((await a.host.peek(ID))!.row, player(1), 1);
  await world.pass(150);
  expect(next()).toMatchObject([{ t: 'state', s: ID, seat: 1, status: 'active' }]);
  x.receive({ t: 'act', s: ID, id: 'm1', action: { position: 4 } });
  await world.pass(150);
  expect(next()).toMatchObject([{ t: 'update', v: 4, turn: 1 }]);
  const act = { kind: 'act', id: 'b1', action: { position: 0 } } as const;
  const played = c.host.playAs(ID, { seat: 1, player: null }, act);
  await world.pass(150);
  expect(await played).toEqual({ kind: 'done', v: 5 });
  next();
  world.kill(a);
  await world.pass(7_000);
  expect(next().at(-1)).toMatchObject({ seat: 1 });
  // The same command once more, to the node that owns it now.
  const again = c.host.playAs(ID, { seat: 1, player: null }, act);
  await world.pass(150);
  expect(await again).toMatchObject({ kind: 'done', v: 5 });
  expect(c.errors).toEqual([]);
});
