/** `perfect` gives up nothing of what it can solve; see connect4.slow.ts for more of it. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makeRandom } from '../random.ts';
import { playTrial } from './perfect.test-kit.ts';

/** The machine may be busy. */
setDefaultTimeout(60_000);

test(`[G-C4] perfect keeps won won and drawn drawn against random moves (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED}`, () => 'connect4 perfect', 0);
  const judged = playTrial({ games: 20, randomPlies: 16 }, random);
  expect(judged.length).toBeGreaterThan(0);
  for (const { moves, before, after } of judged) {
    expect([moves, Math.sign(after)]).toEqual([moves, Math.sign(before)]);
  }
});
