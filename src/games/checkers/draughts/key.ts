/** Keys of draughts positions: two numbers of 32 bits that hardly two positions share. */

import type { Lister } from './lister.ts';
import {
  ARRIVES,
  CAPTURED,
  CAPTURED_PIECES,
  CAPTURED_SQUARES,
  EMPTY,
  FROM,
  LEAVES,
  TO,
} from './lister.ts';

/** Codes of pieces are below 8, squares below this. */
const SQUARES_MAX = 132;
const PARTS = 8 * SQUARES_MAX;

/** The same pseudo-random numbers every time: a counter, mixed. */
function makeParts(seed: number): Int32Array {
  return Int32Array.from({ length: PARTS }, (_, index) => {
    let mixed = Math.imul(seed + index, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  });
}

/** The two halves of a key: one determines a position's slot in a table, both together identify it. */
export const HALVES: readonly [Int32Array, Int32Array] = [makeParts(1), makeParts(PARTS + 1)];
/** Differs between the seats to move. */
export const SEAT_KEY = 0x5bd1e995;

/** Half of the key of a board. */
export function keyOf({ pieces, geometry }: Lister, half: Int32Array): number {
  let key = 0;
  for (const square of geometry.squares) {
    const piece = pieces[square]!;
    if (piece !== EMPTY) key ^= half[piece * SQUARES_MAX + square]!;
  }
  return key;
}

/** How the move with that record changes half of a key. */
export function keyChange({ moves }: Lister, at: number, half: Int32Array): number {
  let change =
    half[moves[at + LEAVES]! * SQUARES_MAX + moves[at + FROM]!]! ^
    half[moves[at + ARRIVES]! * SQUARES_MAX + moves[at + TO]!]!;
  const captured = moves[at + CAPTURED]!;
  for (let n = 0; n < captured; n += 1) {
    const piece = moves[at + CAPTURED_PIECES + n]!;
    change ^= half[piece * SQUARES_MAX + moves[at + CAPTURED_SQUARES + n]!]!;
  }
  return change;
}
