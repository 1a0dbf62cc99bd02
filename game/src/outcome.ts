/** How games come out: between two seats, and between many by what they scored. */

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
 * The place of each seat, 1 for the highest score. Equal scores share a place, and as many places after it are
 * left out: 9, 5, 9, 2 are 1, 3, 1, 4. Where little is good, hand in the scores negated.
 */
export function placesByScore(scores: readonly number[]): readonly number[] {
  return scores.map((score) => 1 + scores.filter((other) => other > score).length);
}

/** The outcome that follows from the scores. Whoever is first has won; where all are, it is drawn. */
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
