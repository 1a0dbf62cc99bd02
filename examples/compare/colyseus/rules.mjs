// [rules] Tic-tac-toe, and the state that Colyseus keeps in sync with its clients.

import { schema, t } from '@colyseus/schema';

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'];
export const NOBODY = -1;
const DRAWN = 2;

export const Board = schema(
  { cells: t.array('int8'), seats: t.array('string'), turn: t.int8(), winner: t.int8() },
  'Board',
);

export function makeBoard() {
  const board = new Board();
  board.cells.push(...Array(9).fill(NOBODY));
  board.turn = 0;
  board.winner = NOBODY;
  return board;
}

export function isLegal(board, seat, cell) {
  if (board.seats.length < 2 || board.winner !== NOBODY || seat !== board.turn) return false;
  return Number.isInteger(cell) && board.cells[cell] === NOBODY;
}

export function place(board, cell) {
  board.cells[cell] = board.turn;
  board.winner = winnerOf([...board.cells]);
  board.turn = 1 - board.turn;
}

export function winnerOf(cells) {
  for (const [a, b, c] of LINES) {
    if (cells[a] !== NOBODY && cells[a] === cells[b] && cells[a] === cells[c]) return cells[a];
  }
  return cells.includes(NOBODY) ? NOBODY : DRAWN;
}
