/** Randomness from a seed: the only source of it in a simulation. */

import type { Randomness } from '../../src/runtime/ports.ts';

export interface Chance extends Randomness {
  /** A number in [0, 1). */
  fraction(): number;
  /** A whole number in [0, max). */
  below(max: number): number;
  /** A number in [min, max). */
  between(min: number, max: number): number;
  /** True with probability `part`. */
  hit(part: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A source derived from this one's seed and the name only: one part's draws do not change another's. */
  fork(name: string): Chance;
}

const TWO_32 = 2 ** 32;

export function makeChance(seed: string): Chance {
  const next = sfc32(seed);
  const fraction = (): number => next() / TWO_32;
  const chance: Chance = {
    fraction,
    below: (max) => Math.floor(fraction() * max),
    between: (min, max) => min + fraction() * (max - min),
    hit: (part) => part > 0 && fraction() < part,
    pick: (from) => from[Math.floor(fraction() * from.length)]!,
    fork: (name) => makeChance(`${seed}/${name}`),
    bytes(count) {
      const bytes = new Uint8Array(count);
      for (let i = 0; i < count; i += 4) {
        const word = next();
        for (let j = 0; j < 4 && i + j < count; j++) bytes[i + j] = word >>> (8 * j);
      }
      return bytes;
    },
  };
  return chance;
}

/** "Small fast chaotic" by Chris Doty-Humphrey (PractRand): 32 bits a call, state of 128. */
function sfc32(seed: string): () => number {
  let [a, b, c] = [hash(seed, 1), hash(seed, 2), hash(seed, 3)];
  let counter = 1;
  const next = (): number => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + result) | 0;
    return result >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** FNV-1a, begun differently for each word of the state. */
function hash(text: string, start: number): number {
  let value = 0x811c9dc5 ^ Math.imul(start, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value | 0;
}
