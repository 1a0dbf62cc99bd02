/** Randomness from a seed, so that a run's faults are repeated in the same order (mulberry32). */

export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number below `count`. */
  below(count: number): number;
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

export function makeChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    between: (from, to) => from + next() * (to - from),
    pick: (list) => list[below(list.length)]!,
  };
}
