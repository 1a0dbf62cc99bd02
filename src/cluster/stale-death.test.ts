/** A node that was taken for dead once, and lives. */

import { expect, test } from 'bun:test';
import { createAt, enterAt, openThree } from '../testing/cluster-matches.ts';
import { openClusterWorld } from '../testing/cluster-world.ts';
import { release } from '../testing/faulty-store.ts';
import { mark } from '../testing/match-world.ts';

test.each([false, true])(
  '[P6] a match that is taken from a node: only what it was asked in vain is nobody’s (the node had been taken for dead before, and came back: %p)',
  async (wasDead) => {
    const { world, nodes } = await openThree();
    const [a, b, c] = nodes;
    if (wasDead) {
      world.stop(b);
      await world.pass(8_000);
      world.goOn(b);
    }
    await world.pass(60_000);
    const id = await createAt(world, a);
    const x = enterAt(b, id, 0);
    enterAt(b, id, 1);
    await world.pass(500);
    // X thinks for half a minute.
    await world.pass(30_000);
    b.faults.next.push('held_lost');
    const from = world.clock.now();
    b.host.play(id, 0, mark(4), x);
    await world.pass(500);
    enterAt(c, id, 1);
    await world.pass(8_000);
    release(b.faults);
    await world.pass(1_000);
    const { entries } = (await world.kept.loadSession(id))!;
    const owned = entries.findLast(({ record }) => record.k === 'owned')!;
    expect(owned.record).toMatchObject({ k: 'owned', node: c.name });
    const { lostMs } = owned.record as { lostMs: number };
    expect(lostMs).toBeGreaterThan(2_000);
    expect(lostMs).toBeLessThanOrEqual(owned.at - from);
  },
);

test('[P6] a match that is taken from a node: only what it was asked in vain is nobody’s, though its lease was over for a moment an hour before', async () => {
  const world = openClusterWorld();
  const b = await world.start('nod_b');
  // Its rounds are not at the same moments as b's.
  await world.pass(250);
  const c = await world.start('nod_c');
  await world.pass(1_000);
  const first = await createAt(world, b);
  const one = enterAt(b, first, 0);
  enterAt(b, first, 1);
  await world.pass(500);
  b.host.play(first, 0, mark(4), one);
  await world.pass(500);
  // b's lease is over for 100 ms, between two looks of c, in which somebody asks c for a match of b's.
  const row = async () => (await world.members.listLeases()).find(({ node }) => node === 'nod_b')!;
  world.stop(b);
  await world.pass((await row()).leaseUntil - world.clock.now() + 20);
  expect((await row()).isValid).toBe(false);
  enterAt(c, first, 1);
  await world.pass(20);
  world.goOn(b);
  await world.pass(20);
  expect((await row()).isValid).toBe(true);
  await world.pass(60_000);
  const id = await createAt(world, b);
  const x = enterAt(b, id, 0);
  enterAt(b, id, 1);
  await world.pass(500);
  // X thinks for half a minute.
  await world.pass(30_000);
  b.faults.next.push('held_lost');
  const from = world.clock.now();
  b.host.play(id, 0, mark(4), x);
  await world.pass(500);
  enterAt(c, id, 1);
  await world.pass(8_000);
  release(b.faults);
  await world.pass(1_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const owned = entries.findLast(({ record }) => record.k === 'owned')!;
  expect(owned.record).toMatchObject({ k: 'owned', node: c.name });
  const { lostMs } = owned.record as { lostMs: number };
  expect(lostMs).toBeLessThanOrEqual(owned.at - from);
});
