/** The board of connect four: where stones come to rest, and rows of them. */

export const COLUMNS = 7;
const ROWS = 6;
export const CELLS = COLUMNS * ROWS;
const IN_A_ROW = 4;

/** An empty cell, and each seat's stones by seat. A board is 42 of these, row 0 at the top. */
export const EMPTY = '.';
export const STONES = ['r', 'y'] as const;

/** The four kinds of line, each searched in both directions. */
const DIRECTIONS = [
  { right: 1, down: 0 },
  { right: 0, down: 1 },
  { right: 1, down: 1 },
  { right: -1, down: 1 },
] as const;

/** The usual result of `winningCells`. */
export const NO_CELLS: readonly number[] = Object.freeze([]);

/** The cell where a stone dropped into the column comes to rest, or null if it is full. */
export function restingCell(board: string, column: number): number | null {
  for (let cell = CELLS - COLUMNS + column; cell >= 0; cell -= COLUMNS) {
    if (board[cell] === EMPTY) return cell;
  }
  return null;
}

/**
 * The cells of every line of four or more through `cell`, ascending and each once; none if there is
 * no such line. A four always goes through the last stone, so these are all fours on the board.
 */
export function winningCells(board: string, cell: number): readonly number[] {
  const cells: number[] = [];
  for (const { right, down } of DIRECTIONS) {
    const ahead = countAhead(board, cell, right, down);
    const behind = countAhead(board, cell, -right, -down);
    if (behind + 1 + ahead < IN_A_ROW) continue;
    for (let step = -behind; step <= ahead; step += 1) {
      if (step !== 0) cells.push(cell + step * (down * COLUMNS + right));
    }
  }
  return cells.length === 0 ? NO_CELLS : [...cells, cell].sort((a, b) => a - b);
}

/** How many stones of the colour of the one on `cell` follow it in a direction without a gap. */
function countAhead(board: string, cell: number, right: number, down: number): number {
  const stone = board[cell];
  let column = (cell % COLUMNS) + right;
  let row = Math.floor(cell / COLUMNS) + down;
  let count = 0;
  while (column >= 0 && column < COLUMNS && row >= 0 && row < ROWS) {
    if (board[row * COLUMNS + column] !== stone) break;
    count += 1;
    column += right;
    row += down;
  }
  return count;
}
