/** Random numbers that are the same in every run with the same seed. For tests only: they are predictable. */

import type { Randomness } from '../runtime/ports.ts';

/** Mulberry32: 32 bits of state, good enough to spread test data. */
export function makeSeededRandomness(seed: number): Randomness {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, () => next() & 255) };
}
