/** A rule of thumb for ludo: how a missed turn plays itself, and how a casual player moves. */

import { isDone, walked, YARD } from './board.ts';
import { capturedOn, destination, movable } from './moves.ts';
import type { LudoState } from './state.ts';

/** More than any token can walk in a realistic game. */
const OUT = 10_000;
const FINISH = 20_000;
const CAPTURE = 30_000;

/** Captures if possible, otherwise gets a token home, or out of the yard, or moves the foremost. */
export function chooseByThumb(state: LudoState): number {
  const { seat, die, tokens } = state;
  const urge = (token: number): number => {
    const to = destination(state, seat, token, die!)!;
    const from = tokens[seat]![token]!;
    if (capturedOn(state, seat, to).length > 0) return CAPTURE;
    if (isDone(to)) return FINISH;
    return from === YARD ? OUT : walked(from);
  };
  return movable(state, seat, die!).reduce((best, token) =>
    urge(token) > urge(best) ? token : best,
  );
}
