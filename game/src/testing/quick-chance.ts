/** Chance that nobody has to check: far cheaper than a match's, for what a test chooses and imagines. */

import type { Random } from '../random.ts';

const RANGE = 2 ** 32;

/** Mulberry32, from a text. Values below small numbers are even enough for tests. */
export function quickChance(name: string): Random {
  let state = 0;
  for (let index = 0; index < name.length; index += 1) {
    state = (Math.imul(state, 31) + name.charCodeAt(index)) | 0;
  }
  return {
    integer(below) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / RANGE) * below);
    },
  };
}
