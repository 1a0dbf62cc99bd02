/** All limits of a node among others, over one store. */

import { expect, test } from 'bun:test';
import { WINDOW_MS, WRONG_KEYS_PER_WINDOW } from '../../tenancy/limiter.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { openLimits } from '../../testing/service/limit-store.ts';
import { makeSharedLimits } from './limits.ts';

function makeNodes(count: number) {
  const ids = Array.from({ length: count }, (_, n) => `nod_${n}`);
  const { limits: store } = openLimits(ids);
  const clock = makeManualClock();
  const nodes = ids.map((node) =>
    makeSharedLimits({
      store,
      clock,
      node,
      nodes: () => count,
      isHeld: () => true,
      onAway: () => {},
    }),
  );
  return { clock, store, nodes };
}

test("[H5][N20] each node allows its share of an address's wrong keys, at least one", () => {
  for (const [count, share] of [
    [1, 30],
    [4, 7],
    [100, 1],
  ] as const) {
    const { clock, nodes } = makeNodes(count);
    const takes = Array.from({ length: 40 }, () =>
      nodes[0]!.wrongKeyWindows.take('192.0.2.1', WRONG_KEYS_PER_WINDOW, clock.now()),
    );
    expect(takes.filter(({ allowed }) => allowed).length).toBe(share);
  }
});

test('[N20] plans and the dashboard have separate windows, both over all nodes', async () => {
  const { clock, nodes } = makeNodes(2);
  const [one, two] = nodes;
  const taken = async (windows: NonNullable<typeof one>['planWindows']) =>
    (await windows.take('x', 1, clock.now()))?.allowed;
  expect(await taken(one!.planWindows)).toBe(true);
  expect(await taken(two!.planWindows)).toBe(false);
  expect(await taken(two!.dashboardWindows)).toBe(true);
  expect(await taken(one!.dashboardWindows)).toBe(false);
});

test('[N20] unused leases are returned, and rows of windows long over are removed', async () => {
  const { clock, nodes } = makeNodes(2);
  const [one, two] = nodes;
  const leave = await one!.places.take('streams:live ten_a', 2);
  expect(await two!.places.take('streams:live ten_a', 2)).not.toBeNull();
  expect(await two!.places.take('streams:live ten_a', 2)).toBeNull();
  leave!();
  one!.maintain();
  clock.advance(1_000);
  expect(await two!.places.take('streams:live ten_a', 2)).not.toBeNull();
  await one!.planWindows.take('x', 1, clock.now());
  expect(await one!.sweep()).toBe(0);
  clock.advance(12 * WINDOW_MS);
  expect(await one!.sweep()).toBe(1);
});

test('[N20] a node that stops returns the rest of its leases for plans and the dashboard', async () => {
  const { clock, nodes } = makeNodes(2);
  const [one, two] = nodes;
  const take = (windows: NonNullable<typeof one>['planWindows']) =>
    windows.take('x', 12, clock.now());
  for (const windows of [one!.planWindows, one!.dashboardWindows]) {
    for (let i = 0; i < 4; i++) expect((await take(windows))?.allowed).toBe(true);
  }
  await one!.close();
  expect(await take(one!.planWindows)).toBeNull();
  for (const windows of [two!.planWindows, two!.dashboardWindows]) {
    const takes = [];
    for (let i = 0; i < 9; i++) takes.push((await take(windows))?.allowed);
    expect(takes).toEqual([...Array.from({ length: 8 }, () => true), false]);
  }
});
