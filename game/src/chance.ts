/** Shuffles and dice from a game's `random`. */

import type { Random } from './random.ts';

/** The values in random order, every order equally likely (Fisher–Yates). Draws one number less than there are values. */
export function shuffle<T>(values: readonly T[], random: Random): readonly T[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/** Rolls dice with values from 1 to `sides`. Draws one number per die. */
export function rollDice(count: number, sides: number, random: Random): readonly number[] {
  return Array.from({ length: count }, () => 1 + random.integer(sides));
}
