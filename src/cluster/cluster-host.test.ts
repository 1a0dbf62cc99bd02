/** Sessions whose players are on different nodes: played, lost, taken over and handed over. */

import { expect, test } from 'bun:test';
import { MAILBOX_MAX } from '../runtime/host/mailbox.ts';
import type { WorkOutcome } from '../runtime/host/work.ts';
import type { ClusterNode, ClusterWorld } from '../testing/cluster/cluster-world.ts';
import { openClusterWorld } from '../testing/cluster/cluster-world.ts';
import { release } from '../testing/faulty-store.ts';
import {
  createSession,
  makeProbe,
  mark,
  namesOf,
  type Probe,
  type World,
} from '../testing/matches/match-world.ts';

const ID = 'ses_shared';

/** The session is created on a node, as an HTTP request there would. */
async function make(world: ClusterWorld, node: ClusterNode, id = ID, taken?: number[]) {
  const asWorld = { clock: world.clock, kept: node.store, host: node.local, node: node.name };
  await createSession(asWorld as unknown as World, id, taken === undefined ? {} : { taken });
}

/**
 * A socket as the socket service keeps it: it attaches again when it is lost, with a whole state.
 */
interface Player extends Probe {
  node: ClusterNode;
  readonly told: string[];
}

async function enter(
  world: ClusterWorld,
  node: ClusterNode,
  viewer: number | null,
  id = ID,
): Promise<Player> {
  const probe = makeProbe(viewer) as Player;
  Object.assign(probe, { node, told: [] });
  const show = (): void =>
    node.host.attach(id, probe, ({ kind }) => {
      probe.told.push(kind);
      if (kind !== 'done' || node.host.askState(id, probe)) return;
      const texts = node.host.stateFor(id, viewer);
      if (texts.length > 0) probe.send(texts);
    });
  probe.lost = () => {
    probe.losses += 1;
    show();
  };
  show();
  await world.pass(30);
  return probe;
}

async function play(world: ClusterWorld, player: Player, position: number, id = ID) {
  player.node.host.play(id, player.viewer!, mark(position), player);
  await world.pass(30);
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

async function kindsOf(world: ClusterWorld, id = ID): Promise<string[]> {
  const stored = await world.kept.loadSession(id);
  return stored!.entries.map(({ record }) => record.k);
}

test('[N1] players of one match on different nodes see what they would see on one', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = await enter(world, b, 0);
  const o = await enter(world, c, 1);
  const watcher = await enter(world, a, null);
  expect(await kindsOf(world)).toEqual(['created', 'connected', 'connected', 'started']);
  expect(namesOf(o.take())).toEqual(['state 3']);
  expect(x.take().at(-1)).toMatchObject({ t: 'state', v: 3, status: 'active', seat: 0 });
  await play(world, x, 4);
  expect(namesOf(x.take())).toEqual(['ack 4', 'update 4']);
  // In one write, as on one node.
  expect(x.writes.at(-1)).toHaveLength(2);
  expect(namesOf(o.take())).toEqual(['update 4']);
  expect(namesOf(watcher.take()).at(-1)).toBe('update 4');
  await play(world, o, 4);
  expect(namesOf(o.take())).toEqual(['reject illegal_move']);
  expect(x.take()).toEqual([]);
  // No node but the one that created it ever owned it.
  expect(
    (await world.kept.loadSession(ID))!.entries.some(({ record }) => record.k === 'owned'),
  ).toBe(false);
  expect([a, b, c].map(({ local }) => local.size())).toEqual([1, 0, 0]);
  expect([a, b, c].map(({ host }) => host.watchers(ID))).toEqual([1, 0, 0]);
  for (const node of nodes) expect(node.errors).toEqual([]);
});

test('[N1] whole states, watching and leaving work from another node', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a);
  const x = await enter(world, b, 0);
  const o = await enter(world, b, 1);
  await play(world, x, 0);
  x.take();
  expect(b.host.askState(ID, x, 4)).toBe(true);
  await world.pass(30);
  expect(x.take()).toEqual([]);
  b.host.askState(ID, x, 3);
  await world.pass(30);
  expect(namesOf(x.take())).toEqual(['state 4']);
  b.host.relay(ID, (v) => JSON.stringify({ t: 'emote', s: ID, v, prev: v, seat: 0, emote: 'gg' }));
  await world.pass(30);
  expect(x.take()).toEqual([{ t: 'emote', s: ID, v: 4, prev: 4, seat: 0, emote: 'gg' }]);
  b.host.detach(ID, x);
  await world.pass(30);
  expect((await kindsOf(world)).at(-1)).toBe('disconnected');
  expect(o.take().at(-1)).toMatchObject({ t: 'presence', seat: 0, connected: false });
  await play(world, x, 1);
});

test('[N2] a node is killed: others take its sessions over, and nothing acknowledged is lost', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = await enter(world, b, 0);
  const o = await enter(world, c, 1);
  await play(world, x, 4);
  world.kill(a);
  const diedAt = world.clock.now();
  // Sent to a node that is gone: it is sent again, with its id, to the session's new owner.
  o.node.host.play(ID, 1, mark(0), o);
  let waitedMs = 0;
  const isAcked = () => namesOf(o.seen()).some((name) => name.startsWith('ack'));
  for (; !isAcked() && waitedMs < 8_000; waitedMs += 50) await world.pass(50);
  expect(waitedMs).toBeLessThan(7_000);
  await world.pass(1_000);
  const { entries } = (await world.kept.loadSession(ID))!;
  const actions = entries.flatMap(({ record }) => (record.k === 'action' ? [record.id] : []));
  expect(actions).toEqual(['m4', 'm0']);
  // Rule P6: the time without an owner is charged to no player.
  const owned = entries.find(({ record }) => record.k === 'owned')!;
  expect(owned.record).toMatchObject({ k: 'owned', epoch: 1 });
  const { lostMs } = owned.record as { lostMs: number };
  expect(lostMs).toBeGreaterThanOrEqual(Math.min(1_000, owned.at - diedAt));
  expect(lostMs).toBeLessThanOrEqual(owned.at - entries[3]!.at);
  await play(world, x, 1);
  expect(namesOf(o.take()).at(-1)).toMatch(/^update/);
  // Its owner is one of the two running nodes.
  expect([b, c].map(({ local }) => local.size()).sort()).toEqual([0, 1]);
});

test('[N2][P6] a player who connects before the death of a node is noticed also costs no player time', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = await enter(world, b, 0);
  await enter(world, c, 1);
  await play(world, x, 4);
  await world.pass(700);
  world.kill(a);
  // Its lease has expired, and no node has noticed yet.
  await world.members.endLease(a.name, 2 ** 40);
  const { aliveAt } = (await world.members.listLeases()).find(({ node }) => node === a.name)!;
  void enter(world, b, null);
  await world.pass(20);
  const { entries } = (await world.kept.loadSession(ID))!;
  const at = entries.findIndex(({ record }) => record.k === 'owned');
  const lostMs = entries[at]!.at - Math.max(aliveAt, entries[at - 1]!.at);
  expect(lostMs).toBeGreaterThan(0);
  expect(entries[at]!.record).toMatchObject({ node: b.name, epoch: 1, lostMs });
});

test('[N3] a node that stalled beyond its lease loses every append, and takes nothing back', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const here = await enter(world, a, 0);
  const o = await enter(world, c, 1);
  await play(world, here, 4);
  world.stop(a);
  // A player sends on the stalled node.
  a.clock.whenRunning(() => a.host.play(ID, 0, mark(8), here));
  o.node.host.play(ID, 1, mark(0), o);
  await world.pass(9_000);
  expect((await kindsOf(world)).filter((kind) => kind === 'action')).toHaveLength(2);
  expect((await kindsOf(world)).filter((kind) => kind === 'owned')).toHaveLength(1);
  const owner = b.local.size() === 1 ? b : c;
  world.goOn(a);
  await world.pass(5_000);
  // The resumed node has dropped its sessions; its player continues with the new owner.
  expect(a.local.size()).toBe(0);
  expect(owner.local.size()).toBe(1);
  await play(world, here, 8);
  const actions = (await world.kept.loadSession(ID))!.entries.flatMap(({ record }) =>
    record.k === 'action' ? [record.id] : [],
  );
  expect(actions).toEqual(['m4', 'm0', 'm8']);
  expect((await kindsOf(world)).filter((kind) => kind === 'owned')).toHaveLength(1);
  expect(namesOf(o.take()).at(-1)).toMatch(/^update/);
});

test('[N4] an HTTP call reaches the owner as data and runs at the version it was decided on', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a, ID, [0]);
  const x = await enter(world, b, 0);
  let decided = 0;
  const join = (node: ClusterNode) =>
    new Promise<string>((resolve) =>
      node.host.run(ID, {
        command: (match) => {
          decided += 1;
          return (match.roster[1] ?? null) === null
            ? { kind: 'join', bot: false }
            : { code: 'player_in_session', error: '' };
        },
        roster: ({ roster }) => [roster[0]!, { id: 'late', displayName: null }],
        change: (_, after) => ({
          seats: [
            {
              seat: 1,
              playerId: 'late',
              displayName: null,
              isBot: false,
              newRef: 'ply_late',
              at: after.at,
            },
          ],
        }),
        done(result) {
          resolve(
            result.kind === 'rejected'
              ? result.code
              : `${result.kind} ${JSON.stringify(result.kind === 'done' && result.match.roster[1])}`,
          );
          return undefined;
        },
      }),
    );
  const both = Promise.all([join(b), join(c)]);
  await world.pass(200);
  expect((await both).sort()).toEqual([
    'done {"id":"late","displayName":null}',
    'player_in_session',
  ]);
  expect(decided).toBeGreaterThanOrEqual(3);
  expect((await kindsOf(world)).filter((kind) => kind === 'joined')).toHaveLength(1);
  expect((await kindsOf(world)).filter((kind) => kind === 'owned')).toHaveLength(0);
  expect((await a.host.peek(ID))!.roster[1]).toEqual({ id: 'late', displayName: null });
  expect(x.losses).toBe(0);
});

test('[N5] a drain hands sessions over: players elsewhere continue within half a second', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  const x = await enter(world, b, 0);
  const o = await enter(world, c, 1);
  await play(world, x, 4);
  x.take();
  o.take();
  const from = world.clock.now();
  void a.cluster.drain();
  await world.pass(10);
  o.node.host.play(ID, 1, mark(0), o);
  const isAcked = () => namesOf(o.seen()).some((name) => name.startsWith('ack'));
  while (!isAcked() && world.clock.now() - from < 2_000) await world.pass(10);
  expect(world.clock.now() - from).toBeLessThan(500);
  expect(a.local.size()).toBe(0);
  const { entries } = (await world.kept.loadSession(ID))!;
  expect(entries.filter(({ record }) => record.k === 'owned')).toHaveLength(1);
  const owned = entries.find(({ record }) => record.k === 'owned')!;
  const { lostMs } = owned.record as { lostMs: number };
  expect(lostMs).toBeLessThanOrEqual(owned.at - from);
});

test('[N6] without a bus players of one match play on through the store, slower', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  for (const node of nodes) world.network.setUp(node.name, false);
  await make(world, a);
  const x = await enter(world, b, 0);
  const o = await enter(world, c, 1);
  await world.pass(5_000);
  for (const [player, position] of [
    [x, 4],
    [o, 0],
    [x, 1],
  ] as const) {
    await play(world, player, position);
    await world.pass(3_000);
  }
  const actions = (await world.kept.loadSession(ID))!.entries.flatMap(({ record }) =>
    record.k === 'action' ? [record.id] : [],
  );
  expect(actions).toEqual(['m4', 'm0', 'm1']);
  expect(o.seen().at(-1)).toMatchObject({ t: 'update' });
});

test('[N2] what one survivor has claimed another does not take from it', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  await make(world, a);
  world.kill(a);
  await world.members.removeNode(a.name);
  // Found without an owner, claimed by one node, read by the other: in this order.
  expect(await c.store.loadSession(ID)).toMatchObject({ holder: a.name });
  expect(await b.store.claimAwake('', 9)).toEqual([ID]);
  const told: unknown[] = [];
  c.local.attach(ID, makeProbe(0), (result) => void told.push(result));
  await world.pass(50);
  expect(told).toMatchObject([{ kind: 'rejected', isUndone: true }]);
  expect(await kindsOf(world)).toEqual(['created']);
  expect(c.local.size()).toBe(0);
});

test('[N3] a player who connects while the session moves away is told that it has moved', async () => {
  const { world, nodes } = await openThree();
  const [a] = nodes;
  await make(world, a);
  a.faults.next.push('held');
  const told: unknown[] = [];
  a.local.attach(ID, makeProbe(0), (result) => void told.push(result));
  await world.pass(20);
  a.local.releaseAll();
  release(a.faults);
  await world.pass(20);
  expect(told).toMatchObject([{ kind: 'rejected', isUndone: true }]);
});

test('[N3] a node notices that a session was taken from it without a message', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a);
  const watcher = await enter(world, a, null);
  const x = await enter(world, a, 0);
  const o = await enter(world, a, 1);
  // Taken in the log alone, as by a node that cannot reach this one; and nothing is committed here.
  b.local.seize(ID);
  const there = makeProbe(null);
  b.local.attach(ID, there, () => {});
  await world.pass(2_500);
  expect(b.local.size()).toBe(1);
  expect(a.local.size()).toBe(0);
  expect([watcher, x, o].map(({ losses }) => losses)).toEqual([1, 1, 1]);
  x.take();
  await play(world, x, 4);
  expect(namesOf(watcher.take()).at(-1)).toMatch(/^update/);
});

test('[N3] a node that has not noticed yet that a session was taken reads its current log', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a);
  const x = await enter(world, a, 0);
  await enter(world, a, 1);
  const before = (await a.host.peek(ID))!.session.v;
  b.local.seize(ID);
  b.local.play(ID, 0, mark(4), makeProbe(0));
  await world.pass(30);
  const owned = (await kindsOf(world)).length - 1;
  expect(owned).toBeGreaterThan(before);
  expect(a.local.has(ID)).toBe(true);
  expect((await a.host.peek(ID))!.session.v).toBe(owned);
  // A client that was shown the stale one attaches again at the new owner.
  expect([a.local.has(ID), x.losses]).toEqual([false, 1]);
});

test('[N3] a session that ended elsewhere is not shown as it was before', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a);
  await enter(world, a, 0);
  await enter(world, a, 1);
  b.local.seize(ID);
  b.local.play(ID, 0, { kind: 'resign', id: 'r' }, makeProbe(0));
  await world.pass(30);
  expect(a.local.has(ID)).toBe(true);
  expect((await a.host.peek(ID))!.session.status).toBe('ended');
});

test('[N3][P6] the time in which a node could own nothing is charged to none of its players', async () => {
  const world = openClusterWorld();
  const a = await world.start('nod_a');
  await make(world, a);
  const x = await enter(world, a, 0);
  await enter(world, a, 1);
  await play(world, x, 4);
  world.stop(a);
  await world.pass(9_000);
  world.goOn(a);
  await world.pass(3_000);
  await play(world, x, 4);
  const { entries } = (await world.kept.loadSession(ID))!;
  const lost = entries.flatMap(({ record }) => (record.k === 'paused' ? [record.lostMs] : []));
  expect(lost.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(8_500);
  expect(lost.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000);
});

test('[N3] nodes that all lost the store do not take each other’s sessions when it is back', async () => {
  const { world, nodes } = await openThree();
  for (const [index, node] of nodes.entries()) await make(world, node, `ses_of_${index}`);
  for (const node of nodes) world.stop(node);
  await world.pass(9_000);
  for (const node of nodes) {
    world.goOn(node);
    await world.pass(400);
  }
  await world.pass(6_000);
  for (const [index, node] of nodes.entries()) {
    expect(world.holderOf(`ses_of_${index}`)).toBe(node.name);
    expect(await kindsOf(world, `ses_of_${index}`)).not.toContain('owned');
  }
});

test('[P6] a player does not keep a node from sending heartbeats, neither by many requests nor by leaving', async () => {
  const { world, nodes } = await openThree();
  const [a] = nodes;
  await make(world, a);
  const x = await enter(world, a, 0);
  await enter(world, a, 1);
  a.faults.next.push('held');
  await play(world, x, 4);
  for (let n = 0; n <= MAILBOX_MAX; n++) a.host.play(ID, 0, mark(n % 9), x);
  const told: WorkOutcome[] = [];
  a.host.attach(ID, makeProbe(0), (result) => void told.push(result));
  await world.pass(5);
  expect(told).toMatchObject([{ kind: 'rejected', code: 'busy' }]);
  expect(a.local.isLostTimeDue()).toBe(false);
  release(a.faults);
  await world.pass(50);
  // No node knows this session: it is requested until its player has gone.
  const gone = makeProbe(0);
  a.host.attach('ses_nowhere', gone, (result) => void told.push(result));
  a.host.detach('ses_nowhere', gone);
  await world.pass(5_000);
  expect(told).toHaveLength(2);
  expect(a.local.isLostTimeDue()).toBe(false);
});

test('[N2] a claimed session is owned even if its player left before the answer came', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  await make(world, a, ID, [0]);
  await world.pass(12_000);
  expect(world.holderOf(ID)).toBeNull();
  const x = makeProbe(0);
  b.host.attach(ID, x, () => {});
  b.host.detach(ID, x);
  await world.pass(100);
  const isHeld = world.holderOf(ID) === b.name;
  expect(b.local.has(ID)).toBe(isHeld);
});
