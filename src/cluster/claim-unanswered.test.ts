/** A match that slept is claimed, and nobody hears that it was. */

import { expect, test } from 'bun:test';
import { findGame } from '../games/registry.ts';
import { parseOptions, type SessionOptions } from '../match/setup.ts';
import { createAt, enterAt, makeRequest } from '../testing/cluster-matches.ts';
import { openClusterWorld } from '../testing/cluster-world.ts';
import { mark } from '../testing/match-world.ts';

const HOUR_MS = 3_600_000;

test.each(['crashed', 'left', 'lives'] as const)(
  '[P6][N2] a match that slept for 20 minutes and is claimed, of which the answer is lost (its last holder %s): what passed in the sleep is charged',
  async (holder) => {
    const world = openClusterWorld();
    const { claim } = world.members;
    let lost = 0;
    Object.assign(world.members, {
      async claim(node: string, session: string) {
        const claimed = await claim(node, session);
        if (lost-- > 0) throw new Error('the connection broke');
        return claimed;
      },
    });
    const a = await world.start('nod_a');
    const b = await world.start('nod_b');
    await world.pass(1_000);
    const game = findGame('tictactoe')!;
    const patience = { turnTimeoutMs: HOUR_MS, disconnectGraceMs: HOUR_MS };
    const options = parseOptions(game, patience) as SessionOptions;
    const id = await createAt(world, a, makeRequest({ options }));
    const [x, o] = [enterAt(a, id, 0), enterAt(a, id, 1)];
    await world.pass(500);
    a.host.play(id, 0, mark(4), x);
    await world.pass(500);
    a.host.detach(id, x);
    a.host.detach(id, o);
    await world.pass(15_000);
    expect(world.memory.holderOf(id)).toBeNull();
    if (holder === 'left') {
      await a.cluster.drain();
      await a.cluster.leave();
    }
    if (holder !== 'lives') world.kill(a);
    await world.pass(20 * 60_000, 500);
    const from = world.clock.now();
    lost = 1;
    enterAt(b, id, 1);
    await world.pass(10_000);
    expect(world.memory.holderOf(id)).toBe(b.name);
    const { entries } = (await world.kept.loadSession(id))!;
    const later = entries.filter(({ at }) => at >= from);
    const given = later.reduce(
      (s, { record }) => s + Number('lostMs' in record && record.lostMs),
      0,
    );
    expect(given).toBeLessThan(2_000);
  },
);

test('[P6][N2] a match that slept, whose claimer died before he held it, and of whose next holder the list is lost: the sleep is charged, the take-over is not', async () => {
  const world = openClusterWorld();
  const [a, b, c] = [
    await world.start('nod_a'),
    await world.start('nod_b'),
    await world.start('nod_c'),
  ];
  await world.pass(1_000);
  const game = findGame('tictactoe')!;
  const patience = { turnTimeoutMs: HOUR_MS, disconnectGraceMs: HOUR_MS };
  const options = parseOptions(game, patience) as SessionOptions;
  const id = await createAt(world, a, makeRequest({ options }));
  const [x, o] = [enterAt(a, id, 0), enterAt(a, id, 1)];
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(500);
  a.host.detach(id, x);
  a.host.detach(id, o);
  await world.pass(15_000);
  world.kill(a);
  await world.pass(20 * 60_000, 500);
  const from = world.clock.now();
  b.faults.next.push('held_lost');
  enterAt(b, id, 1);
  await world.pass(100);
  expect(world.memory.holderOf(id)).toBe(b.name);
  const { listAwake } = c.store;
  let lost = 1;
  Object.assign(c.store, {
    async listAwake(after: string, limit: number) {
      const listed = await listAwake(after, limit);
      if (listed.length > 0 && lost-- > 0) throw new Error('the connection broke');
      return listed;
    },
  });
  world.kill(b);
  await world.pass(20_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const later = entries.filter(({ at }) => at >= from);
  const given = later.reduce((s, { record }) => s + Number('lostMs' in record && record.lostMs), 0);
  expect(world.memory.holderOf(id)).not.toBe(b.name);
  expect(given).toBeGreaterThan(900);
  expect(given).toBeLessThan(20_000);
});
