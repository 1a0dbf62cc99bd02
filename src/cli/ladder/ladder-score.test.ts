/** The confidence of a score, compared with independent figures and with simulation. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { eloOf, halfWidth, scoreOf } from './ladder-score.ts';

/** The number of rounds of each kind. */
function rounds(...kinds: readonly (readonly [number, readonly number[]])[]): readonly number[][] {
  return kinds.flatMap(([count, points]) => Array.from({ length: count }, () => [...points]));
}

describe('score', () => {
  test('[CLI] the interval is that of Wilson for independent games', () => {
    // As often alike as chance has it. 60 of 200 is 0.2407 to 0.3667 by the formula.
    const { value, low, high } = scoreOf(rounds([9, [1, 1]], [42, [1, 0]], [49, [0, 0]]));
    expect(value).toBeCloseTo(0.3, 10);
    expect(low).toBeCloseTo(0.2407, 3);
    expect(high).toBeCloseTo(0.3667, 3);
  });

  test('[CLI] games of a round with always equal results count as one piece of evidence', () => {
    const alike = scoreOf(rounds([50, [1, 1]], [50, [0, 0]]));
    const apart = scoreOf(rounds([25, [1, 1]], [50, [1, 0]], [25, [0, 0]]));
    expect(halfWidth(alike)).toBeCloseTo(9.6, 0);
    expect(halfWidth(apart)).toBeCloseTo(6.9, 0);
  });

  test('[CLI] a bot that has won every match is not certain to win always', () => {
    const all = scoreOf(rounds([60, [1, 1]]));
    expect([all.value, all.high]).toEqual([1, 1]);
    expect(all.low).toBeCloseTo(0.94, 2);
    expect(scoreOf([[0, 0]]).high).toBeGreaterThan(0.5);
  });

  const TRIALS = 400;
  test.each([0.5, 0.77, 0.95])(
    `[CLI] 95 %% of the intervals contain a true score of %p (seed ${TEST_SEED})`,
    (score) => {
      const random = makeRandom(`${TEST_SEED}`, () => `intervals ${score}`, 0);
      const play = (): number => (random.integer(1_000) < score * 1_000 ? 1 : 0);
      let held = 0;
      for (let trial = 0; trial < TRIALS; trial += 1) {
        const { low, high } = scoreOf(Array.from({ length: 60 }, () => [play(), play()]));
        if (low <= score && score <= high) held += 1;
      }
      // At most four standard errors of 400 trials below, and not wider than necessary.
      expect(held / TRIALS).toBeGreaterThan(0.906);
      expect(held / TRIALS).toBeLessThan(1);
    },
  );
});

describe('Elo', () => {
  test('[CLI] it is that of the usual table, and infinite for a bot that wins every game', () => {
    const elo = eloOf({ value: 0.76, low: 0.5, high: 1 });
    expect(Math.round(elo.value)).toBe(200);
    expect(elo.low).toBe(0);
    expect(elo.high).toBe(Infinity);
    expect(eloOf({ value: 0, low: 0, high: 0.5 }).value).toBe(-Infinity);
  });
});
