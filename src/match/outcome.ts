/** The outcome of a match that ends by departures and not by the game's rules. */

import type { Outcome, Seat } from '../../game/src/game.ts';

/** How many moves of both must pass before a seat may offer a draw again. */
export const DRAW_OFFER_MOVES = 10;

/** A draw: all share the first place. */
export function drawnByAll(seats: number, reason: string): Outcome {
  return { winners: [], places: Array<number>(seats).fill(1), reason, detail: {} };
}

/** The remaining seats have won; the others share the next place. */
export function wonByRemaining(seats: number, left: readonly Seat[], reason: string): Outcome {
  const places = Array.from({ length: seats }, (_, seat) =>
    left.includes(seat) ? 1 : left.length + 1,
  );
  return { winners: left, places, reason, detail: {} };
}
