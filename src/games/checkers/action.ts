/** What a player sends to move, and which legal move is meant by it. */

import { ownField } from '../field.ts';
import type { Refusal } from '../game.ts';
import { illegalMove } from '../refusal.ts';
import type { Position } from './board.ts';
import { bitOfCell, CELLS } from './board.ts';
import type { Move } from './moves.ts';
import { piecesOf } from './moves.ts';

export type CheckersAction = {
  /** The cell of the piece that moves, 0 to 63 in row order. */
  readonly from: number;
  /** The cell on which it ends. */
  readonly to: number;
  /**
   * The cells it lands on between both, in order. Where two captures share both ends, and nowhere
   * else.
   */
  readonly path?: readonly number[];
};

/** No piece jumps more than twelve others. */
const PATH_CELLS_MAX = 11;

export function parseAction(input: unknown): CheckersAction | null {
  const from = parseCell(ownField(input, 'from'));
  const to = parseCell(ownField(input, 'to'));
  if (from === null || to === null) return null;
  const given = ownField(input, 'path');
  if (given === undefined) return { from, to };
  const path = parsePath(given);
  return path === null ? null : { from, to, path };
}

function parseCell(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  // Adding 0 makes 0 of -0.
  return value >= 0 && value < CELLS ? value + 0 : null;
}

function parsePath(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > PATH_CELLS_MAX) return null;
  const cells: (number | null)[] = Array.from(value, parseCell);
  return cells.every((cell) => cell !== null) ? cells : null;
}

const sharesEnds = (a: Move, b: CheckersAction): boolean => a.from === b.from && a.to === b.to;

const isPath = (cells: readonly number[], path: readonly number[]): boolean =>
  cells.length === path.length && cells.every((cell, index) => cell === path[index]);

/** The action of one of the legal moves: with its path if another of them has the same ends. */
export function makeAction(move: Move, legal: readonly Move[]): CheckersAction {
  const { from, to, between } = move;
  const isOnly = legal.every((each) => each === move || !sharesEnds(each, move));
  return isOnly ? { from, to } : { from, to, path: between };
}

/** The legal move that an action means, or why there is none. */
export function findMove(
  position: Position,
  legal: readonly Move[],
  action: CheckersAction,
): Move | Refusal {
  const { from, to, path } = action;
  const fitting = legal.filter((move) => sharesEnds(move, action));
  if (fitting.length === 0) return illegalMove(whyNot(position, legal, action));
  if (path === undefined) {
    return fitting.length === 1 ? fitting[0]! : ambiguousMove(from, to, fitting);
  }
  if (fitting.length === 1) {
    return illegalMove(`Only one move goes from cell ${from} to cell ${to}: leave out the path`);
  }
  const chosen = fitting.find(({ between }) => isPath(between, path));
  return chosen ?? illegalMove(`No capture from cell ${from} to cell ${to} goes by that path`);
}

function ambiguousMove(from: number, to: number, fitting: readonly Move[]): Refusal {
  const paths = fitting.map(({ between }) => JSON.stringify(between)).join(' or ');
  const error = `Several captures go from cell ${from} to cell ${to}: give the path, ${paths}`;
  return { code: 'ambiguous_move', error };
}

function whyNot(position: Position, legal: readonly Move[], { from, to }: CheckersAction): string {
  const bit = bitOfCell(from);
  if ((piecesOf(position, position.turn) & bit) === 0) {
    return `Seat ${position.turn} has no piece on cell ${from}`;
  }
  const isCapture = legal[0]!.captured !== 0;
  if (!isCapture) return `The piece on cell ${from} cannot move to cell ${to}`;
  if (legal.every((move) => move.from !== from)) {
    return `The piece on cell ${from} cannot capture, and another one has to`;
  }
  return `The piece on cell ${from} has to capture as far as it can, which does not end on cell ${to}`;
}
