/** PDN-FEN: one position as a line of text, e.g. `B:W21-32:B1-12`. */

import type { Colour, Dialect } from './dialect.ts';
import { cellOfSquare, squareOfCell } from './dialect.ts';
import type { Diagram, Piece } from './rule-set.ts';
import { PIECES } from './rule-set.ts';

/** Why a text is no position, as one sentence. */
export interface FenFault {
  readonly error: string;
}

const FEN = /^([BW]):([BW])([^:]*):([BW])([^:]*)$/;
/** One square or a run of them, for men or kings: `7`, `K30`, `1-12`, `Ka1`. */
const SQUARES = /^(K?)([1-9][0-9]?|[a-h][1-8])(?:-([1-9][0-9]?))?$/;
/** Longer than any position written square by square, with room for spaces. */
const FEN_CHARS_MAX = 400;

/** White first, squares in ascending order, three and more men with consecutive numbers as a run. */
export function makeFen(dialect: Dialect, diagram: Diagram): string {
  const { colours } = dialect;
  const white = writePieces(dialect, diagram, colours.indexOf('W'));
  const black = writePieces(dialect, diagram, colours.indexOf('B'));
  return `${colours[diagram.turn]}:W${white}:B${black}`;
}

function writePieces({ squares }: Dialect, { board }: Diagram, seat: number): string {
  const { cells, names, areNumbers } = squares;
  /** Indexes in the list of squares with such a piece. */
  const placesOf = (king: boolean) =>
    cells.flatMap((cell, place) =>
      board[cell]?.seat === seat && board[cell].king === king ? [place] : [],
    );
  const runs = areNumbers ? findRuns(placesOf(false)) : placesOf(false).map((each) => [each]);
  const men = runs.map((run) => [...new Set([run[0]!, run.at(-1)!])].map((at) => names[at]));
  // Kings are written one by one, as readers expect.
  return [
    ...men.map((run) => run.join('-')),
    ...placesOf(true).map((at) => `K${names[at]}`),
  ].join();
}

/** Groups consecutive ascending numbers. A run of two is no shorter than both numbers. */
function findRuns(places: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run?.at(-1) === place - 1) run.push(place);
    else runs.push([place]);
  }
  return runs.flatMap((run) => (run.length < 3 ? run.map((place) => [place]) : [run]));
}

/**
 * Parses a position. Spaces and a final dot do not matter. Impossible positions are refused: more
 * pieces of a side than it starts with, two on one square, a man on the row where it would be a
 * king.
 */
export function parseFen(dialect: Dialect, text: string): Diagram | FenFault {
  if (text.length > FEN_CHARS_MAX) return { error: 'It is too long for a position' };
  const parts = FEN.exec(text.replace(/\s/g, '').replace(/\.$/, ''));
  if (parts === null || parts[2] === parts[4]) {
    return { error: `It is not of the form ${dialect.start}` };
  }
  const board: (Piece | null)[] = Array(dialect.edge * dialect.edge).fill(null);
  for (const [colour, list] of [parts.slice(2, 4), parts.slice(4, 6)] as [Colour, string][]) {
    const error = readPieces(dialect, board, colour, list);
    if (error !== null) return { error };
  }
  return { turn: dialect.colours.indexOf(parts[1] as Colour), board };
}

export function isFenFault(value: Diagram | FenFault): value is FenFault {
  return 'error' in value;
}

/** Puts the pieces of a list on the board; returns a sentence if the list is wrong, otherwise null. */
function readPieces(
  dialect: Dialect,
  board: (Piece | null)[],
  colour: Colour,
  list: string,
): string | null {
  const seat = dialect.colours.indexOf(colour);
  let count = 0;
  for (const item of list === '' ? [] : list.split(',')) {
    const [whole, king = '', first = '', last = first] = SQUARES.exec(item) ?? [];
    if (whole === undefined) return `"${item}" is no square`;
    const cells = cellsBetween(dialect, first, last);
    if (cells === null) return `There are no squares ${whole}, only ${rangeOf(dialect)}`;
    for (const cell of cells) {
      const piece = PIECES[seat + 2 * king.length]!;
      const error =
        board[cell]?.seat === seat
          ? `${whole} is named twice`
          : checkPiece(dialect, board[cell] ?? null, piece, cell);
      if (error !== null) return error;
      board[cell] = piece;
      count += 1;
    }
  }
  return count > dialect.piecesMax ? `A side has more than ${dialect.piecesMax} pieces` : null;
}

const COLOUR_NAMES: Readonly<Record<Colour, string>> = { B: 'Black', W: 'White' };

function checkPiece(
  dialect: Dialect,
  there: Piece | null,
  { seat, king }: Piece,
  cell: number,
): string | null {
  if (there !== null) return `Square ${squareOfCell(dialect, cell)} has two pieces`;
  const kingRow = seat === 0 ? 0 : dialect.edge - 1;
  if (king || Math.floor(cell / dialect.edge) !== kingRow) return null;
  const squares = kingRowSquares(dialect, kingRow);
  return `${COLOUR_NAMES[dialect.colours[seat]!]} has a man on its king row, ${squares}`;
}

function kingRowSquares({ squares, edge }: Dialect, row: number): string {
  const names = squares.names.filter((_, at) => Math.floor(squares.cells[at]! / edge) === row);
  return `${names[0]} to ${names.at(-1)}`;
}

const rangeOf = ({ squares }: Dialect): string => `${squares.names[0]} to ${squares.names.at(-1)}`;

/** The cells from one square to another by their numbers, or of one square; null if there are none. */
function cellsBetween(dialect: Dialect, first: string, last: string): readonly number[] | null {
  if (first === last) {
    const cell = cellOfSquare(dialect, first);
    return cell === null ? null : [cell];
  }
  const numbers = [dialect.squares, dialect.otherSquares].find((each) => each?.areNumbers);
  const [from, to] = [first, last].map((name) => numbers?.names.indexOf(name) ?? -1);
  return numbers === undefined || from! < 0 || to! < from!
    ? null
    : numbers.cells.slice(from!, to! + 1);
}
