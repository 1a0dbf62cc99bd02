/** Which node owns a match: the one to which the first of its players connects. */

import { expect, test } from 'bun:test';
import { PENDING_MS } from '../match/setup.ts';
import {
  createAt,
  enterAt as enter,
  openThree as openNodes,
} from '../testing/cluster/cluster-matches.ts';
import { type ClusterWorld, openClusterWorld } from '../testing/cluster/cluster-world.ts';
import { mark, namesOf } from '../testing/matches/match-world.ts';

async function openThree() {
  const opened = await openNodes();
  return { ...opened, session: await createAt(opened.world, opened.nodes[0]) };
}

async function kindsOf(world: ClusterWorld, id: string): Promise<string[]> {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record.k);
}

test('[N1] a session sleeps until its first player connects, whose node then owns it', async () => {
  const { world, nodes, written, session } = await openThree();
  const [a, b, c] = nodes;
  expect(world.holderOf(session)).toBeNull();
  expect(nodes.map(({ local }) => local.size())).toEqual([0, 0, 0]);
  // A watcher is shown it, and decides nothing.
  const watcher = enter(a, session, null);
  await world.pass(30);
  expect(namesOf(watcher.take())).toEqual(['state 0']);
  expect(world.holderOf(session)).toBeNull();
  const x = enter(b, session, 0);
  await world.pass(30);
  expect(world.holderOf(session)).toBe(b.name);
  const o = enter(c, session, 1);
  await world.pass(2_000);
  expect(await kindsOf(world, session)).toEqual([
    'created',
    'owned',
    'connected',
    'connected',
    'started',
  ]);
  expect(nodes.map(({ local }) => local.size())).toEqual([0, 1, 0]);
  for (const probe of [x, o, watcher]) probe.take();
  b.host.play(session, 0, mark(4), x);
  await world.pass(30);
  expect(namesOf(x.take())).toEqual(['ack 5', 'update 5']);
  expect([namesOf(o.take()), namesOf(watcher.take())]).toEqual([['update 5'], ['update 5']]);
  // The first record clears the deadline in its row; later ones are plain records, until it starts.
  expect(written.map(({ change }) => change?.awake ?? null)).toEqual(
    written.map((_, n) => (n === 0 ? true : null)),
  );
  for (const node of nodes) expect(node.errors).toEqual([]);
  for (const [node, probe] of [
    [b, x],
    [c, o],
    [a, watcher],
  ] as const)
    node.host.detach(session, probe);
  await world.pass(12_000, 100);
  expect(world.holderOf(session)).toBeNull();
});

test('[N1] when players connect to different nodes at once, the node of one of them owns the session, without a conflict', async () => {
  const { world, nodes, session } = await openThree();
  const probes = [enter(nodes[1], session, 0), enter(nodes[2], session, 1)];
  await world.pass(100);
  expect(await kindsOf(world, session)).toEqual([
    'created',
    'owned',
    'connected',
    'connected',
    'started',
  ]);
  for (const probe of probes) expect(namesOf(probe.take()).at(-1)).toBe('state 4');
  for (const { local } of nodes) expect(local.stats.conflicts).toBe(0);
});

test('[N1] a single node owns what it creates: its players can only connect there', async () => {
  const world = openClusterWorld();
  const a = await world.start('nod_a');
  const session = await createAt(world, a);
  expect([world.holderOf(session), a.local.size()]).toEqual([a.name, 1]);
});

test('[N1] a tenant’s call on a session without connections runs on the node that receives it', async () => {
  const { world, nodes, session } = await openThree();
  const [, , c] = nodes;
  const ended = await new Promise((resolve) =>
    c.host.run(session, {
      command: () => ({ kind: 'abort' }),
      done: (result) => void resolve(result.kind),
    }),
  );
  expect(ended).toBe('done');
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
  expect(world.holderOf(session)).toBeNull();
});

test('[N1] a session that no player joins expires in time, though its creator is gone', async () => {
  const { world, nodes, session } = await openThree();
  world.kill(nodes[0]);
  await world.pass(PENDING_MS.private + 3_000, 500);
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
});

test('[N1][N2] a session that was claimed and could not be read is still owned', async () => {
  const { world, nodes, session } = await openThree();
  const [, b] = nodes;
  const { loadSession } = b.store;
  b.store.loadSession = () => Promise.reject(new Error('the store is away'));
  const x = enter(b, session, 0);
  await world.pass(100);
  expect(world.holderOf(session)).toBe(b.name);
  b.host.detach(session, x);
  await world.pass(40_000, 100);
  b.store.loadSession = loadSession;
  await world.pass(5_000, 50);
  // No player is connected: it sleeps, or is about to.
  await world.pass(12_000, 100);
  expect(world.holderOf(session)).toBeNull();
  expect(b.local.has(session)).toBe(false);
});
