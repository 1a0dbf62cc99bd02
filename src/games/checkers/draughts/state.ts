/** A running game of draughts: the position, the positions that may repeat, and the counts of limits. */

import type { End } from '../rule-set.ts';
import { OCCURRENCES_MAX } from '../rule-set.ts';
import { countOn } from './limits.ts';
import { canMove } from './lister.ts';
import type { DraughtsMove } from './moves.ts';
import type { DraughtsPosition } from './position.ts';
import { makeBoard, remainsOn } from './position.ts';
import { DRAUGHTS } from './variant.ts';

export type DraughtsState = DraughtsPosition & {
  /**
   * The `squares` of the positions before this one, back to the last capture or man's move, the
   * oldest first. The seat to move alternates. None before that can return.
   */
  readonly past: readonly string[];
  /** Plies that each of the variant's limits has counted, in their order. */
  readonly counts: readonly number[];
  /** Null while it is running. Lost by the seat to move, or drawn. */
  readonly end: End | null;
};

/** A game that begins with a position, or continues from one with the given past and counts. */
export function makeState(
  { variant, squares, turn }: DraughtsPosition,
  past: readonly string[] = [],
  counts: readonly number[] = DRAUGHTS[variant].limits.map(() => 0),
): DraughtsState {
  const position = { variant, squares, turn };
  return { ...position, past, counts, end: findEnd(position, past, counts) };
}

/** Whether the move leaves all men where they are. Then the position before it may return. */
function isQuiet({ squares }: DraughtsPosition, { isCapture, next }: DraughtsMove): boolean {
  return !isCapture && withoutKings(squares) === withoutKings(next.squares);
}

const withoutKings = (squares: string): string => squares.replace(/[WB]/g, '.');

/** The state after a legal move. */
export function afterMove(state: DraughtsState, move: DraughtsMove): DraughtsState {
  const [before, after] = [state, move.next].map((each) => remainsOn(makeBoard(each)));
  const { limits } = DRAUGHTS[state.variant];
  const counts = limits.map((limit, index) =>
    countOn(limit, state.counts[index]!, before!, after!, move),
  );
  const past = isQuiet(state, move) ? [...state.past, state.squares] : [];
  return makeState(move.next, past, counts);
}

/** A loss has priority over a draw, and repetition over lack of progress. */
function findEnd(
  position: DraughtsPosition,
  past: readonly string[],
  counts: readonly number[],
): End | null {
  const { variant, squares, turn } = position;
  const { quietPliesMax, limits } = DRAUGHTS[variant];
  if (!squares.includes(turn === 0 ? 'w' : 'b') && !squares.includes(turn === 0 ? 'W' : 'B')) {
    return 'no_pieces';
  }
  if (!canMove(makeBoard(position), turn)) return 'no_moves';
  // The position two plies ago was the last with the same seat to move.
  const earlier = past.filter((each, at) => each === squares && (past.length - at) % 2 === 0);
  if (earlier.length + 1 >= OCCURRENCES_MAX) return 'repetition';
  const isOver = limits.some(({ plies }, index) => counts[index]! >= plies);
  return isOver || past.length >= quietPliesMax ? 'no_progress' : null;
}
