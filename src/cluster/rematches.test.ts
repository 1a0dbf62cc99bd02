/** Rematches over several nodes: requested on one, shown on all, kept when nodes die (rule P13). */

import { expect } from 'bun:test';
import { PLANS } from '../tenancy/tenant.ts';
import { createAt } from '../testing/cluster/cluster-matches.ts';
import {
  type ClusterNode,
  type ClusterWorld,
  openClusterWorld,
} from '../testing/cluster/cluster-world.ts';
import { TENANT } from '../testing/matches/match-world.ts';
import { test } from '../testing/sockets/both-protocols.ts';
import type { FakeSocket } from '../testing/sockets/fake-socket.ts';

interface Frame {
  readonly t: string;
  readonly id?: string;
  readonly code?: string;
  readonly asked?: readonly number[];
  readonly agreed?: boolean;
  readonly next?: { readonly session: string; readonly token?: string } | null;
}

const framesOf = ({ sent }: FakeSocket): Frame[] => sent.map((text) => JSON.parse(text) as Frame);
const rematches = (socket: FakeSocket) => framesOf(socket).filter(({ t }) => t === 'rematch');

/** A match between ann on one node and bob on another, which bob has resigned. */
async function play(world: ClusterWorld, a: ClusterNode, b: ClusterNode) {
  const id = await createAt(world, a);
  const ann = a.open('ann', id);
  const bob = b.open('bob', id);
  await world.pass(300);
  bob.receive({ t: 'resign', s: id, id: 'end' });
  await world.pass(300);
  expect(framesOf(ann).at(-1)?.t).toBe('over');
  return { id, ann, bob };
}

async function openThree() {
  const world = openClusterWorld();
  const nodes = [
    await world.start('nod_a'),
    await world.start('nod_b'),
    await world.start('nod_c'),
  ] as const;
  await world.pass(1_000);
  return { world, nodes };
}

test('[P13][N1] an offer on one node is shown on every other, whichever owns the session', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const { id, ann, bob } = await play(world, a, b);
  // A player who connects after the end reads the session on their own node: no node owns it any
  // more.
  const watcher = c.watch(id);
  await world.pass(300);
  ann.receive({ t: 'rematch', s: id, id: 'r1', do: 'offer' });
  await world.pass(300);
  expect(rematches(ann).filter(({ id }) => id === 'r1')).toMatchObject([{ asked: [0] }]);
  for (const socket of [bob, watcher]) expect(rematches(socket).at(-1)?.asked).toEqual([0]);
  bob.receive({ t: 'rematch', s: id, id: 'r2', do: 'offer' });
  await world.pass(300);
  for (const socket of [ann, bob, watcher]) {
    expect(rematches(socket).at(-1)).toMatchObject({ asked: [0, 1], agreed: true, next: null });
  }
  const ref = { tenant: TENANT, id, modes: ['live'] as const };
  const making = c.sessions.rematch(ref, PLANS.pro, null);
  await world.pass(300);
  const made = await making;
  if (!made.ok) throw new Error(made.refusal);
  await world.pass(300);
  const next = { session: made.value.row.id };
  for (const socket of [ann, bob, watcher]) expect(rematches(socket).at(-1)?.next).toEqual(next);
  for (const node of nodes) expect(node.errors).toEqual([]);
});

test('[P13][N4] an offer survives the node that received it, and two players who accept at once agree', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const { id, ann, bob } = await play(world, a, b);
  ann.receive({ t: 'rematch', s: id, id: 'r1', do: 'offer' });
  await world.pass(100);
  world.kill(a);
  await world.pass(8_000);
  const back = c.open('ann', id);
  await world.pass(500);
  back.receive({ t: 'rematch', s: id, id: 'r2' });
  bob.receive({ t: 'rematch', s: id, id: 'r3', do: 'offer' });
  back.receive({ t: 'rematch', s: id, id: 'r4', do: 'offer' });
  await world.pass(500);
  for (const socket of [back, bob]) {
    expect(rematches(socket).at(-1)).toMatchObject({ asked: [0, 1], agreed: true });
  }
  expect(rematches(back).find(({ id }) => id === 'r2')?.asked).toContain(0);
});
