/** Steps and jumps of all pieces of a side at once. */

import { squaresWhere } from './board.ts';

/** Squares from which one step, or a jump of two, that way stays on the board. */
const STEPS_UP_LEFT = squaresWhere((rank, file) => rank < 7 && file > 0);
const STEPS_UP_RIGHT = squaresWhere((rank, file) => rank < 7 && file < 7);
const STEPS_DOWN_LEFT = squaresWhere((rank, file) => rank > 0 && file > 0);
const STEPS_DOWN_RIGHT = squaresWhere((rank, file) => rank > 0 && file < 7);
const JUMPS_UP_LEFT = squaresWhere((rank, file) => rank < 6 && file > 1);
const JUMPS_UP_RIGHT = squaresWhere((rank, file) => rank < 6 && file < 6);
const JUMPS_DOWN_LEFT = squaresWhere((rank, file) => rank > 1 && file > 1);
const JUMPS_DOWN_RIGHT = squaresWhere((rank, file) => rank > 1 && file < 6);

/** A direction: how far its bits rotate to the left, and from which squares one can step and jump. */
export interface Direction {
  readonly turn: number;
  readonly steps: number;
  readonly jumps: number;
}

const UP: readonly Direction[] = [
  { turn: 7, steps: STEPS_UP_LEFT, jumps: JUMPS_UP_LEFT },
  { turn: 1, steps: STEPS_UP_RIGHT, jumps: JUMPS_UP_RIGHT },
];
const DOWN: readonly Direction[] = [
  { turn: 31, steps: STEPS_DOWN_LEFT, jumps: JUMPS_DOWN_LEFT },
  { turn: 25, steps: STEPS_DOWN_RIGHT, jumps: JUMPS_DOWN_RIGHT },
];
const BOTH: readonly Direction[] = [...UP, ...DOWN];

/** The directions of a king, or of a man of that seat. */
export function directionsOf(seat: number, isKing: boolean): readonly Direction[] {
  if (isKing) return BOTH;
  return seat === 0 ? UP : DOWN;
}

/** Moves all squares of a set by that many bits, with rotation. JavaScript takes shifts modulo 32. */
export function rotate(squares: number, by: number): number {
  return (squares << by) | (squares >>> -by);
}

/*
 * The following functions run for every position that is counted or searched, so the rotations are
 * written out, and a side is given as `up` and `down`, its pieces that move up and those that move
 * down. Men are in one of them, kings in both.
 */

/** Pieces with an empty square up to the left; and so on. */
export const stepUpLeft = (up: number, empty: number): number =>
  up & STEPS_UP_LEFT & ((empty >>> 7) | (empty << 25));
export const stepUpRight = (up: number, empty: number): number =>
  up & STEPS_UP_RIGHT & ((empty >>> 1) | (empty << 31));
export const stepDownLeft = (down: number, empty: number): number =>
  down & STEPS_DOWN_LEFT & ((empty << 1) | (empty >>> 31));
export const stepDownRight = (down: number, empty: number): number =>
  down & STEPS_DOWN_RIGHT & ((empty << 7) | (empty >>> 25));

const jumpUpLeft = (up: number, other: number, empty: number): number =>
  up & JUMPS_UP_LEFT & ((other >>> 7) | (other << 25)) & ((empty >>> 14) | (empty << 18));
const jumpUpRight = (up: number, other: number, empty: number): number =>
  up & JUMPS_UP_RIGHT & ((other >>> 1) | (other << 31)) & ((empty >>> 2) | (empty << 30));
const jumpDownLeft = (down: number, other: number, empty: number): number =>
  down & JUMPS_DOWN_LEFT & ((other << 1) | (other >>> 31)) & ((empty << 2) | (empty >>> 30));
const jumpDownRight = (down: number, other: number, empty: number): number =>
  down & JUMPS_DOWN_RIGHT & ((other << 7) | (other >>> 25)) & ((empty << 14) | (empty >>> 18));

/** The pieces that can capture one of `other`. */
export function jumpers(up: number, down: number, other: number, empty: number): number {
  const found = jumpUpLeft(up, other, empty) | jumpUpRight(up, other, empty);
  if (down === 0) return found;
  return found | jumpDownLeft(down, other, empty) | jumpDownRight(down, other, empty);
}

/** The pieces that can step to an empty square. */
export function steppers(up: number, down: number, empty: number): number {
  return (
    stepUpLeft(up, empty) |
    stepUpRight(up, empty) |
    stepDownLeft(down, empty) |
    stepDownRight(down, empty)
  );
}

/** The number of steps. */
export function countSteps(up: number, down: number, empty: number): number {
  let count = 0;
  if (up !== 0) count = countBoth(stepUpLeft(up, empty), stepUpRight(up, empty));
  if (down !== 0) count += countBoth(stepDownLeft(down, empty), stepDownRight(down, empty));
  return count;
}

/** The squares of two sets; one that is in both counts twice. Cheaper than each alone. */
function countBoth(a: number, b: number): number {
  const pairsA = a - ((a >>> 1) & 0x55555555);
  const pairsB = b - ((b >>> 1) & 0x55555555);
  const fours =
    (pairsA & 0x33333333) +
    ((pairsA >>> 2) & 0x33333333) +
    (pairsB & 0x33333333) +
    ((pairsB >>> 2) & 0x33333333);
  return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}
