/** Reversi: two players flip each other's discs on 64 cells; the player with more discs at the end wins. */

import {
  type Applied,
  defineGame,
  illegalMove,
  type Outcome,
  type Refusal,
  ranked,
  refuseTurn,
  type Seat,
  shape,
  wholeNumber,
} from '@matchd/game';

const SIDE = 8;
const CELLS = SIDE * SIDE;
const EMPTY = '.';
/** The disc of each seat. Black moves first. */
const DISCS = ['b', 'w'] as const;
/** The eight directions, as steps in row and column. */
const DIRECTIONS = [-1, 0, 1].flatMap((row) =>
  [-1, 0, 1].flatMap((column) => (row === 0 && column === 0 ? [] : [[row, column] as const])),
);
const ALL_CELLS = Array.from({ length: CELLS }, (_, cell) => cell);
/** By cell: for each direction, the cells up to the edge. */
const RAYS = ALL_CELLS.map((cell) =>
  DIRECTIONS.map(([row, column]) => rayFrom(cell, row, column)).filter((ray) => ray.length > 1),
);

export type ReversiState = {
  /** The 64 cells in row order, row 1 at the top: `b`, `w` or `.`. */
  readonly board: string;
  /** The seat to move, null after the end. The board alone does not tell, because of passes. */
  readonly turn: Seat | null;
};

export type ReversiAction = {
  /** The cell of the new disc, 0 to 63 in row order. */
  readonly cell: number;
};

function rayFrom(cell: number, rowStep: number, columnStep: number): readonly number[] {
  const ray: number[] = [];
  let [row, column] = [Math.floor(cell / SIDE) + rowStep, (cell % SIDE) + columnStep];
  while (row >= 0 && row < SIDE && column >= 0 && column < SIDE) {
    ray.push(row * SIDE + column);
    [row, column] = [row + rowStep, column + columnStep];
  }
  return ray;
}

/** How many of a ray's first cells are flipped: the opponent's discs up to an own one. */
function countFlipped(board: string, ray: readonly number[], own: string): number {
  for (let length = 0; length < ray.length; length += 1) {
    const disc = board[ray[length]!];
    if (disc === EMPTY) return 0;
    if (disc === own) return length;
  }
  return 0;
}

/** A move is legal if it flips at least one disc. */
function isLegal(board: string, seat: Seat, cell: number): boolean {
  if (board[cell] !== EMPTY) return false;
  return RAYS[cell]!.some((ray) => countFlipped(board, ray, DISCS[seat]!) > 0);
}

/** The legal cells of a seat. */
function movesOf(board: string, seat: Seat): readonly number[] {
  return ALL_CELLS.filter((cell) => isLegal(board, seat, cell));
}

function canMove(board: string, seat: Seat): boolean {
  return ALL_CELLS.some((cell) => isLegal(board, seat, cell));
}

/** A seat without a legal move passes automatically. If neither seat has one, the game is over. */
function turnAfter(board: string, seat: Seat): Seat | null {
  const other = 1 - seat;
  if (canMove(board, other)) return other;
  return canMove(board, seat) ? seat : null;
}

function put({ board }: ReversiState, seat: Seat, cell: number): ReversiState {
  const own = DISCS[seat]!;
  const cells = [...board];
  cells[cell] = own;
  for (const ray of RAYS[cell]!) {
    for (const each of ray.slice(0, countFlipped(board, ray, own))) cells[each] = own;
  }
  const next = cells.join('');
  return { board: next, turn: turnAfter(next, seat) };
}

function apply(
  state: ReversiState,
  seat: Seat,
  { cell }: ReversiAction,
): Applied<ReversiState> | Refusal {
  const refusal = refuseTurn(state.turn, seat);
  if (refusal !== null) return refusal;
  if (!isLegal(state.board, seat, cell))
    return illegalMove(`A disc in ${nameOf(cell)} flips no disc`);
  return { state: put(state, seat, cell), events: [] };
}

function countDiscs(board: string): readonly number[] {
  return DISCS.map((disc) => board.split(disc).length - 1);
}

function outcome({ board, turn }: ReversiState): Outcome | null {
  if (turn !== null) return null;
  return ranked(countDiscs(board), board.includes(EMPTY) ? 'no_moves' : 'board_full');
}

/** The name of a cell: columns a to h from the left, rows 1 to 8 from the top. */
function nameOf(cell: number): string {
  return `${'abcdefgh'[cell % SIDE]}${Math.floor(cell / SIDE) + 1}`;
}

function initial(): ReversiState {
  const cells = Array<string>(CELLS).fill(EMPTY);
  for (const [cell, disc] of [
    [27, 'w'],
    [28, 'b'],
    [35, 'b'],
    [36, 'w'],
  ] as const)
    cells[cell] = disc;
  return { board: cells.join(''), turn: 0 };
}

export const game = defineGame<ReversiState, ReversiAction>({
  id: 'reversi',
  seats: 2,
  action: shape({ cell: wholeNumber(0, CELLS - 1) }),
  notation: ({ cell }) => nameOf(cell),
  initial,
  turn: ({ turn }) => turn,
  legalActions: ({ board, turn }) =>
    turn === null ? [] : movesOf(board, turn).map((cell) => ({ cell })),
  apply,
  view: (state) => ({ ...state, discs: countDiscs(state.board) }),
  outcome,
});
