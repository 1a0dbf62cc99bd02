/** All positions after one move, fast: for counting or searching millions of them. */

import { KING_ROWS } from './board.ts';
import {
  countSteps,
  directionsOf,
  jumpers,
  rotate,
  stepDownLeft,
  stepDownRight,
  steppers,
  stepUpLeft,
  stepUpRight,
} from './steps.ts';

/** Numbers a successor takes in a list: the mover's pieces, the other side's, the kings. */
export const SUCCESSOR_LENGTH = 3;

/**
 * An upper bound for the successors of a position. No piece has more than 16 ways to capture, even
 * if every square it could jump is occupied and every square it could land on is free; so twelve
 * have fewer than 192, and twelve kings have 48 steps.
 */
export const SUCCESSORS_MAX = 192;

/** The pieces of the side to move that move up, and those that move down; kings do both. */
export const movingUp = (own: number, kings: number, side: number): number =>
  side === 0 ? own : own & kings;
export const movingDown = (own: number, kings: number, side: number): number =>
  side === 0 ? own & kings : own;

/** Whether the side to move can capture. Then it must. */
export function canCapture(own: number, other: number, kings: number, side: number): boolean {
  const empty = ~(own | other);
  return jumpers(movingUp(own, kings, side), movingDown(own, kings, side), other, empty) !== 0;
}

/** Whether the side to move has any move. */
export function canMove(own: number, other: number, kings: number, side: number): boolean {
  const empty = ~(own | other);
  const up = movingUp(own, kings, side);
  const down = movingDown(own, kings, side);
  return (steppers(up, down, empty) | jumpers(up, down, other, empty)) !== 0;
}

/**
 * Writes the position after every move of `side` (a seat) into `list` from `at` on, and returns
 * where the list ends. Captures that lead to the same position by different paths are separate.
 */
export function writeSuccessors(
  list: Int32Array,
  at: number,
  own: number,
  other: number,
  kings: number,
  side: number,
): number {
  const empty = ~(own | other);
  const up = movingUp(own, kings, side);
  const down = movingDown(own, kings, side);
  const capturing = jumpers(up, down, other, empty);
  if (capturing !== 0) return writeCaptures(list, at, capturing, own, other, kings, side);
  let end = at;
  for (let left = stepUpLeft(up, empty); left !== 0; left &= left - 1) {
    const from = left & -left;
    end = writeStep(list, end, from, (from << 7) | (from >>> 25), own, other, kings);
  }
  for (let left = stepUpRight(up, empty); left !== 0; left &= left - 1) {
    const from = left & -left;
    end = writeStep(list, end, from, (from << 1) | (from >>> 31), own, other, kings);
  }
  for (let left = stepDownLeft(down, empty); left !== 0; left &= left - 1) {
    const from = left & -left;
    end = writeStep(list, end, from, (from >>> 1) | (from << 31), own, other, kings);
  }
  for (let left = stepDownRight(down, empty); left !== 0; left &= left - 1) {
    const from = left & -left;
    end = writeStep(list, end, from, (from >>> 7) | (from << 25), own, other, kings);
  }
  return end;
}

function writeStep(
  list: Int32Array,
  at: number,
  from: number,
  to: number,
  own: number,
  other: number,
  kings: number,
): number {
  list[at] = own ^ from ^ to;
  list[at + 1] = other;
  list[at + 2] = (kings & from) !== 0 ? kings ^ from ^ to : kings | (to & KING_ROWS);
  return at + SUCCESSOR_LENGTH;
}

function writeCaptures(
  list: Int32Array,
  at: number,
  capturing: number,
  own: number,
  other: number,
  kings: number,
  side: number,
): number {
  let end = at;
  for (let left = capturing; left !== 0; left &= left - 1) {
    const from = left & -left;
    const isKing = (kings & from) !== 0;
    end = writeJumps(list, end, from, own ^ from, other, kings & ~from, side, isKing);
  }
  return end;
}

/**
 * The captures of one piece on `from` that is in none of the sets. Jumped pieces are removed at
 * once: the rules leave them until the end, but there they could only be jumped again, which is
 * forbidden, or landed on, which is impossible because their rank has the other parity. A man that
 * is crowned stops: it cannot go further forward.
 */
function writeJumps(
  list: Int32Array,
  at: number,
  from: number,
  own: number,
  other: number,
  kings: number,
  side: number,
  isKing: boolean,
): number {
  let end = at;
  const empty = ~(own | other);
  for (const { turn, jumps } of directionsOf(side, isKing)) {
    const over = rotate(from, turn);
    const to = rotate(over, turn);
    if ((from & jumps) === 0 || (over & other) === 0 || (to & empty) === 0) continue;
    const rest = other ^ over;
    const before = end;
    end = writeJumps(list, end, to, own, rest, kings & ~over, side, isKing);
    if (end > before) continue;
    list[end] = own | to;
    list[end + 1] = rest;
    list[end + 2] = (kings & ~over) | (isKing ? to : to & KING_ROWS);
    end += SUCCESSOR_LENGTH;
  }
  return end;
}

/** The number of moves of the side to move; captures that differ only in their path count separately. */
export function countMoves(own: number, other: number, kings: number, side: number): number {
  const empty = ~(own | other);
  const up = movingUp(own, kings, side);
  const down = movingDown(own, kings, side);
  const capturing = jumpers(up, down, other, empty);
  if (capturing === 0) return countSteps(up, down, empty);
  let count = 0;
  for (let left = capturing; left !== 0; left &= left - 1) {
    const from = left & -left;
    count += countJumps(from, other, empty | from, side, (kings & from) !== 0);
  }
  return count;
}

/** In how many ways a piece can continue a capture; 0 if it has to stop. */
function countJumps(
  from: number,
  other: number,
  empty: number,
  side: number,
  isKing: boolean,
): number {
  let count = 0;
  for (const { turn, jumps } of directionsOf(side, isKing)) {
    const over = rotate(from, turn);
    const to = rotate(over, turn);
    if ((from & jumps) === 0 || (over & other) === 0 || (to & empty) === 0) continue;
    count += countJumps(to, other ^ over, empty, side, isKing) || 1;
  }
  return count;
}
