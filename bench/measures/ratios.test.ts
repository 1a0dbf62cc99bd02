/** What got worse, and how ratios of several rounds are combined. */

import { expect, test } from 'bun:test';
import { compareRatios, ratioOf } from './ratios.ts';

test('[BENCH] only what grew by more than a tenth is worse', () => {
  const before = { grown: 2, little: 2, shrunk: 2, broken: 2 };
  const now = { grown: 2.21, little: 2.19, shrunk: 1, broken: Number.NaN, fresh: 9 };
  const worse = compareRatios(before, now).filter(({ isWorse }) => isWorse);
  expect(worse.map(({ name }) => name)).toEqual(['grown', 'broken']);
});

test('[BENCH] a ratio is taken within each round before the median', () => {
  const rounds = [
    { own: 2, base: 1 },
    { own: 30, base: 10 },
    { own: 8, base: 2 },
  ];
  const ratio = ratioOf(
    rounds,
    ({ own }) => own,
    ({ base }) => base,
  );
  expect(ratio).toBe(3);
});
