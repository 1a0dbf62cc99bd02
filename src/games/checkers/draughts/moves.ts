/** The moves of a draughts position as players see them. */

import type { Move } from '../rule-set.ts';
import type { Lister } from './lister.ts';
import {
  ARRIVES,
  CAPTURED,
  CAPTURED_SQUARES,
  FROM,
  LANDINGS,
  LEAVES,
  MOVE_LENGTH,
  TO,
  writeMoves,
} from './lister.ts';
import { makeMove, unmakeMove } from './making.ts';
import type { DraughtsPosition } from './position.ts';
import { makeBoard, readSquares } from './position.ts';

export interface DraughtsMove extends Move {
  /** Cells whose pieces are removed at the end, ascending; empty for a step. */
  readonly captured: readonly number[];
  /** The position it leads to. */
  readonly next: DraughtsPosition;
}

/**
 * All legal moves of the seat to move. Captures that share both ends and take the same pieces are
 * one move, whatever their paths.
 */
export function listMoves(position: DraughtsPosition): DraughtsMove[] {
  const board = makeBoard(position);
  const end = writeMoves(board, 0, position.turn);
  const moves = new Map<string, DraughtsMove>();
  for (let at = 0; at < end; at += MOVE_LENGTH) {
    const from = cellAt(board, at + FROM);
    const to = cellAt(board, at + TO);
    const count = board.moves[at + CAPTURED]!;
    const captured = cellsAt(board, at + CAPTURED_SQUARES, count).sort((a, b) => a - b);
    const way = cellsAt(board, at + LANDINGS, Math.max(count - 1, 0));
    const key = [from, to, ...captured].join();
    const same = moves.get(key);
    const move = same ?? {
      from,
      to,
      captured,
      isCapture: count > 0,
      crowns: board.moves[at + LEAVES] !== board.moves[at + ARRIVES],
      next: { ...position, squares: squaresAfter(board, at), turn: 1 - position.turn },
    };
    moves.set(key, { ...move, ways: same === undefined ? [way] : [...same.ways, way] });
  }
  return [...moves.values()];
}

function cellAt({ geometry, moves }: Lister, at: number): number {
  return geometry.cellOfSquare[moves[at]!]!;
}

function cellsAt(board: Lister, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => cellAt(board, at + index));
}

function squaresAfter(board: Lister, at: number): string {
  makeMove(board, at);
  const squares = readSquares(board);
  unmakeMove(board, at);
  return squares;
}
