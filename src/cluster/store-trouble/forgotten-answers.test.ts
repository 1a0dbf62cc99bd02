/**
 * Stored responses that name a player erased on another node (rule R2): what waits while they are
 * searched.
 */

import { expect, test } from 'bun:test';
import { createAt, enterAt } from '../../testing/cluster/cluster-matches.ts';
import { type ClusterNode, openClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { mark, settle, TENANT } from '../../testing/matches/match-world.ts';
import { makeNames, type NamesDeps } from '../membership/names.ts';

/** Maintains the cluster as the chores do: never twice at once. */
function maintainOneByOne({ cluster }: ClusterNode): void {
  const { maintain } = cluster;
  let isUnderWay = false;
  cluster.maintain = async () => {
    if (isUnderWay) return;
    isUnderWay = true;
    await maintain().finally(() => {
      isUnderWay = false;
    });
  };
}

test('[P6][N3] a lease that lapses during a long search of stored responses costs no player a turn', async () => {
  const world = openClusterWorld();
  const slowly = (): Promise<void> =>
    new Promise((_, reject) => void world.clock.after(10_000, () => reject(new Error('timeout'))));
  let isAway = false;
  const { renewLease } = world.members;
  world.members.forgetAnswers = slowly;
  world.members.renewLease = (...lease) =>
    isAway ? Promise.reject(new Error('away')) : renewLease(...lease);
  const node = await world.start('nod_a');
  maintainOneByOne(node);
  await world.pass(1_000);
  const id = await createAt(world, node);
  const x = enterAt(node, id, 0);
  enterAt(node, id, 1);
  await world.pass(100);
  for (let n = 0; n < 50; n++)
    node.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: `player ${n}` });
  await world.pass(11_000, 50);
  node.host.play(id, 0, mark(4), x);
  await world.pass(40_000, 50);
  // The lease cannot be renewed for six seconds, and lapses for one or two.
  isAway = true;
  await world.pass(6_000, 50);
  isAway = false;
  await world.pass(12_000, 50);
  const { entries } = (await world.kept.loadSession(id))!;
  const lost = entries.flatMap(({ record }) => ('lostMs' in record ? [record.lostMs] : []));
  expect(Math.max(...lost)).toBeGreaterThan(0);
  expect(entries.some(({ record }) => record.k === 'forfeited')).toBe(false);
});

test('[R2][N7] while the store does not search the stored responses a joining node gets the notices', async () => {
  const world = openClusterWorld();
  const asked = Promise.withResolvers<void>();
  const calls: string[] = [];
  world.members.forgetAnswers = (_tenant, _world, playerId) => {
    calls.push(playerId);
    return asked.promise;
  };
  const a = await world.start('nod_a');
  maintainOneByOne(a);
  await world.pass(1_000);
  a.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: 'ann' });
  await world.pass(15_000, 100);
  a.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: 'bob' });
  const b = await world.start('nod_b');
  const socket = b.open('bob');
  await world.pass(2_500);
  expect(socket.closedWith).toBe(4_401);
  // One at a time.
  await world.pass(15_000, 100);
  expect(calls.filter((playerId) => playerId === 'ann')).toEqual(['ann']);
  asked.resolve();
  await world.pass(2_000);
  expect(calls.filter((playerId) => playerId === 'bob')).toEqual(['bob', 'bob']);
  expect([a.errors, b.errors]).toEqual([[], []]);
});

/** The names service alone, with a store whose search of responses the test controls. */
function openNames(forgetAnswers: NamesDeps['store']['forgetAnswers']) {
  const clock = makeManualClock();
  const errors: unknown[] = [];
  const names = makeNames({
    clock,
    local: { naming: () => [], forgetSeat: () => null },
    store: { erasureRevision: async () => 0, listErased: async () => [], forgetAnswers },
    onUnheard() {},
    onError: (error) => void errors.push(error),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let n = 0; n < seconds; n++) {
      clock.advance(1_000);
      await names.maintain();
      await settle();
    }
  };
  return { clock, names, errors, pass };
}

test('[R2] responses are searched for fifty players a second, and no more when that fails for one', async () => {
  const calls: string[] = [];
  let failing: string | null = null;
  const { names, errors, pass } = openNames(async (_tenant, _world, playerId) => {
    calls.push(playerId);
    if (playerId === failing) throw new Error('away');
  });
  const ids = Array.from({ length: 60 }, (_, n) => `player ${n}`);
  for (const playerId of ids) names.heard({ tenant: TENANT, world: 'live', playerId });
  await pass(9);
  expect(calls).toEqual([]);
  await pass(1);
  expect(calls).toEqual(ids.slice(0, 50));
  failing = 'player 55';
  await pass(1);
  expect([calls.slice(50), errors.length]).toEqual([ids.slice(50, 56), 1]);
  // The others get their turn first; these get theirs, however long it takes.
  await pass(2);
  expect(calls.slice(56)).toEqual([...ids.slice(56), failing, failing]);
  failing = null;
  await pass(3);
  expect(calls.slice(62)).toEqual(['player 55']);
});

test('[R2] a player whose search always fails does not delay other tenants’ players', async () => {
  const calls: string[] = [];
  const { names, pass } = openNames(async (_tenant, _world, playerId) => {
    calls.push(playerId);
    if (playerId === 'ann') throw new Error('never');
  });
  names.heard({ tenant: TENANT, world: 'live', playerId: 'ann' });
  names.heard({ tenant: 'ten_other', world: 'live', playerId: 'bob' });
  await pass(9);
  // The first tenant always has a player whose time is not over.
  names.heard({ tenant: TENANT, world: 'live', playerId: 'cyd' });
  await pass(3);
  expect(calls).toEqual(['ann', 'bob', 'ann', 'ann']);
});

test('[R2] a player erased again while their responses are searched is searched for as long as any other', async () => {
  const calls: string[] = [];
  const { names, pass } = openNames(async (_tenant, _world, playerId) => {
    calls.push(playerId);
    if (calls.length > 1) return;
    names.heard({ tenant: TENANT, world: 'live', playerId });
    throw new Error('away');
  });
  names.heard({ tenant: TENANT, world: 'live', playerId: 'ann' });
  await pass(19);
  expect(calls).toEqual(['ann']);
  await pass(1);
  expect(calls).toEqual(['ann', 'ann']);
});

test('[R2] a stopping node waits at most a second for the rest, and is not asked for it afterwards', async () => {
  const calls: string[] = [];
  const asked = Promise.withResolvers<void>();
  const { clock, names, errors } = openNames(async (_tenant, _world, playerId) => {
    calls.push(playerId);
    await asked.promise;
    throw new Error('closed');
  });
  for (const playerId of ['ann', 'bob']) names.heard({ tenant: TENANT, world: 'live', playerId });
  let isClosed = false;
  const closing = names.close().then(() => {
    isClosed = true;
  });
  clock.advance(990);
  await settle();
  expect([isClosed, calls]).toEqual([false, ['ann']]);
  clock.advance(10);
  await closing;
  asked.resolve();
  await settle();
  expect([calls, errors]).toEqual([['ann'], []]);
});
