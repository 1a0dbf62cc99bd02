/** The positions up to the current one of a search, to find repetitions. */

import { piecesOf } from './moves.ts';
import type { AmericanState } from './state.ts';
import { countQuietPlies, PAST_LENGTH, QUIET_PLIES_MAX } from './state.ts';

/** Positions by their index in the line. A line begins where no earlier position can return. */
export interface Line {
  /** For each index, one after another: pieces to move, the others, kings. */
  readonly positions: Int32Array;
  /** For each index, the first index whose position could repeat there. */
  readonly starts: Int32Array;
}

/** Has room for a whole past and `plies` more. */
export function makeLine(plies: number): Line {
  const places = QUIET_PLIES_MAX + plies + 2;
  return {
    positions: new Int32Array(places * PAST_LENGTH),
    starts: new Int32Array(places),
  };
}

export function enter(
  { positions, starts }: Line,
  place: number,
  start: number,
  own: number,
  other: number,
  kings: number,
): void {
  const at = place * PAST_LENGTH;
  positions[at] = own;
  positions[at + 1] = other;
  positions[at + 2] = kings;
  starts[place] = start;
}

/** Enters a game's past and its position; returns the latter's index. */
export function enterGame(line: Line, state: AmericanState): number {
  const last = countQuietPlies(state);
  for (let place = 0; place < last; place += 1) {
    const [red, black, kings] = state.past.slice(place * PAST_LENGTH) as [number, number, number];
    const turn = (last - place) % 2 === 0 ? state.turn : 1 - state.turn;
    enterFor(line, place, { red, black, kings, turn });
  }
  enterFor(line, last, state);
  return last;
}

function enterFor(line: Line, place: number, position: Omit<AmericanState, 'past' | 'end'>): void {
  const { turn, kings } = position;
  enter(line, place, 0, piecesOf(position, turn) | 0, piecesOf(position, 1 - turn) | 0, kings | 0);
}

/** Whether the position at this index occurred before, with the same side to move. */
export function isRepeated({ positions, starts }: Line, place: number): boolean {
  const at = place * PAST_LENGTH;
  // Two plies back each side has moved once: nothing can repeat.
  for (let back = place - 4; back >= starts[place]!; back -= 2) {
    const other = back * PAST_LENGTH;
    const isSame =
      positions[other] === positions[at] &&
      positions[other + 1] === positions[at + 1] &&
      positions[other + 2] === positions[at + 2];
    if (isSame) return true;
  }
  return false;
}
