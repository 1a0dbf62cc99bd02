/** A game of checkers under way: the position, what may be repeated, and whether it is over. */

import type { Position } from './board.ts';
import type { Move } from './moves.ts';
import { piecesOf } from './moves.ts';
import { canMove } from './successors.ts';

/** Why a game is over, other than by what players agree on or run out of. */
export type End = 'no_pieces' | 'no_moves' | 'repetition' | 'no_progress';

/** With so many plies in a row without a man's move or a capture, a game is drawn. */
export const QUIET_PLIES_MAX = 80;
/** A position that stands for the third time draws the game. */
const OCCURRENCES_MAX = 3;
/** Numbers an earlier position takes in `past`. */
export const PAST_LENGTH = 3;

export type CheckersState = Position & {
  /**
   * The positions before this one, back to the last capture or man's move, the oldest first: red,
   * black and kings of each. The side to move alternates. None before that can come again.
   */
  readonly past: readonly number[];
  /** Null while it goes on. Lost by the seat to move, or drawn. */
  readonly end: End | null;
};

/** Plies since the last capture or man's move. */
export function countQuietPlies({ past }: CheckersState): number {
  return past.length / PAST_LENGTH;
}

/** A game that begins with a position, or goes on from one with the given past. */
export function makeState(position: Position, past: readonly number[] = []): CheckersState {
  const { red, black, kings, turn } = position;
  return { red, black, kings, turn, past, end: findEnd(position, past) };
}

/** Does the move leave all men where they are? Then the position before it may come again. */
export function isQuiet(position: Position, { captured, next }: Move): boolean {
  return captured === 0 && menOf(position) === menOf(next);
}

/** The state after a legal move. */
export function afterMove(state: CheckersState, move: Move): CheckersState {
  const { red, black, kings } = state;
  return makeState(move.next, isQuiet(state, move) ? [...state.past, red, black, kings] : []);
}

function menOf({ red, black, kings }: Position): number {
  return (red | black) & ~kings;
}

/** A loss goes before a draw, and repetition before lack of progress. */
function findEnd(position: Position, past: readonly number[]): End | null {
  const { kings, turn } = position;
  const own = piecesOf(position, turn);
  if (own === 0) return 'no_pieces';
  if (!canMove(own, piecesOf(position, 1 - turn), kings, turn)) return 'no_moves';
  if (countOccurrences(position, past) >= OCCURRENCES_MAX) return 'repetition';
  return past.length >= QUIET_PLIES_MAX * PAST_LENGTH ? 'no_progress' : null;
}

/** How often the position has stood, with the same seat to move, this time included. */
function countOccurrences({ red, black, kings }: Position, past: readonly number[]): number {
  let count = 1;
  for (let at = past.length - 2 * PAST_LENGTH; at >= 0; at -= 2 * PAST_LENGTH) {
    if (past[at] === red && past[at + 1] === black && past[at + 2] === kings) count += 1;
  }
  return count;
}
