/** What every variant of checkers brings along: all that players see and send is made of it. */

import type { Seat } from '../../../game/src/game.ts';
import type { Dialect } from './dialect.ts';

/** Why a game is over, other than by what players agree on or run out of. */
export type End = 'no_pieces' | 'no_moves' | 'repetition' | 'no_progress';

/** A position that stands for the third time draws the game. */
export const OCCURRENCES_MAX = 3;

/** Sequences deeper than this would be counted for years. */
export const PERFT_DEPTH_MAX = 30;

export type Piece = {
  readonly seat: Seat;
  readonly king: boolean;
};

/** A position as it is drawn: what stands on each cell in row order, row 0 at the top. */
export interface Diagram {
  /** The seat to move. */
  readonly turn: Seat;
  readonly board: readonly (Piece | null)[];
}

/** One move whole: a step, or all jumps of a capture. */
export interface Move {
  /** The cell it begins on. */
  readonly from: number;
  /** The cell it ends on. */
  readonly to: number;
  /**
   * The cells landed on between both ends, in order. Where several ways come to the same, all of
   * them; the first is the one that is told.
   */
  readonly ways: readonly [readonly number[], ...(readonly number[])[]];
  readonly isCapture: boolean;
  /** Is it a man that becomes a king? */
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
  /** Of several captures one has to be made that takes as much as any. */
  readonly majority: boolean;
  /** The game that begins with a position. */
  begin(diagram: Diagram): State;
  pieceOn(state: State, cell: number): Piece | null;
  /** Has the seat to move a capture? Then it has to make one. */
  mustCapture(state: State): boolean;
  /** The captures if there are any, else the steps; none when the seat to move has lost. */
  listMoves(state: State): readonly M[];
  /** The state after one of its moves. */
  afterMove(state: State, move: M): State;
  /**
   * Move sequences of exactly this many moves, 0 to `PERFT_DEPTH_MAX`. Captures that differ only in their way
   * count separately; draws by rule do not end a sequence, as in published counts.
   */
  perft(state: State, depth: number): number;
}

/** Pieces by seat and, for kings, 2 more. Shared by all views, so frozen. */
export const PIECES: readonly Piece[] = [false, true].flatMap((king) =>
  [0, 1].map((seat) => Object.freeze({ seat, king })),
);

/** The position of a state as it is drawn. */
export function diagramOf<State extends Played>(
  { dialect, pieceOn }: RuleSet<State, Move>,
  state: State,
): Diagram {
  const cells = dialect.edge * dialect.edge;
  const board = Array.from({ length: cells }, (_, cell) => pieceOn(state, cell));
  return { turn: state.turn, board };
}
