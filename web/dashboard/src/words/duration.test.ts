/** Durations and rates in words that fit their size. */

import { expect, test } from 'bun:test';
import { duration, rate } from './duration.ts';

test('[D14] a duration has the unit that fits', () => {
  expect([null, 0, 4.24, 81, 999, 1_150, 59_900].map(duration)).toEqual([
    '—',
    '0 ms',
    '4.2 ms',
    '81 ms',
    '999 ms',
    '1.2 s',
    '59.9 s',
  ]);
  expect([60_000, 784_334, 5_400_000].map(duration)).toEqual(['1 min', '13 min', '1.5 h']);
});

test('[D14] a rate is a minute, an hour or a day, so that few are not none', () => {
  expect([rate(0, 60), rate(41, 60), rate(60, 60), rate(1_234, 60)]).toEqual([
    '0 a minute',
    '41 an hour',
    '1 a minute',
    '21 a minute',
  ]);
  const month = 30 * 1_440;
  expect([rate(211, month), rate(3, month), rate(1_500, month)]).toEqual([
    '7 a day',
    '0.1 a day',
    '2.1 an hour',
  ]);
});
