/** Outcomes between two seats, and rankings by score. */

import type { Outcome, Seat } from './game.ts';

/** One of two seats has won. */
export function wonBy(seat: Seat, reason: string, detail: Outcome['detail']): Outcome {
  return { winners: [seat], places: seat === 0 ? [1, 2] : [2, 1], reason, detail };
}

/** Neither of two seats has won: both share the first place. */
export function drawnByTwo(reason: string): Outcome {
  return { winners: [], places: [1, 1], reason, detail: {} };
}

/**
 * The place of each seat, 1 for the highest score. Equal scores share a place: 9, 5, 9, 2 give 1, 3, 1, 4. Negate
 * the scores if the lowest is best.
 */
export function placesByScore(scores: readonly number[]): readonly number[] {
  return scores.map((score) => 1 + scores.filter((other) => other > score).length);
}

/** The outcome by scores: the seats with place 1 win; if all have place 1, it is a draw. */
export function ranked(
  scores: readonly number[],
  reason: string,
  detail: Outcome['detail'] = {},
): Outcome {
  const places = placesByScore(scores);
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const winners = first.length === places.length ? [] : first;
  return { winners, places, reason, detail, scores };
}
