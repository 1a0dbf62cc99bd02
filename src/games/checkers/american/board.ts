/** The board of American checkers in 32 bits, one for each dark square. */

import type { Seat } from '../../../../game/src/game.ts';
import type { Diagram } from '../rule-set.ts';

/** Squares of the whole board, and dark ones: those that are played on. */
const CELLS = 64;
const SQUARES = 32;
const EDGE = 8;

/** Where the pieces are. A set of squares is an integer from 0 to 2^32 - 1, one bit per square. */
export type Position = {
  /** Squares with pieces of seat 0, which moves up the board: PDN's Black. */
  readonly red: number;
  /** Squares with pieces of seat 1, which moves down the board: PDN's White. */
  readonly black: number;
  /** Squares with kings, of either side. */
  readonly kings: number;
  /** The seat to move. */
  readonly turn: Seat;
};

/**
 * The bit of a dark square, by its rank (0 at the bottom) and file (0 at the left). A step up to the
 * right adds 1 and one up to the left 7, both modulo 32: so a step of all pieces is one rotation,
 * wherever they stand.
 */
function bitIndex(rank: number, file: number): number {
  return (18 + 4 * rank - 3 * file) & 31;
}

const isDark = (rank: number, file: number): boolean => (rank + file) % 2 === 0;

/** The set of all dark squares that satisfy a condition. */
export function squaresWhere(fits: (rank: number, file: number) => boolean): number {
  let squares = 0;
  for (let rank = 0; rank < EDGE; rank += 1) {
    for (let file = 0; file < EDGE; file += 1) {
      if (isDark(rank, file) && fits(rank, file)) squares |= 1 << bitIndex(rank, file);
    }
  }
  return squares;
}

/** The bit index of a cell; -1 for a light one. Cells are counted in row order, row 0 at the top. */
const INDEX_OF_CELL: readonly number[] = Array.from({ length: CELLS }, (_, cell) => {
  const rank = EDGE - 1 - Math.floor(cell / EDGE);
  const file = cell % EDGE;
  return isDark(rank, file) ? bitIndex(rank, file) : -1;
});

const CELL_OF_INDEX: readonly number[] = Array.from({ length: SQUARES }, (_, index) =>
  INDEX_OF_CELL.indexOf(index),
);

/** The single-square set of a cell; empty for a light cell, or one that is not on the board. */
export function bitOfCell(cell: number): number {
  const index = INDEX_OF_CELL[cell] ?? -1;
  return index === -1 ? 0 : 1 << index;
}

/** The cell, 0 to 63, of a set of exactly one square. */
export function cellOfBit(bit: number): number {
  return CELL_OF_INDEX[31 - Math.clz32(bit)]!;
}

/** The number of squares in a set. */
export function countSquares(squares: number): number {
  let pairs = squares - ((squares >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The king row of either side. A man only ever reaches the one on which it is crowned. */
const TOP_RANK = squaresWhere((rank) => rank === EDGE - 1);
const BOTTOM_RANK = squaresWhere((rank) => rank === 0);
export const KING_ROWS = TOP_RANK | BOTTOM_RANK;

export const START: Position = Object.freeze({
  red: squaresWhere((rank) => rank < 3) >>> 0,
  black: squaresWhere((rank) => rank > 4) >>> 0,
  kings: 0,
  turn: 0,
});

/** The position of a diagram. */
export function makePosition({ turn, board }: Diagram): Position {
  const squaresOf = (fits: (seat: Seat, king: boolean) => boolean) =>
    board.reduce((squares, piece, cell) => {
      return piece !== null && fits(piece.seat, piece.king) ? squares | bitOfCell(cell) : squares;
    }, 0) >>> 0;
  return {
    red: squaresOf((seat) => seat === 0),
    black: squaresOf((seat) => seat === 1),
    kings: squaresOf((_, king) => king),
    turn,
  };
}
