/** Matches with slow commits that move to another node because of them or afterwards. */

import { expect, test } from 'bun:test';
import { createAt, enterAt, openThree } from '../../testing/cluster/cluster-matches.ts';
import { release } from '../../testing/faulty-store.ts';
import { mark } from '../../testing/matches/match-world.ts';

test.each(['drain, and it came to nothing', 'death of its node a moment after it was told'])(
  '[P6][N2][N5] a commit of six seconds, then a %s: no player is charged for it',
  async (how) => {
    const { world, nodes } = await openThree();
    const [a, b, c] = nodes;
    const id = await createAt(world, a);
    enterAt(b, id, 1);
    await world.pass(100);
    const x = enterAt(c, id, 0);
    await world.pass(500);
    const isDrain = how.startsWith('drain');
    b.faults.next.push(isDrain ? 'held_lost' : 'held');
    const from = world.clock.now();
    c.host.play(id, 0, mark(4), x);
    await world.pass(4_000);
    const drained = isDrain ? b.cluster.drain() : null;
    await world.pass(2_000);
    release(b.faults);
    await world.pass(200);
    if (drained === null) world.kill(b);
    else {
      await drained;
      await b.cluster.leave();
    }
    await world.pass(10_000);
    const { entries } = (await world.kept.loadSession(id))!;
    const last = entries.findLast(({ record }) => record.k === 'owned')!;
    const lost = entries.reduce(
      (sum, { record }) => sum + ('lostMs' in record ? record.lostMs : 0),
      0,
    );
    expect(last.record).not.toMatchObject({ node: b.name });
    // The whole time between the move and the takeover, and more if it is unknown how long the
    // owner served.
    expect(lost).toBeGreaterThan(last.at - from - 1_000);
  },
);

test('[P6][N4] a takeover from a node with a slow commit charges no player for requests that node could not answer', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const id = await createAt(world, a);
  const x = enterAt(b, id, 0);
  enterAt(b, id, 1);
  await world.pass(500);
  b.faults.next.push('held');
  b.host.play(id, 0, mark(4), x);
  await world.pass(500);
  // O returns by another node, e.g. after a change of networks.
  enterAt(c, id, 1);
  await world.pass(8_000);
  release(b.faults);
  await world.pass(1_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const owned = entries.findLast(({ record }) => record.k === 'owned')!;
  expect(owned.record).toMatchObject({ k: 'owned', node: c.name });
  const { lostMs } = owned.record as { lostMs: number };
  expect(lostMs).toBeGreaterThan(2_000);
});

test('[P6] no player gets time back for a session that slept when its creator died, though a read failed once', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  const id = await createAt(world, a);
  await world.pass(100);
  expect(world.holderOf(id)).toBeNull();
  world.kill(a);
  await world.pass(60_000);
  b.faults.failLoads = true;
  enterAt(b, id, 0);
  await world.pass(200);
  b.faults.failLoads = false;
  enterAt(b, id, 0);
  await world.pass(3_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const owned = entries.find(({ record }) => record.k === 'owned')!;
  expect(owned.record).toMatchObject({ lostMs: 0 });
});

test('[P6][N2] all the time since an owner died is charged to no player, though a read failed once', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const id = await createAt(world, a);
  enterAt(a, id, 0);
  enterAt(a, id, 1);
  await world.pass(500);
  world.kill(a);
  for (const { faults } of [b, c]) faults.failLoads = true;
  await world.pass(15_000);
  for (const { faults } of [b, c]) faults.failLoads = false;
  await world.pass(3_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const owned = entries.find(({ record }) => record.k === 'owned')!;
  const { lostMs } = owned.record as { lostMs: number };
  expect(lostMs).toBeGreaterThan(14_000);
});
