/** A node gives its matches away, whatever comes between. */

import { expect, test } from 'bun:test';
import { type ClusterNode, type ClusterWorld, openClusterWorld } from '../testing/cluster-world.ts';
import { createSession, type World } from '../testing/match-world.ts';

const ID = 'ses_shared';

type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>;

async function make(world: ClusterWorld, node: ClusterNode) {
  const asWorld = { clock: world.clock, kept: node.store, host: node.local, node: node.name };
  await createSession(asWorld as unknown as World, ID);
}

/** `change` is what is to be done to the rows that nodes share. */
async function openTwo(change: (rows: Calls) => void = () => {}) {
  const world = openClusterWorld();
  change(world.members as unknown as Calls);
  return { world, a: await world.start('nod_a'), b: await world.start('nod_b') };
}

/** What its log says, with seats. */
async function kindsOf(world: ClusterWorld): Promise<string[]> {
  const { entries } = (await world.kept.loadSession(ID))!;
  return entries.map(({ record }) => ('seat' in record ? `${record.k} ${record.seat}` : record.k));
}

test('[N5] a drain gives its matches away though its own row could not be written', async () => {
  let isAway = false;
  const { world, a, b } = await openTwo((rows) => {
    const { renewLease } = rows;
    rows['renewLease'] = (...args) =>
      isAway && args[0] === 'nod_a'
        ? Promise.reject(new Error('the store is away'))
        : renewLease!(...args);
  });
  await world.pass(1_000);
  await make(world, a);
  a.open('player-0', ID);
  await world.pass(50);
  b.open('player-1', ID);
  await world.pass(200);
  isAway = true;
  const drained = a.cluster.drain();
  await world.pass(10);
  await drained;
  isAway = false;
  await world.pass(400);
  expect([a.local.size(), b.local.size()]).toEqual([0, 1]);
  expect(a.errors).toHaveLength(1);
});

/** Lets the answers to a call of node a wait until `go`. */
function holdUp(rows: Calls, name: string) {
  const gate = Promise.withResolvers<void>();
  const call = rows[name]!;
  rows[name] = async (...args) => {
    const answer = await call(...args);
    if (args[0] === 'nod_a') await gate.promise;
    return answer;
  };
  return gate.resolve;
}

test('[N5] what is claimed while a node begins to drain is not left with it', async () => {
  let go = (): void => {};
  const { world, a, b } = await openTwo((rows) => {
    go = holdUp(rows, 'claim');
  });
  await world.pass(1_000);
  // Asleep, as new sessions are.
  await make(world, b);
  await world.pass(12_000);
  expect(world.memory.holderOf(ID)).toBe(null);
  a.open('player-0', ID);
  await world.pass(20);
  const drained = a.cluster.drain();
  await world.pass(20);
  go();
  await world.pass(100);
  await drained;
  a.sockets.drain();
  await world.pass(20);
  expect([world.memory.holderOf(ID), a.local.size()]).not.toEqual([a.name, 0]);
  const from = world.clock.now();
  const y = b.open('player-0', ID);
  const isIn = () => y.sent.some((text) => text.includes('"welcome"'));
  while (!isIn() && world.clock.now() - from < 5_000) await world.pass(10);
  expect(world.clock.now() - from).toBeLessThan(500);
});

test('[N5] a drain shows no one as back who is not', async () => {
  const { world, a, b } = await openTwo();
  await world.pass(1_000);
  await make(world, a);
  a.open('player-0', ID);
  await world.pass(100);
  b.open('player-1', ID);
  await world.pass(500);
  const before = await kindsOf(world);
  void a.cluster.drain();
  await world.pass(10);
  a.sockets.drain();
  await world.pass(5_000);
  // Taken by another node all are away; who has come back there is his opponent.
  expect((await kindsOf(world)).slice(before.length)).toEqual(['owned', 'connected 1']);
});

test('[N5] a node that leaves while the store is away leaves nothing that would hold its process', async () => {
  const world = openClusterWorld();
  const rows = world.members as unknown as Calls;
  let isAway = false;
  for (const [name, call] of Object.entries(rows)) {
    if (name === 'isValid') continue;
    rows[name] = (...args) =>
      isAway ? Promise.reject(new Error('the store is away')) : call(...args);
  }
  const a = await world.start('nod_a');
  await world.pass(1_000);
  (await a.cluster.lines.enter('connect4')).leave();
  isAway = true;
  const drained = a.cluster.drain();
  await world.pass(20);
  await drained;
  const left = a.cluster.leave().catch(String);
  await world.pass(20);
  expect(await left).toContain('away');
  expect(world.clock.nextAt()).toBeNull();
});
