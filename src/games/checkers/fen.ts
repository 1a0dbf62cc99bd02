/** PDN-FEN: one position as a line of text, e.g. `B:W21-32:B1-12`. */

import type { Position } from './board.ts';
import {
  BOTTOM_RANK,
  bitOfCell,
  cellOfSquare,
  cellsOf,
  countSquares,
  PIECES_MAX,
  squareOfCell,
  TOP_RANK,
} from './board.ts';

/** Why a text is no position: one sentence. */
export interface FenFault {
  readonly error: string;
}

/** Seat 0 is PDN's Black, seat 1 its White. */
const COLOURS = ['B', 'W'] as const;
const FEN = /^([BW]):([BW])([^:]*):([BW])([^:]*)$/;
/** One square or a run of them, of men or of kings: `7`, `K30`, `1-12`. */
const SQUARES = /^(K?)([1-9][0-9]?)(?:-([1-9][0-9]?))?$/;
/** Longer than any position written square by square, with room for spaces. */
const FEN_CHARS_MAX = 400;

/** White first, squares in ascending order, three and more men or kings in a row as a run. */
export function makeFen({ red, black, kings, turn }: Position): string {
  const white = writePieces(black, kings);
  return `${COLOURS[turn]}:W${white}:B${writePieces(red, kings)}`;
}

function writePieces(pieces: number, kings: number): string {
  const men = writeRuns(cellsOf(pieces & ~kings).map(squareOfCell), '');
  const others = writeRuns(cellsOf(pieces & kings).map(squareOfCell), 'K');
  return [...men, ...others].join(',');
}

function writeRuns(unsorted: readonly number[], prefix: string): string[] {
  const squares = [...unsorted].sort((a, b) => a - b);
  const texts: string[] = [];
  for (let at = 0; at < squares.length; ) {
    let end = at;
    while (squares[end + 1] === squares[end]! + 1) end += 1;
    // A run of two is no shorter than its squares. Kings are written one by one, as readers expect.
    if (end < at + 2 || prefix !== '') end = at;
    const first = `${prefix}${squares[at]}`;
    texts.push(end === at ? first : `${first}-${squares[end]}`);
    at = end + 1;
  }
  return texts;
}

/**
 * Reads a position. Spaces and a last dot do not matter. Refused are positions that no game reaches:
 * more than twelve pieces of a side, two on one square, a man on the row where it would be a king.
 */
export function parseFen(text: string): Position | FenFault {
  if (text.length > FEN_CHARS_MAX) return { error: 'It is too long for a position' };
  const parts = FEN.exec(text.replace(/\s/g, '').replace(/\.$/, ''));
  if (parts === null || parts[2] === parts[4]) {
    return { error: 'It is not of the form B:W21-32:B1-12' };
  }
  const sides = { B: { men: 0, kings: 0 }, W: { men: 0, kings: 0 } };
  for (const [colour, list] of [parts.slice(2, 4), parts.slice(4, 6)] as [Colour, string][]) {
    const side = readPieces(list);
    if (typeof side === 'string') return { error: side };
    sides[colour] = side;
  }
  return makePosition(sides, parts[1] === 'B' ? 0 : 1);
}

export function isFenFault(value: Position | FenFault): value is FenFault {
  return 'error' in value;
}

type Colour = (typeof COLOURS)[number];

/** Pieces of one side. */
interface Side {
  readonly men: number;
  readonly kings: number;
}

/** The pieces of a list; a sentence on what is wrong with it. */
function readPieces(list: string): Side | string {
  const side = { men: 0, kings: 0 };
  for (const item of list === '' ? [] : list.split(',')) {
    const [whole, king, first, last = first] = SQUARES.exec(item) ?? [];
    if (whole === undefined) return `"${item}" is no square`;
    const squares = rangeOf(Number(first), Number(last));
    if (squares === null) return `There are no squares ${whole}, only 1 to 32`;
    if ((squares & (side.men | side.kings)) !== 0) return `${whole} is named twice`;
    side[king === 'K' ? 'kings' : 'men'] |= squares;
  }
  return side;
}

/** The squares from one number to another; null when they are none. */
function rangeOf(first: number, last: number): number | null {
  let squares = 0;
  for (let square = first; square <= last; square += 1) {
    const cell = cellOfSquare(square);
    if (cell === null) return null;
    squares |= bitOfCell(cell);
  }
  return squares === 0 ? null : squares;
}

function makePosition({ B, W }: Readonly<Record<Colour, Side>>, turn: number): Position | FenFault {
  const red = B.men | B.kings;
  const black = W.men | W.kings;
  if ((red & black) !== 0) {
    return { error: `Square ${squareOfCell(cellsOf(red & black)[0]!)} has two pieces` };
  }
  if ((B.men & TOP_RANK) !== 0) return { error: 'Black has a man on its king row, 29 to 32' };
  if ((W.men & BOTTOM_RANK) !== 0) return { error: 'White has a man on its king row, 1 to 4' };
  if (countSquares(red) > PIECES_MAX || countSquares(black) > PIECES_MAX) {
    return { error: `A side has more than ${PIECES_MAX} pieces` };
  }
  const kings = (B.kings | W.kings) >>> 0;
  return { red: red >>> 0, black: black >>> 0, kings, turn };
}
