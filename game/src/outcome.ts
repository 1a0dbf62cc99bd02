/** The outcomes of games between two seats. */

import type { Outcome, Seat } from './game.ts';

/** One of two seats has won. */
export function wonBy(seat: Seat, reason: string, detail: Outcome['detail']): Outcome {
  return { winners: [seat], places: seat === 0 ? [1, 2] : [2, 1], reason, detail };
}

/** Neither of two seats has won: both share the first place. */
export function drawnByTwo(reason: string): Outcome {
  return { winners: [], places: [1, 1], reason, detail: {} };
}
