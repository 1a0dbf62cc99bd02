/** The moves of a position of American checkers as players see them. */

import type { Move } from '../rule-set.ts';
import type { Position } from './board.ts';
import { cellOfBit, KING_ROWS } from './board.ts';
import { directionsOf, jumpers, rotate, steppers } from './steps.ts';
import { movingDown, movingUp } from './successors.ts';

export interface AmericanMove extends Move {
  /** Squares whose pieces are removed at the end; empty for a step. */
  readonly captured: number;
  /** The position it leads to. */
  readonly next: Position;
}

/** A moving piece: its present square and its captures so far. */
interface Way {
  /** Its origin and its current square, as bits. */
  readonly from: number;
  readonly at: number;
  readonly isKing: boolean;
  readonly between: readonly number[];
  readonly captured: number;
}

export const piecesOf = ({ red, black }: Position, seat: number): number =>
  seat === 0 ? red : black;

/** All legal moves of the seat to move: the captures if there are any, otherwise the steps. */
export function listMoves(position: Position): AmericanMove[] {
  const { kings, turn } = position;
  const own = piecesOf(position, turn);
  const other = piecesOf(position, 1 - turn);
  const empty = ~(own | other);
  const up = movingUp(own, kings, turn);
  const down = movingDown(own, kings, turn);
  const capturing = jumpers(up, down, other, empty);
  const moving = capturing === 0 ? steppers(up, down, empty) : capturing;
  const moves: AmericanMove[] = [];
  for (let left = moving; left !== 0; left &= left - 1) {
    const from = left & -left;
    const isKing = (kings & from) !== 0;
    const way: Way = { from, at: from, isKing, between: [], captured: 0 };
    moves.push(...(capturing === 0 ? steps(position, way, empty) : jumps(position, way)));
  }
  return moves;
}

function steps(position: Position, way: Way, empty: number): AmericanMove[] {
  return directionsOf(position.turn, way.isKing)
    .filter((direction) => (way.at & direction.steps) !== 0)
    .map(({ turn }) => rotate(way.at, turn))
    .filter((to) => (to & empty) !== 0)
    .map((to) => finish(position, way, to));
}

/**
 * All ways to continue a capture to its end. Jumped pieces stay and cannot be jumped again; the
 * piece's origin is free. A man stops when it is crowned: it cannot go further forward, and it is
 * no king before its move is over.
 */
function jumps(position: Position, way: Way): AmericanMove[] {
  const other = piecesOf(position, 1 - position.turn) & ~way.captured;
  const empty = ~(position.red | position.black) | way.from;
  return directionsOf(position.turn, way.isKing).flatMap((direction) => {
    const over = rotate(way.at, direction.turn);
    const to = rotate(over, direction.turn);
    const isFree = (over & other) !== 0 && (to & empty) !== 0;
    if ((way.at & direction.jumps) === 0 || !isFree) return [];
    const captured = way.captured | over;
    const between = [...way.between, cellOfBit(to)];
    const more = jumps(position, { ...way, at: to, between, captured });
    return more.length > 0 ? more : [finish(position, { ...way, captured }, to)];
  });
}

/** The move that ends on `to`. */
function finish(position: Position, way: Way, to: number): AmericanMove {
  const { turn } = position;
  const { from, between, captured } = way;
  const crowns = !way.isKing && (to & KING_ROWS) !== 0;
  const own = (piecesOf(position, turn) & ~from) | to;
  const other = piecesOf(position, 1 - turn) & ~captured;
  const kings = (position.kings & ~from & ~captured) | (way.isKing || crowns ? to : 0);
  const [red, black] = turn === 0 ? [own, other] : [other, own];
  const next = { red: red >>> 0, black: black >>> 0, kings: kings >>> 0, turn: 1 - turn };
  const ends = { from: cellOfBit(from), to: cellOfBit(to) };
  return { ...ends, ways: [between], isCapture: captured !== 0, captured, crowns, next };
}
