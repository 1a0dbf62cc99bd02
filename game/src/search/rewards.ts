/** The worth of an outcome for each seat: what a search maximizes. */

import type { Outcome } from '../game.ts';

/** By seat, 0 to 1. */
export type Rewards = readonly number[];

/** The reward of a draw, and of a game with an unknown end. */
export const EVEN = 0.5;

/**
 * The share of its opponents that a seat has beaten. A seat with the same place counts half. Of two
 * seats the winner gets 1 and the loser 0; if all win, all get 1.
 */
export function rewardsOf({ winners, places }: Outcome): Rewards {
  if (winners.length === 0) return places.map(() => EVEN);
  if (winners.length === places.length) return places.map(() => 1);
  return places.map((place) => {
    let left = -EVEN; // The seat itself is in the list, too.
    for (const other of places) {
      if (other > place) left += 1;
      else if (other === place) left += EVEN;
    }
    return left / (places.length - 1);
  });
}
