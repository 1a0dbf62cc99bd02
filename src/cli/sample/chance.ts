/** Chance of sample data, from a seed: the same month each time. */

import { makeRandom } from '../../../game/src/random.ts';

export interface Chance {
  /** 0 to below 1. */
  fraction(): number;
  /** 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(values: readonly T[]): T;
  /** Around `median`, now and then far above: as durations are. */
  duration(median: number): number;
}

const WIDE = 2 ** 32;

export function makeChance(seed: string): Chance {
  const random = makeRandom(seed, () => '', 0);
  const fraction = (): number => random.integer(WIDE) / WIDE;
  return {
    fraction,
    integer: (below) => random.integer(below),
    pick: (values) => values[random.integer(values.length)]!,
    duration(median) {
      // The sum of many is close to normal; its exponential is skewed to the right.
      const normal =
        Array.from({ length: 6 }, fraction).reduce((sum, each) => sum + each, -3) * 1.4;
      return median * Math.exp(normal * 0.7);
    },
  };
}
