/** Budgets by a game's measured speed. */

import { expect, test } from 'bun:test';
import { connect4 } from '../../../src/games/connect4/connect4.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { BOT_LEVELS, NODES_MAX } from '../bot.ts';
import type { AnyGame } from '../game.ts';
import { makeRandom } from '../random.ts';
import { makeSearchBot } from './search-bot.ts';
import { measureSpeed, positionsAt } from './speed.ts';
import { rockPaperScissors, threeCardPoker } from './toys.test-kit.ts';

const seed = makeRandom(`${TEST_SEED}`, () => 'speed', 0);

test.each<AnyGame>([connect4, threeCardPoker, rockPaperScissors])(
  '[G-SEARCH] $id: as many positions as apply is called, and one for each iteration',
  (game) => {
    let ms = 0;
    // With this clock each call takes a fiftieth of a millisecond, and nothing else takes any time.
    const slow: AnyGame = {
      ...game,
      apply(...asked) {
        ms += 0.02;
        return game.apply(...asked);
      },
    };
    const speed = measureSpeed(slow, seed, () => ms, 10);
    expect(speed).toBeGreaterThan(50);
    expect(speed).toBeLessThan(100);
  },
);

test("[G-SEARCH] budgets grow with the speed, up to a level's maximum, and are never zero", () => {
  expect(positionsAt(200)).toEqual({ easy: 500, medium: 2_000, hard: 10_000, perfect: 10_000 });
  expect(positionsAt(1_000_000)).toEqual({ ...NODES_MAX });
  expect(positionsAt(0)).toEqual({ easy: 1, medium: 1, hard: 1, perfect: 1 });
});

test('[G-SEARCH] a game with 5 ms per action is measured quickly, and no level exceeds its time', () => {
  let ms = 0;
  const slow: AnyGame = {
    ...(connect4 as AnyGame),
    apply(...asked) {
      ms += 5;
      return (connect4 as AnyGame).apply(...asked);
    },
  };
  const positions = positionsAt(measureSpeed(slow, seed, () => ms, 50));
  expect(ms).toBeLessThan(400);
  const bot = makeSearchBot(slow, { positions })!;
  const state = slow.initial({ variant: 'standard', seats: 2, options: {} });
  const longest = { easy: 5, medium: 20, hard: 100, perfect: 100 };
  for (const level of BOT_LEVELS) {
    ms = 0;
    bot.makeMind().choose({ state, seat: 0, level, nodesMax: NODES_MAX[level] }, seed);
    expect(ms).toBeLessThanOrEqual(longest[level]);
  }
});
