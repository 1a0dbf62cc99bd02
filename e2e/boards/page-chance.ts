/** Seeded random numbers within a page, for scripts of tests that run there. */

/** The next number, from 0 to below 1. */
export type Chance = () => number;

/** Returns the text of a script that runs the function in a page, with random numbers from that seed. */
export function scriptOf<T>(
  run: (chance: Chance, argument: T) => void,
  seed: number,
  argument: T,
): string {
  return `(${run})((${makeChance})(${seed}), ${JSON.stringify(argument)})`;
}

/** Mulberry32. Runs in the page. */
function makeChance(seed: number): Chance {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
