/** The rules of a variant of checkers: everything that players see and send derives from them. */

import type { Seat } from '../../../game/src/game.ts';
import type { Dialect } from './dialect.ts';

/** Why a game is over, apart from agreements and timeouts. */
export type End = 'no_pieces' | 'no_moves' | 'repetition' | 'no_progress';

/** A position that stands for the third time draws the game. */
export const OCCURRENCES_MAX = 3;

/** Deeper sequences would take years to count. */
export const PERFT_DEPTH_MAX = 30;

export type Piece = {
  readonly seat: Seat;
  readonly king: boolean;
};

/** A position as a diagram: the content of each cell in row order, row 0 at the top. */
export interface Diagram {
  /** The seat to move. */
  readonly turn: Seat;
  readonly board: readonly (Piece | null)[];
}

/** One complete move: a step, or all jumps of a capture. */
export interface Move {
  /** The cell it begins on. */
  readonly from: number;
  /** The cell it ends on. */
  readonly to: number;
  /**
   * The cells landed on in between, in order. If several paths have the same result, all of them;
   * the first is the one that is shown.
   */
  readonly ways: readonly [readonly number[], ...(readonly number[])[]];
  readonly isCapture: boolean;
  /** Whether a man becomes a king. */
  readonly crowns: boolean;
}

/** The common part of the states of all variants. */
export interface Played {
  /** The seat to move; after the end, the one that would be. */
  readonly turn: Seat;
  /** Null while it is running. Lost by the seat to move, or drawn. */
  readonly end: End | null;
}

/** The rules of one variant. */
export interface RuleSet<State extends Played, M extends Move> {
  readonly dialect: Dialect;
  /** The largest capture is compulsory. */
  readonly majority: boolean;
  /** The game that begins with a position. */
  begin(diagram: Diagram): State;
  pieceOn(state: State, cell: number): Piece | null;
  /** Whether the seat to move has a capture. Then it must make one. */
  mustCapture(state: State): boolean;
  /** The captures if there are any, otherwise the steps; none if the seat to move has lost. */
  listMoves(state: State): readonly M[];
  /** The state after one of its moves. */
  afterMove(state: State, move: M): State;
  /**
   * Move sequences of exactly this many moves, 0 to `PERFT_DEPTH_MAX`. Captures that differ only in
   * their path count separately; draws by rule do not end a sequence, as in published counts.
   */
  perft(state: State, depth: number): number;
}

/** Pieces by seat and, for kings, 2 more. Shared by all views, so frozen. */
export const PIECES: readonly Piece[] = [false, true].flatMap((king) =>
  [0, 1].map((seat) => Object.freeze({ seat, king })),
);

/** The diagram of a state. */
export function diagramOf<State extends Played>(
  { dialect, pieceOn }: RuleSet<State, Move>,
  state: State,
): Diagram {
  const cells = dialect.edge * dialect.edge;
  const board = Array.from({ length: cells }, (_, cell) => pieceOn(state, cell));
  return { turn: state.turn, board };
}
