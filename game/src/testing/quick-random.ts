/** Cheap random numbers for tests. A match's provable ones cost an HMAC each. */

import type { Random } from '../random.ts';

const RANGE = 2 ** 32;

/** Mulberry32, seeded by a text. Even enough for small bounds. */
export function quickRandom(name: string): Random {
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
