/** Counts move sequences of draughts, to check the lister against published counts. */

import { countMoves, type Lister, MOVE_LENGTH, writeMoves } from './lister.ts';
import { makeMove, unmakeMove } from './making.ts';
import type { DraughtsPosition } from './position.ts';
import { makeBoard } from './position.ts';

/** As in `RuleSet`. The last move is counted without being made. */
export function perft(position: DraughtsPosition, depth: number): number {
  return depth === 0 ? 1 : countBelow(makeBoard(position), 0, position.turn, depth);
}

function countBelow(board: Lister, at: number, seat: number, depth: number): number {
  if (depth === 1) return countMoves(board, seat);
  const end = writeMoves(board, at, seat);
  let count = 0;
  for (let move = at; move < end; move += MOVE_LENGTH) {
    makeMove(board, move);
    count += countBelow(board, end, 1 - seat, depth - 1);
    unmakeMove(board, move);
  }
  return count;
}
