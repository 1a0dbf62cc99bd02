/** The gaps between retries, and their total. */

import { expect, test } from 'bun:test';
import { PLANS } from '../tenancy/tenant.ts';
import { isHopeless, pauseMs, probeMs, retryGapMs } from './schedule.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The middle of the jitter. */
const MIDDLE = 0.5;

const gapsOf = (retries: number, chance = MIDDLE): number[] => {
  const gaps: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const gap = retryGapMs(retries, attempt, chance);
    if (gap === null) return gaps;
    gaps.push(gap);
  }
};

test('[E2] on every plan the gaps grow from 10 s to a total of a day', () => {
  for (const { webhookRetries } of Object.values(PLANS)) {
    const gaps = gapsOf(webhookRetries);
    expect(gaps.length).toBe(webhookRetries);
    expect(gaps[0]).toBe(10_000);
    for (const [i, gap] of gaps.slice(1).entries()) expect(gap).toBeGreaterThan(gaps[i]!);
    const sum = gaps.reduce((all, gap) => all + gap, 0);
    expect(Math.abs(sum - DAY_MS)).toBeLessThan(60_000);
  }
  expect(PLANS.starter.webhookRetries).toBeLessThan(PLANS.growth.webhookRetries);
  expect(PLANS.growth.webhookRetries).toBeLessThan(PLANS.pro.webhookRetries);
});

test('[E2] any number of retries has a schedule; zero retries have an empty one', () => {
  expect(gapsOf(0)).toEqual([]);
  expect(gapsOf(1)).toEqual([10_000]);
  expect(gapsOf(50).length).toBe(50);
  expect(gapsOf(1_000_000_000).length).toBe(50);
});

test('[E2] a gap is up to a tenth shorter or longer, at random', () => {
  expect(gapsOf(5, 0)[0]).toBe(9_000);
  expect(gapsOf(5, 0.999_999)[0]).toBe(11_000);
});

test("[E2] an endpoint's Retry-After is respected, up to an hour", () => {
  expect(pauseMs(5_000)).toBe(5_000);
  expect(pauseMs(-1)).toBe(0);
  expect(pauseMs(DAY_MS)).toBe(HOUR_MS);
});

test('[E2] an endpoint that only fails for three days is disabled', () => {
  expect(isHopeless(null, 10 * DAY_MS)).toBe(false);
  expect(isHopeless(DAY_MS, 4 * DAY_MS - 1)).toBe(false);
  expect(isHopeless(DAY_MS, 4 * DAY_MS)).toBe(true);
});

test('[E2] after five failures in a row an endpoint rests ever longer, up to a minute or its Retry-After', () => {
  expect([0, 4, 5, 6, 10, 11, 1_000].map((n) => probeMs(n))).toEqual([
    0, 0, 1_000, 2_000, 32_000, 60_000, 60_000,
  ]);
  expect([4, 5, 1_000].map((n) => probeMs(n, HOUR_MS))).toEqual([0, 1_000, HOUR_MS]);
  expect(probeMs(1_000, 0)).toBe(0);
});
