/**
 * The store was unavailable: a node that is back waits for the others, and takes none of their
 * sessions.
 */

import { expect, test } from 'bun:test';
import {
  type ClusterNode,
  type ClusterWorld,
  openClusterWorld,
} from '../../testing/cluster/cluster-world.ts';
import {
  createSession,
  makeProbe,
  mark,
  type Probe,
  type World,
} from '../../testing/matches/match-world.ts';
import { makeOutage } from '../../testing/wrapped-calls.ts';

const ID = 'ses_shared';

/** The rows of leases, owners and mail can be unavailable, for all or for named nodes. */
const makeAway = ({ members }: ClusterWorld) =>
  makeOutage(members, [
    ...(['renewLease', 'listLeases', 'endLease', 'holderOf', 'claim'] as const),
    ...(['listToRelease', 'listHeld', 'putMail', 'takeMail'] as const),
  ]);

async function make(
  world: ClusterWorld,
  node: ClusterNode,
  setup: { disconnectGraceMs?: number } = {},
) {
  const asWorld = { clock: world.clock, kept: node.store, host: node.local, node: node.name };
  await createSession(asWorld as unknown as World, ID, { setup });
}

/** A socket that attaches again when it is lost. */
function enter(node: ClusterNode, viewer: number | null): Probe & { told: string[] } {
  const probe = Object.assign(makeProbe(viewer), { told: [] as string[] });
  const show = (): void =>
    node.host.attach(ID, probe, ({ kind }) => {
      probe.told.push(kind);
      if (kind !== 'done' || node.host.askState(ID, probe)) return;
      const texts = node.host.stateFor(ID, viewer);
      if (texts.length > 0) probe.send(texts);
    });
  probe.lost = () => {
    probe.losses += 1;
    show();
  };
  show();
  return probe;
}

/** Nodes that have taken the session from another. */
const ownersOf = async (world: ClusterWorld) =>
  (await world.kept.loadSession(ID))!.entries.flatMap(({ record }) =>
    record.k === 'owned' ? [record.node] : [],
  );

test.each([4_700, 5_200, 5_600, 6_000, 8_000])(
  '[N3] after the store was unavailable to all nodes for %d ms no node takes a session of a live node',
  async (ms) => {
    const world = openClusterWorld();
    const away = makeAway(world);
    const nodes: ClusterNode[] = [];
    for (const name of ['nod_b', 'nod_c', 'nod_a']) {
      nodes.push(await world.start(name));
      await world.pass(150);
    }
    const [b, c, a] = nodes as [ClusterNode, ClusterNode, ClusterNode];
    await world.pass(1_000);
    await make(world, a);
    const x = enter(b, 0);
    const o = enter(c, 1);
    await world.pass(200);
    b.host.play(ID, 0, mark(4), x);
    await world.pass(200);
    expect(await ownersOf(world)).toEqual([]);
    away.isAway = () => true;
    await world.pass(ms);
    away.isAway = () => false;
    await world.pass(4_000);
    expect(o.seen().length).toBeGreaterThan(0);
    expect(await ownersOf(world)).toEqual([]);
  },
);

test.each([4_900, 5_300, 5_700])(
  '[N3] after the store was unavailable for %d ms the first node back takes nothing of a later one',
  async (ms) => {
    const world = openClusterWorld();
    const away = makeAway(world);
    const a = await world.start('nod_a');
    const b = await world.start('nod_b');
    await world.pass(1_000);
    await make(world, a);
    a.open('player-0', ID);
    await world.pass(100);
    b.open('player-1', ID);
    await world.pass(500);
    away.isAway = () => true;
    await world.pass(ms);
    away.isAway = (node) => node === 'nod_a';
    await world.pass(450);
    away.isAway = () => false;
    await world.pass(3_000);
    expect(await ownersOf(world)).toEqual([]);
  },
);

test('[N3] a session whose owner does not return with the store is taken over after 2 s', async () => {
  const world = openClusterWorld();
  const away = makeAway(world);
  const a = await world.start('nod_a');
  const b = await world.start('nod_b');
  await world.pass(1_000);
  await make(world, a);
  a.open('player-0', ID);
  await world.pass(100);
  const o = enter(b, 1);
  await world.pass(500);
  away.isAway = () => true;
  await world.pass(5_500);
  world.kill(a);
  away.isAway = () => false;
  await world.pass(4_000);
  expect(await ownersOf(world)).toEqual(['nod_b']);
  expect(b.local.has(ID)).toBe(true);
  expect(o.told.at(-1)).toBe('done');
});

test('[N4] an owner that was never asked is not replaced', async () => {
  const world = openClusterWorld();
  const away = makeAway(world);
  const a = await world.start('nod_a');
  const b = await world.start('nod_b');
  await world.pass(1_000);
  await make(world, a);
  const here = enter(a, 1);
  await world.pass(100);
  // One node cannot read who owns sessions, for a while; its lease and the other's stay.
  away.isAway = (node, name) => name === 'claim' && node === 'nod_b';
  const x = enter(b, 0);
  await world.pass(2_600);
  expect(b.cluster.host.size()).toBe(0);
  away.isAway = () => false;
  await world.pass(1_500);
  expect(x.told).toEqual(['done']);
  expect(await ownersOf(world)).toEqual([]);
  expect(here.losses).toBe(0);
});

test('[N3][P6] a player with an open socket does not lose by the node’s lost lease, whatever the grace', async () => {
  const world = openClusterWorld();
  const away = makeAway(world);
  const a = await world.start('nod_a');
  await world.start('nod_b');
  await world.pass(1_000);
  await make(world, a, { disconnectGraceMs: 0 });
  a.open('player-0', ID);
  a.open('player-1', ID);
  await world.pass(500);
  away.isAway = () => true;
  await world.pass(5_500);
  // All players of the node claim their match at once: that takes a while.
  away.isAway = (node, name) => name === 'claim' && node === 'nod_a';
  await world.pass(6_000);
  away.isAway = () => false;
  await world.pass(3_000);
  const { session } = (await a.host.peek(ID))!;
  expect(session.status).toBe('active');
  expect(session.seats.map(({ connected }) => connected)).toEqual([true, true]);
});
