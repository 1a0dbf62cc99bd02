/** A second implementation of American checkers, with coordinates and letters, to check the one in bits. */

import type { Position } from './board.ts';
import { bitOfCell } from './board.ts';

/** Eight rows of eight, row 0 at the top: `r` and `b` men, `R` and `B` kings, `.` nothing. */
type Board = readonly string[];

/** A move by the cells the piece stands on, first to last, and the board after it. */
export interface PlainMove {
  readonly cells: readonly number[];
  readonly board: Board;
}

export function makeBoard({ red, black, kings }: Position): Board {
  return Array.from({ length: 64 }, (_, cell) => {
    const bit = bitOfCell(cell);
    if (((red | black) & bit) === 0) return '.';
    const letter = (red & bit) === 0 ? 'b' : 'r';
    return (kings & bit) === 0 ? letter : letter.toUpperCase();
  });
}

const sideOf = (piece: string): number => ['r', 'b'].indexOf(piece.toLowerCase());
const isKing = (piece: string): boolean => piece === 'R' || piece === 'B';

/** The cell that many rows and columns away; null beyond the edge. */
function away(cell: number, down: number, right: number): number | null {
  const row = Math.floor(cell / 8) + down;
  const column = (cell % 8) + right;
  return row >= 0 && row < 8 && column >= 0 && column < 8 ? row * 8 + column : null;
}

function waysOf(piece: string): readonly (readonly [number, number])[] {
  const rows = isKing(piece) ? [-1, 1] : [sideOf(piece) === 0 ? -1 : 1];
  return rows.flatMap((down) => [-1, 1].map((right) => [down, right] as const));
}

/** The piece after arriving on a cell. */
function arrived(piece: string, cell: number): string {
  if (piece === 'r' && cell < 8) return 'R';
  return piece === 'b' && cell >= 56 ? 'B' : piece;
}

function place(board: Board, changes: ReadonlyMap<number, string>): Board {
  return board.map((piece, cell) => changes.get(cell) ?? piece);
}

/** All captures with this beginning. Jumped pieces stay on the board until the end. */
function captures(
  board: Board,
  cells: readonly number[],
  jumped: readonly number[],
): readonly PlainMove[] {
  const [from, at] = [cells[0]!, cells.at(-1)!];
  const piece = board[from]!;
  const wasCrowned = cells.length > 1 && arrived(piece, at) !== piece;
  const longer = wasCrowned
    ? []
    : waysOf(piece).flatMap(([down, right]) => {
        const over = away(at, down, right);
        const to = away(at, 2 * down, 2 * right);
        if (over === null || to === null) return [];
        const isOther = board[over] !== '.' && sideOf(board[over]!) !== sideOf(piece);
        const isFree = board[to] === '.' || to === from;
        if (!isOther || !isFree || jumped.includes(over)) return [];
        return captures(board, [...cells, to], [...jumped, over]);
      });
  if (longer.length > 0 || cells.length === 1) return longer;
  const changes = new Map([...jumped, from].map((cell) => [cell, '.']));
  return [{ cells, board: place(board, changes.set(at, arrived(piece, at))) }];
}

function steps(board: Board, from: number): readonly PlainMove[] {
  const piece = board[from]!;
  return waysOf(piece).flatMap(([down, right]) => {
    const to = away(from, down, right);
    if (to === null || board[to] !== '.') return [];
    const changes = new Map([[from, '.'] as const, [to, arrived(piece, to)] as const]);
    return [{ cells: [from, to], board: place(board, changes) }];
  });
}

/** Every legal move of a side. */
export function listPlainMoves(board: Board, side: number): readonly PlainMove[] {
  const own = board.flatMap((piece, cell) => (sideOf(piece) === side ? [cell] : []));
  const found = own.flatMap((cell) => captures(board, [cell], []));
  return found.length > 0 ? found : own.flatMap((cell) => steps(board, cell));
}
