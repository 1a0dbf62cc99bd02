/** The static evaluation of a position of draughts. */

import { GEOMETRIES } from './geometry.ts';
import type { Lister } from './lister.ts';
import { EMPTY, KING, seatBit } from './lister.ts';

/** In hundredths of a man. A flying king is worth about three of them. */
const MAN = 100;
const KING_WORTH = 300;
/** A man's value per row advanced, higher on the last two before it is crowned. */
const ROW = 3;
const NEAR_CROWN = 15;
/** A man on its own back row keeps the opponent's men from becoming kings. */
const GUARD = 9;
/** A piece away from the edge. */
const CENTRAL_MAN = 4;
const CENTRAL_KING = 8;
/** A king on the longest diagonal. */
const LONG_DIAGONAL = 25;
/** The extra value of being a man ahead, shared by all pieces left: the side ahead should exchange. */
const AHEAD = 400;
/** The right to move counts a little. */
const TEMPO = 3;

/** The worth of each piece by its place: its code times the size of the board, plus its square. */
function makeWorth(edge: 8 | 10): Int16Array {
  const { squares, cellOfSquare, longDiagonal, size } = GEOMETRIES[edge];
  const worth = new Int16Array(size * 8);
  for (const square of squares) {
    const row = Math.floor(cellOfSquare[square]! / edge);
    const column = cellOfSquare[square]! % edge;
    const isCentral = row > 1 && row < edge - 2 && column > 1 && column < edge - 2;
    const king =
      KING_WORTH +
      (isCentral ? CENTRAL_KING : 0) +
      (longDiagonal.includes(square) ? LONG_DIAGONAL : 0);
    for (const seat of [0, 1]) {
      const advanced = seat === 0 ? edge - 1 - row : row;
      const man =
        MAN +
        ROW * advanced +
        (advanced >= edge - 3 ? NEAR_CROWN : 0) +
        (advanced === 0 ? GUARD : 0) +
        (isCentral ? CENTRAL_MAN : 0);
      worth[seatBit(seat) * size + square] = man;
      worth[(seatBit(seat) | KING) * size + square] = king;
    }
  }
  return worth;
}

const WORTH: Readonly<Record<8 | 10, Int16Array>> = { 8: makeWorth(8), 10: makeWorth(10) };

/** For the seat to move; men count 100. */
export function evaluate({ pieces, geometry, edge }: Lister, seat: number): number {
  const worth = WORTH[edge];
  const { squares, size } = geometry;
  const own = seatBit(seat);
  let ours = 0;
  let theirs = 0;
  for (const square of squares) {
    const piece = pieces[square]!;
    if (piece === EMPTY) continue;
    if ((piece & own) !== 0) ours += worth[piece * size + square]!;
    else theirs += worth[piece * size + square]!;
  }
  const value = ours - theirs;
  return (value + (value * AHEAD) / (ours + theirs) + TEMPO) | 0;
}
