/** The squares of a draughts board with a rim around them, so that every step leads to a square. */

export interface Geometry {
  /** The dark squares, by cell ascending. */
  readonly squares: readonly number[];
  /** The square of a cell, and the cell of a square; -1 on the rim. */
  readonly squareOfCell: readonly number[];
  readonly cellOfSquare: readonly number[];
  /** Squares of the board and its rim. */
  readonly size: number;
  /** What a step adds to a square: forward for seat 0, then forward for seat 1, which is back. */
  readonly directions: readonly [number, number, number, number];
  /** By square: the seat whose men become kings there, or -1. */
  readonly crowningSeat: Int8Array;
  /** Squares from the lower left corner to the upper right. */
  readonly longDiagonal: readonly number[];
}

/**
 * Squares are numbered row by row. One rim column serves both sides: a step over the left edge
 * leads to the end of the row before.
 */
function makeGeometry(edge: number): Geometry {
  const width = edge + 1;
  const size = width * (edge + 2);
  const squareAt = (row: number, column: number) => (row + 1) * width + column;
  const rows = Array.from({ length: edge }, (_, row) => row);
  const squareOfCell = rows.flatMap((row) => rows.map((column) => squareAt(row, column)));
  const crowningSeat = new Int8Array(size).fill(-1);
  for (const column of rows) {
    crowningSeat[squareAt(0, column)] = 0;
    crowningSeat[squareAt(edge - 1, column)] = 1;
  }
  return {
    squares: rows.flatMap((row) =>
      rows.filter((column) => (row + column) % 2 === 1).map((column) => squareAt(row, column)),
    ),
    squareOfCell,
    size,
    crowningSeat,
    cellOfSquare: Array.from({ length: size }, (_, square) => squareOfCell.indexOf(square)),
    directions: [-width - 1, -width + 1, width - 1, width + 1],
    longDiagonal: rows.map((row) => squareAt(row, edge - 1 - row)),
  };
}

/** By the cells along a side of the board. */
export const GEOMETRIES: Readonly<Record<8 | 10, Geometry>> = {
  8: makeGeometry(8),
  10: makeGeometry(10),
};
