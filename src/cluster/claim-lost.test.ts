/** A match that slept is claimed, and its claimer's first commit fails. */

import { expect, test } from 'bun:test';
import { findGame } from '../games/registry.ts';
import { parseOptions, type SessionOptions } from '../match/setup.ts';
import { createAt, enterAt, makeRequest, openThree } from '../testing/cluster-matches.ts';
import { mark } from '../testing/match-world.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['unknown_lost', 'crashed'],
  ['conflict', 'crashed'],
  ['unknown_lost', 'lives'],
  ['read', 'crashed'],
] as const)(
  '[P6][N2] a match that slept for 20 minutes and is claimed, whose first commit goes wrong (%s; its last holder %s): what passed in the sleep is charged',
  async (fault, holder) => {
    const { world, nodes } = await openThree();
    const [a, b] = nodes;
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
    if (holder === 'crashed') world.kill(a);
    await world.pass(20 * 60_000, 500);
    const from = world.clock.now();
    if (fault === 'read') b.faults.failLoads = true;
    else b.faults.next.push(fault);
    enterAt(b, id, 1);
    await world.pass(500);
    b.faults.failLoads = false;
    await world.pass(10_000);
    const { entries } = (await world.kept.loadSession(id))!;
    const lost = entries
      .filter(({ at }) => at >= from)
      .map(({ record }) => ('lostMs' in record ? record.lostMs : 0));
    expect(Math.max(0, ...(lost as number[]))).toBeLessThan(20_000);
  },
);

test.each(['lives', 'crashed'] as const)(
  '[P6][N2] a match that slept, whose claimer died before he held it, and whose next holder’s first commit is lost (its last holder %s): the sleep is charged, the take-over is not',
  async (what) => {
    const { world, nodes } = await openThree();
    const [a, b, c] = nodes;
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
    if (what === 'crashed') world.kill(a);
    await world.pass(20 * 60_000, 500);
    const from = world.clock.now();
    b.faults.next.push('held_lost');
    enterAt(b, id, 1);
    await world.pass(100);
    expect(world.memory.holderOf(id)).toBe(b.name);
    a.faults.next.push('unknown_lost');
    c.faults.next.push('unknown_lost');
    world.kill(b);
    await world.pass(20_000);
    const { entries } = (await world.kept.loadSession(id))!;
    const later = entries.filter(({ at }) => at >= from);
    const lost = later.reduce(
      (s, { record }) => s + Number('lostMs' in record && record.lostMs),
      0,
    );
    expect(lost).toBeGreaterThan(900);
    expect(lost).toBeLessThan(20_000);
  },
);
