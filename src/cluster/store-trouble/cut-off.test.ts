/**
 * A node that reaches neither the store nor the bus: its players reconnect to their matches on
 * another.
 */

import { expect, test } from 'bun:test';
import { createAt, makeRequest } from '../../testing/cluster/cluster-matches.ts';
import { type ClusterWorld, openClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { makeOutage } from '../../testing/wrapped-calls.ts';

const TURN_MS = 6_000;

/** Of two nodes the first has a match, and ann's socket in it. */
async function openMatch() {
  const world = openClusterWorld();
  const rows = makeOutage(world.members, ['renewLease', 'listLeases', 'holderOf', 'claim']);
  const [a, b] = [await world.start('nod_a'), await world.start('nod_b')];
  await world.pass(1_000);
  const { options } = makeRequest();
  const id = await createAt(
    world,
    a,
    makeRequest({ options: { ...options, turnTimeoutMs: TURN_MS } }),
  );
  const ann = a.open('ann', id);
  await world.pass(100);
  const bob = b.open('bob', id);
  await world.pass(1_000);
  expect(world.holderOf(id)).toBe(a.name);
  const setStoreAway = (isAway: boolean): void => {
    rows.isAway = (node) => isAway && node === a.name;
    a.faults.failLoads = isAway;
  };
  return { world, nodes: [a, b] as const, id, ann, bob, setStoreAway };
}

async function kindsOf(world: ClusterWorld, id: string): Promise<string[]> {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record.k);
}

test('[N3][P6] it closes its sockets, and a player on move still moves on another node', async () => {
  const { world, nodes, id, ann, bob, setStoreAway } = await openMatch();
  const [a, b] = nodes;
  setStoreAway(true);
  world.network.setUp(a.name, false);
  await world.pass(5_000);
  expect([ann.closedWith, bob.closedWith]).toEqual([1012, null]);
  const again = b.open('ann', id);
  await world.pass(100);
  again.receive({ t: 'act', s: id, id: 'm1', action: { position: 4 } });
  await world.pass(100);
  expect(await kindsOf(world, id)).toContain('action');
  expect(await kindsOf(world, id)).not.toContain('ended');
});

test('[N3][P6] the same when the bus is lost only after its lease', async () => {
  const { world, nodes, ann, setStoreAway } = await openMatch();
  const [a] = nodes;
  setStoreAway(true);
  await world.pass(5_500);
  expect(ann.closedWith).toBeNull();
  world.network.setUp(a.name, false);
  await world.pass(600);
  expect(ann.closedWith).toBe(1012);
});

test('[N3] sockets stay open while the bus reaches the others, and where there are none', async () => {
  const { world, nodes, ann, setStoreAway } = await openMatch();
  setStoreAway(true);
  await world.pass(8_000);
  expect(ann.closedWith).toBeNull();
  world.kill(nodes[1]);
  const alone = openClusterWorld();
  const outage = makeOutage(alone.members, ['renewLease', 'listLeases']);
  const only = await alone.start('nod_a');
  const socket = only.open('ann');
  outage.isAway = () => true;
  alone.network.setUp(only.name, false);
  await alone.pass(8_000);
  expect(socket.closedWith).toBeNull();
});
