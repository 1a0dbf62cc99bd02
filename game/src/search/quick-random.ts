/** Fast random numbers for searches, which draw millions of values and prove none of them. */

import type { CountedRandom, Random } from '../random.ts';

const RANGE = 2 ** 32;
/** The first values are discarded, so that the seed has spread over the whole generator. */
const WARM_UP = 15;

/**
 * Chris Doty-Humphrey's `sfc32` (PractRand), seeded with three values of a slower source. The
 * probability of a value from 0 to `below` - 1 is off by less than `below` in 2^32.
 */
export function makeQuickRandom(seed: Random): CountedRandom {
  let a = seed.integer(RANGE) | 0;
  let b = seed.integer(RANGE) | 0;
  let c = seed.integer(RANGE) | 0;
  let counter = 1;
  let drawn = 0;

  const next = (): number => {
    const value = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + value) | 0;
    return value >>> 0;
  };
  for (let n = 0; n < WARM_UP; n += 1) next();

  return {
    drawn: () => drawn,
    integer(below) {
      if (!Number.isInteger(below) || below < 1 || below > RANGE) {
        throw new RangeError(`integer(${below}): must be an integer from 1 to 2^32`);
      }
      drawn += 1;
      return Math.floor((next() / RANGE) * below);
    },
  };
}
