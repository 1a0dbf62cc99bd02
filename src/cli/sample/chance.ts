/** Randomness of sample data, from a seed: the same plan each time. Fast, and predictable. */

export interface Chance {
  /** 0 to below 1. */
  fraction(): number;
  /** 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(values: readonly T[]): T;
  /** Around `median`, now and then far above: as durations are. */
  duration(median: number): number;
}

/** Mulberry32: 32 bits of state are enough for some hundred thousand draws. */
export function makeChance(seed: number): Chance {
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    integer: (below) => Math.floor(fraction() * below),
    pick: (values) => values[Math.floor(fraction() * values.length)]!,
    duration(median) {
      // A sum of several is close to normal; its exponential is skewed to the right.
      const normal = (fraction() + fraction() + fraction() + fraction() - 2) * 1.7;
      return median * Math.exp(normal * 0.7);
    },
  };
}
