/** `perfect` in many games; every position it gets is also solved without a limit. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { gaveUp, makeJudge, playTrial } from './perfect.test-kit.ts';

setDefaultTimeout(480_000);

const random = makeRandom(`${TEST_SEED}`, () => 'connect4 perfect', 0);
const judge = makeJudge();

test.each([
  ['random', 40],
  ['hard', 12],
  ['perfect', 2],
] as const)(
  `[G-C4] from the first move on perfect loses no worth against %s, %i games (seed ${TEST_SEED})`,
  (opponent, games) => {
    const judged = playTrial({ games, randomPlies: 0, opponent }, random, judge);
    expect(judged.filter(gaveUp)).toEqual([]);
    for (const { worths } of judged.filter((_, game) => game % 2 === 0)) expect(worths[0]).toBe(1);
  },
);

test(`[G-C4] perfect loses no worth after 12 random stones, 100 games (seed ${TEST_SEED})`, () => {
  const trial = { games: 100, randomPlies: 12, opponent: 'random' } as const;
  expect(playTrial(trial, random, judge).filter(gaveUp)).toEqual([]);
});
