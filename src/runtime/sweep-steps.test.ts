/** Long backlogs of expired data. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { removeInSteps } from './sweep-steps.ts';

/** What is left to remove, by world; each step takes a given number of ms and 10 rows. */
function makeBacklog(rows: Record<string, number>, stepMs: number) {
  const clock = makeManualClock(0);
  const order: string[] = [];
  const remove = async (world: string): Promise<number> => {
    clock.advance(stepMs);
    order.push(world);
    const count = Math.min(10, rows[world]!);
    rows[world]! -= count;
    return count;
  };
  return { clock, order, rows, remove, worlds: Object.keys(rows) };
}

test('[R1] a long backlog is removed in one sweep if there is time, after a part of everybody’s', async () => {
  const { clock, order, rows, remove, worlds } = makeBacklog({ a: 2_000, b: 30, c: 0 }, 1);
  expect(await removeInSteps(clock, worlds, remove)).toBe(2_030);
  expect(rows).toEqual({ a: 0, b: 0, c: 0 });
  expect([order.indexOf('b'), order.indexOf('c')]).toEqual([50, 54]);
});

test('[R1] without time each has one turn, and the rest is removed in the next sweep', async () => {
  const { clock, rows, remove, worlds } = makeBacklog({ a: 2_000, b: 2_000 }, 100);
  expect(await removeInSteps(clock, worlds, remove)).toBe(1_000);
  expect(rows).toEqual({ a: 1_500, b: 1_500 });
});

test('[R1] a process that stops waits for one step', async () => {
  const { clock, order, remove, worlds } = makeBacklog({ a: 2_000, b: 2_000 }, 1);
  const stopping = new AbortController();
  const sweeping = removeInSteps(clock, worlds, remove, stopping.signal);
  stopping.abort();
  expect(await sweeping).toBe(10);
  expect(order).toEqual(['a']);
});

test('[R1] a failing one is not retried, and the others are swept', async () => {
  const { clock, rows, remove, worlds } = makeBacklog({ a: 2_000, b: 2_000 }, 1);
  const failing = async (world: string): Promise<number> => {
    if (world === 'a') throw new Error('canceling statement due to timeout');
    return await remove(world);
  };
  const swept = await removeInSteps(clock, worlds, failing).catch(String);
  expect(swept).toBe('Error: canceling statement due to timeout');
  expect(rows).toEqual({ a: 2_000, b: 0 });
});
