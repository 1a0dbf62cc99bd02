/** Times stored as counts by size are accurate to 2.5 %. */

import { expect, test } from 'bun:test';
import { countTimes, mergeTimes, quantile, sizeOf } from './ladder-times.ts';

const timesOf = (all: readonly number[]) => mergeTimes(all.map((ms) => [sizeOf(ms), 1] as const));

test('[CLI] quantiles are accurate to 2.5 %, from a microsecond to a minute', () => {
  const all = Array.from({ length: 1_000 }, (_, index) => 0.001 * 1.018 ** index);
  const times = timesOf(all);
  expect(countTimes(times)).toBe(1_000);
  for (const part of [0.001, 0.5, 0.99, 1]) {
    const exact = all[Math.ceil(part * 1_000) - 1]!;
    expect(Math.abs(quantile(times, part) / exact - 1)).toBeLessThan(0.025);
  }
});

test('[CLI] merged counts equal the counts of all times together', () => {
  const [one, other] = [
    [0.01, 5, 5, 80],
    [5, 0],
  ];
  expect(mergeTimes(timesOf(one), timesOf(other))).toEqual(timesOf([...one, ...other]));
  expect(quantile([], 0.5)).toBe(0);
  expect(countTimes([])).toBe(0);
});
