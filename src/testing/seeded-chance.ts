/** Numbers from 0 to below 1, the same in every run with the same seed. For tests only. */

import { makeSeededRandomness } from './seeded-randomness.ts';

export function makeSeededChance(seed: number): () => number {
  const randomness = makeSeededRandomness(seed);
  return () => {
    const { buffer } = randomness.bytes(4);
    return new DataView(buffer as ArrayBuffer).getUint32(0) / 2 ** 32;
  };
}
