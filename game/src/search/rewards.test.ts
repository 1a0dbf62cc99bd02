/** Outcomes as rewards for each seat. */

import { expect, test } from 'bun:test';
import { rewardsOf } from './rewards.ts';

const CASES: readonly (readonly [
  string,
  readonly number[],
  readonly number[],
  readonly number[],
])[] = [
  ['the winner of two gets all', [1], [2, 1], [0, 1]],
  ['a draw is even', [], [1, 1], [0.5, 0.5]],
  ['four places are even steps', [2], [4, 2, 1, 3], [0, 2 / 3, 1, 1 / 3]],
  ['equal places share', [0], [1, 2, 2, 4], [1, 0.5, 0.5, 0]],
  ['partners share the first two places', [1, 3], [3, 1, 3, 1], [1 / 6, 5 / 6, 1 / 6, 5 / 6]],
  ['a draw of three is even', [], [1, 1, 1], [0.5, 0.5, 0.5]],
  ['all who win together get all', [0, 1, 2], [1, 1, 1], [1, 1, 1]],
  ['alone and won', [0], [1], [1]],
  ['alone and not won', [], [1], [0.5]],
];

test.each(CASES)('[G-SEARCH] %s', (_, winners, places, rewards) => {
  const found = rewardsOf({ winners, places, reason: 'over', detail: {} });
  expect(found.length).toBe(rewards.length);
  for (const [seat, reward] of found.entries()) expect(reward).toBeCloseTo(rewards[seat]!, 12);
});
