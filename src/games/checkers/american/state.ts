/** A running game of American checkers: the position, and the positions that may repeat. */

import type { End } from '../rule-set.ts';
import { OCCURRENCES_MAX } from '../rule-set.ts';
import type { Position } from './board.ts';
import type { AmericanMove } from './moves.ts';
import { piecesOf } from './moves.ts';
import { canMove } from './successors.ts';

/** After this many consecutive plies without a man's move or a capture, a game is drawn. */
export const QUIET_PLIES_MAX = 80;
/** Numbers an earlier position takes in `past`. */
export const PAST_LENGTH = 3;

export type AmericanState = Position & {
  /**
   * The positions before this one, back to the last capture or man's move, the oldest first: red,
   * black and kings of each. The side to move alternates. None before that can return.
   */
  readonly past: readonly number[];
  /** Null while it is running. Lost by the seat to move, or drawn. */
  readonly end: End | null;
};

/** Plies since the last capture or man's move. */
export function countQuietPlies({ past }: AmericanState): number {
  return past.length / PAST_LENGTH;
}

/** A game that begins with a position, or continues from one with the given past. */
export function makeState(position: Position, past: readonly number[] = []): AmericanState {
  const { red, black, kings, turn } = position;
  return { red, black, kings, turn, past, end: findEnd(position, past) };
}

/** Whether the move leaves all men where they are. Then the position before it may return. */
export function isQuiet(position: Position, { captured, next }: AmericanMove): boolean {
  return captured === 0 && menOf(position) === menOf(next);
}

/** The state after a legal move. */
export function afterMove(state: AmericanState, move: AmericanMove): AmericanState {
  const { red, black, kings } = state;
  return makeState(move.next, isQuiet(state, move) ? [...state.past, red, black, kings] : []);
}

function menOf({ red, black, kings }: Position): number {
  return (red | black) & ~kings;
}

/** A loss has priority over a draw, and repetition over lack of progress. */
function findEnd(position: Position, past: readonly number[]): End | null {
  const { kings, turn } = position;
  const own = piecesOf(position, turn);
  if (own === 0) return 'no_pieces';
  if (!canMove(own, piecesOf(position, 1 - turn), kings, turn)) return 'no_moves';
  if (countOccurrences(position, past) >= OCCURRENCES_MAX) return 'repetition';
  return past.length >= QUIET_PLIES_MAX * PAST_LENGTH ? 'no_progress' : null;
}

/** How often the position has occurred, with the same seat to move, including now. */
function countOccurrences({ red, black, kings }: Position, past: readonly number[]): number {
  let count = 1;
  for (let at = past.length - 2 * PAST_LENGTH; at >= 0; at -= 2 * PAST_LENGTH) {
    if (past[at] === red && past[at + 1] === black && past[at + 2] === kings) count += 1;
  }
  return count;
}
