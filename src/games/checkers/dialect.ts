/** The notation of a variant: the names of its squares, its colours, its number in PDN. */

/** The variants, the default first. */
export const VARIANTS = ['american', 'russian', 'brazilian', 'international'] as const;
export type Variant = (typeof VARIANTS)[number];
export type Colour = 'B' | 'W';

export interface Dialect {
  readonly variant: Variant;
  /** Cells along a side of the board. */
  readonly edge: 8 | 10;
  /** Pieces of a side at the start; it never has more. */
  readonly piecesMax: number;
  /** PDN's colours of seat 0 and seat 1. */
  readonly colours: readonly [Colour, Colour];
  /** The start, as PDN-FEN. */
  readonly start: string;
  /** PDN's number of the variant, with any further parameters of the tag. */
  readonly gameType: string;
  /** The sign of a capture. */
  readonly captureSign: 'x' | ':';
  readonly squares: Squares;
  /** Alternative names by which squares may be read. */
  readonly otherSquares?: Squares;
}

/** Names of the dark cells. */
export interface Squares {
  /** Cells in listing order, and their names in the same order. */
  readonly cells: readonly number[];
  readonly names: readonly string[];
  /** Whether the names are numbers, so that `7-9` means three of them. */
  readonly areNumbers: boolean;
}

/** Dark cells, ascending: those whose row and column are not both even or both odd. */
function darkCells(edge: number): readonly number[] {
  const cells = Array.from({ length: edge * edge }, (_, cell) => cell);
  return cells.filter((cell) => (Math.floor(cell / edge) + (cell % edge)) % 2 === 1);
}

const numbers = (cells: readonly number[]): Squares => ({
  cells,
  names: cells.map((_, index) => `${index + 1}`),
  areNumbers: true,
});

/** Square 1 at the top left, as seat 0 sees it: N2 in PDN. */
const fromTopLeft = (edge: number): Squares => numbers(darkCells(edge));
/** Square 1 at the bottom right, as seat 0 sees it: N1 in PDN. */
const fromBottomRight = (edge: number): Squares => numbers([...darkCells(edge)].reverse());

/** Files a to h from the left, ranks 1 to 8 from the bottom, as seat 0 sees them: A0 in PDN. */
function chessSquares(): Squares {
  const name = (cell: number) => `${'abcdefgh'[cell % 8]}${8 - Math.floor(cell / 8)}`;
  const named = darkCells(8).map((cell) => ({ cell, name: name(cell) }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    cells: named.map(({ cell }) => cell),
    names: named.map((each) => each.name),
    areNumbers: false,
  };
}

/** The variants of PDN that are played here; the notation of each follows PDN 3.0. */
export const DIALECTS: Readonly<Record<Variant, Dialect>> = {
  american: {
    variant: 'american',
    edge: 8,
    piecesMax: 12,
    colours: ['B', 'W'],
    captureSign: 'x',
    start: 'B:W21-32:B1-12',
    gameType: '21',
    squares: fromBottomRight(8),
  },
  russian: {
    variant: 'russian',
    edge: 8,
    piecesMax: 12,
    colours: ['W', 'B'],
    captureSign: ':',
    start: 'W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8',
    gameType: '25,W,8,8,A0,0',
    squares: chessSquares(),
    otherSquares: fromTopLeft(8),
  },
  brazilian: {
    variant: 'brazilian',
    edge: 8,
    piecesMax: 12,
    colours: ['W', 'B'],
    captureSign: 'x',
    start: 'W:W21-32:B1-12',
    gameType: '26,W,8,8,N2,0',
    squares: fromTopLeft(8),
    otherSquares: chessSquares(),
  },
  international: {
    variant: 'international',
    edge: 10,
    piecesMax: 20,
    colours: ['W', 'B'],
    captureSign: 'x',
    start: 'W:W31-50:B1-20',
    gameType: '20,W,10,10,N2,0',
    squares: fromTopLeft(10),
  },
};

/** The cell of a square by its name; null for an unknown name. */
export function cellOfSquare(
  { squares, otherSquares }: Pick<Dialect, 'squares' | 'otherSquares'>,
  name: string,
): number | null {
  const cell = squares.cells[squares.names.indexOf(name)];
  if (cell !== undefined || otherSquares === undefined) return cell ?? null;
  return cellOfSquare({ squares: otherSquares }, name);
}

/** The name of a dark cell; for a light one, which has none, the number of the cell. */
export function squareOfCell({ squares }: Dialect, cell: number): string {
  return squares.names[squares.cells.indexOf(cell)] ?? `cell ${cell}`;
}
