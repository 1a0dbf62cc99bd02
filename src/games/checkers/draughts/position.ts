/** A stored draughts position: one letter for each dark square. */

import type { Seat } from '../../../../game/src/game.ts';
import type { Diagram, Piece } from '../rule-set.ts';
import { PIECES } from '../rule-set.ts';
import type { Remains } from './limits.ts';
import type { Lister } from './lister.ts';
import { EMPTY, KING, makeLister, seatBit } from './lister.ts';
import type { DraughtsVariant } from './variant.ts';
import { DRAUGHTS } from './variant.ts';

export type DraughtsPosition = {
  readonly variant: DraughtsVariant;
  /**
   * The dark squares in row order, row 0 at the top: `w` a man and `W` a king of seat 0, `b` and `B`
   * of seat 1, `.` nothing.
   */
  readonly squares: string;
  /** The seat to move. */
  readonly turn: Seat;
};

const NOTHING = '.';
/** In the order of `PIECES`. */
const LETTERS = 'wbWB';

/** The code of a piece on a lister's board. */
const CODES: readonly number[] = PIECES.map(({ seat, king }) => seatBit(seat) | (king ? KING : 0));

export function makePosition(variant: DraughtsVariant, { turn, board }: Diagram): DraughtsPosition {
  const { edge } = DRAUGHTS[variant].dialect;
  const squares = Array.from({ length: (edge * edge) / 2 }, (_, index) => {
    const piece = board[cellOf(index, edge)] ?? null;
    return piece === null ? NOTHING : LETTERS[piece.seat + (piece.king ? 2 : 0)]!;
  });
  return { variant, squares: squares.join(''), turn };
}

/** The cell of the dark square with that index. */
function cellOf(index: number, edge: number): number {
  const row = Math.floor((2 * index) / edge);
  return 2 * index + ((row + 1) % 2);
}

/** The content of a cell; nothing on a light one, or one that is not on the board. */
export function pieceOn({ variant, squares }: DraughtsPosition, cell: number): Piece | null {
  const { edge } = DRAUGHTS[variant].dialect;
  const index = Math.floor(cell / 2);
  if (cellOf(index, edge) !== cell) return null;
  return PIECES[LETTERS.indexOf(squares[index] ?? NOTHING)] ?? null;
}

/** Sets the position up on a board that may have another one of the same variant. */
export function setUp({ pieces, geometry }: Lister, squares: string): void {
  for (const [index, square] of geometry.squares.entries()) {
    pieces[square] = CODES[LETTERS.indexOf(squares[index]!)] ?? EMPTY;
  }
}

export function makeBoard({ variant, squares }: DraughtsPosition): Lister {
  const board = makeLister(DRAUGHTS[variant]);
  setUp(board, squares);
  return board;
}

/** A board as letters. */
export function readSquares({ pieces, geometry }: Lister): string {
  const letters = geometry.squares.map((square) => LETTERS[CODES.indexOf(pieces[square]!)]);
  return letters.map((letter) => letter ?? NOTHING).join('');
}

/** The remaining pieces of a board. */
export function remainsOn({ pieces, geometry }: Lister): Remains {
  const counts = [0, 0, 0, 0];
  for (const square of geometry.squares) {
    const piece = pieces[square]!;
    if (piece !== EMPTY) counts[CODES.indexOf(piece)]! += 1;
  }
  const [whiteMen, blackMen, whiteKings, blackKings] = counts as [number, number, number, number];
  const isOnDiagonal = (code: number) =>
    geometry.longDiagonal.some((square) => pieces[square] === code);
  return {
    men: [whiteMen, blackMen],
    kings: [whiteKings, blackKings],
    onLongDiagonal: [isOnDiagonal(CODES[2]!), isOnDiagonal(CODES[3]!)],
  };
}
