/** A node hands its matches over, whatever comes between. */

import { expect, test } from 'bun:test';
import {
  type ClusterNode,
  type ClusterWorld,
  openClusterWorld,
} from '../../testing/cluster/cluster-world.ts';
import { release } from '../../testing/faulty-store.ts';
import { createSession, type World } from '../../testing/matches/match-world.ts';
import { makeOutage, wrapCalls } from '../../testing/wrapped-calls.ts';

const ID = 'ses_shared';

async function make(
  world: ClusterWorld,
  node: ClusterNode,
  setup: { disconnectGraceMs?: number } = {},
) {
  const asWorld = { clock: world.clock, kept: node.store, host: node.local, node: node.name };
  await createSession(asWorld as unknown as World, ID, { setup });
}

/** `change` changes the rows that nodes share. */
async function openTwo(change: (rows: ClusterWorld['members']) => void = () => {}) {
  const world = openClusterWorld();
  change(world.members);
  return { world, a: await world.start('nod_a'), b: await world.start('nod_b') };
}

/** The log as text, with seats. */
async function kindsOf(world: ClusterWorld): Promise<string[]> {
  const { entries } = (await world.kept.loadSession(ID))!;
  return entries.map(({ record }) => ('seat' in record ? `${record.k} ${record.seat}` : record.k));
}

test('[N5] a drain hands its matches over though its own row could not be written', async () => {
  let isAway = false;
  const { world, a, b } = await openTwo((rows) => {
    makeOutage(rows, ['renewLease']).isAway = (node) => isAway && node === 'nod_a';
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

test('[N5][P6] the time of a slow commit is charged to no player by the node that gets the match', async () => {
  const { world, a, b } = await openTwo();
  await world.pass(1_000);
  await make(world, a);
  for (const player of ['player-0', 'player-1']) a.open(player, ID);
  await world.pass(500);
  a.faults.next.push('held');
  const command = { kind: 'act', seat: 0, id: 'm1', action: { position: 4 } } as const;
  a.local.run(ID, { command: () => command, done: () => undefined });
  await world.pass(6_000, 500);
  release(a.faults);
  await world.pass(20);
  const drained = a.cluster.drain();
  await world.pass(1_000, 50);
  await drained;
  const { entries } = (await b.store.loadSession(ID))!;
  const moved = entries.find(({ record }) => record.k === 'action')!;
  expect(entries[moved.v + 1]).toMatchObject({ record: { k: 'paused', lostMs: 6_000 } });
});

test.each([
  ['whose players are there', true],
  ['that nobody is in', false],
])(
  '[N5][P6] the time of the last record of a match %s is given back by the node that gets it',
  async (_, areThere) => {
    const { world, a, b } = await openTwo();
    await world.pass(1_000);
    await make(world, a, { disconnectGraceMs: 3_600_000 });
    const sockets = ['player-0', 'player-1'].map((player) => a.open(player, ID));
    await world.pass(500);
    if (!areThere) for (const socket of sockets) socket.close(1_000, '');
    await world.pass(500);
    a.local.noteStall(world.clock.now() - 2_000, world.clock.now());
    a.faults.next.push('held');
    const drained = a.cluster.drain();
    await world.pass(5_000, 500);
    release(a.faults);
    await world.pass(2_000, 50);
    await drained;
    const { entries } = (await b.store.loadSession(ID))!;
    expect(entries.filter(({ record }) => record.k === 'paused')).toHaveLength(1);
    const owned = entries.find(({ record }) => record.k === 'owned')!;
    const { lostMs } = owned.record as { lostMs: number };
    expect(lostMs).toBeGreaterThanOrEqual(5_000);
    expect(lostMs).toBeLessThan(7_500);
  },
);

/** Delays the answers to node a's claims until it is called. */
function holdUpClaims(rows: ClusterWorld['members']) {
  const gate = Promise.withResolvers<void>();
  wrapCalls(rows, ['claim'], async ({ args, go }) => {
    const answer = await go();
    if (args[0] === 'nod_a') await gate.promise;
    return answer;
  });
  return gate.resolve;
}

test('[N5] a session claimed while a node begins to drain does not stay with it', async () => {
  let go = (): void => {};
  const { world, a, b } = await openTwo((rows) => {
    go = holdUpClaims(rows);
  });
  await world.pass(1_000);
  // Asleep, as new sessions are.
  await make(world, b);
  await world.pass(12_000);
  expect(world.holderOf(ID)).toBe(null);
  a.open('player-0', ID);
  await world.pass(20);
  const drained = a.cluster.drain();
  await world.pass(20);
  go();
  await world.pass(100);
  await drained;
  a.sockets.drain();
  await world.pass(20);
  expect([world.holderOf(ID), a.local.size()]).not.toEqual([a.name, 0]);
  const from = world.clock.now();
  const y = b.open('player-0', ID);
  const isIn = () => y.sent.some((text) => text.includes('"welcome"'));
  while (!isIn() && world.clock.now() - from < 5_000) await world.pass(10);
  expect(world.clock.now() - from).toBeLessThan(500);
});

test.each(['by itself', 'as its player comes'])(
  '[N5][P6] a match handed over that another node loads late, %s: the time between is charged to no player',
  async (how) => {
    const { world, a, b } = await openTwo();
    await world.pass(1_000);
    await make(world, a);
    for (const player of ['player-0', 'player-1']) a.open(player, ID);
    await world.pass(500);
    let isSlow = true;
    wrapCalls(b.store, ['claimDue'], ({ go }) => (isSlow ? Promise.resolve([]) : go()));
    const from = world.clock.now();
    const drained = a.cluster.drain();
    await world.pass(100);
    await drained;
    await world.pass(7_900, 100);
    expect(await kindsOf(world)).not.toContain('owned');
    if (how === 'by itself') isSlow = false;
    else b.open('player-0', ID);
    await world.pass(1_500, 10);
    const { entries } = (await b.store.loadSession(ID))!;
    const owned = entries.find(({ record }) => record.k === 'owned')!;
    const { lostMs } = owned.record as { lostMs: number };
    // When it was handed over only the drain itself had run.
    expect(lostMs).toBeGreaterThan(owned.at - from - 100);
    expect(lostMs).toBeLessThanOrEqual(owned.at - from);
  },
);

test('[N5] a drain shows no absent player as present', async () => {
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
  // Once another node owns it all are absent; the player who has reconnected there is their
  // opponent.
  expect((await kindsOf(world)).slice(before.length)).toEqual(['owned', 'connected 1']);
});

for (const isHere of [true, false]) {
  const place = isHere ? 'that very node' : 'another node';
  test(`[P6][N5] a player dropped by a node that stops has ten seconds to return to a match on ${place}`, async () => {
    const { world, a, b } = await openTwo();
    await world.pass(1_000);
    await make(world, a, { disconnectGraceMs: 0 });
    // Only the player's own node stops: a single process has no other node for its matches.
    const [ending, other] = isHere ? [a, b] : [b, a];
    ending.open('player-0', ID);
    await world.pass(100);
    other.open('player-1', ID);
    await world.pass(500);
    ending.sockets.drain();
    await world.pass(9_900);
    expect((await kindsOf(world)).at(-1)).toBe('disconnected 0');
    const back = other.open('player-0', ID);
    await world.pass(200);
    expect((await kindsOf(world)).at(-1)).toBe('connected 0');
    back.close(1_000, '');
    await world.pass(200);
    expect((await kindsOf(world)).at(-1)).toBe('ended');
  });
}

test('[N5] a node that leaves while the store is unavailable leaves nothing that keeps its process alive', async () => {
  const world = openClusterWorld();
  const calls = Object.keys(world.members) as (keyof typeof world.members)[];
  const outage = makeOutage(world.members, calls);
  const a = await world.start('nod_a');
  await world.pass(1_000);
  (await a.cluster.queueTurns.enter('connect4')).leave();
  outage.isAway = () => true;
  const drained = a.cluster.drain();
  await world.pass(20);
  await drained;
  const left = a.cluster.leave().catch(String);
  await world.pass(20);
  expect(await left).toContain('away');
  expect(world.clock.nextAt()).toBeNull();
});
