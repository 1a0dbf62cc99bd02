/** A table entry for a position, packed in one number. */

import { DECIDED } from './deepening.ts';

/** The kind of a stored value: exact, a lower bound, or an upper bound. */
const EXACT = 0;
const AT_LEAST = 1;
const AT_MOST = 2;

/** From the lowest bit: 1 for the side, 2 for the bound, 8 for a depth of 0 to 255, 16 for the value. */
const BOUND_SHIFT = 1;
const DEPTH_SHIFT = 3;
const VALUE_SHIFT = 11;
const VALUE_OFFSET = 1 << 15;

/** No value: the entry says nothing about the position's value. */
export const OPEN = VALUE_OFFSET;

/**
 * The note of a position that was searched between `alpha` and `beta`, `ply` plies from the root;
 * never 0. `best` within 16 bits, `depth` from 0 to 255.
 */
export function makeNote(
  best: number,
  alpha: number,
  beta: number,
  ply: number,
  depth: number,
  side: number,
): number {
  const value = valueFrom(best, ply) + VALUE_OFFSET;
  const bound = best >= beta ? AT_LEAST : best > alpha ? EXACT : AT_MOST;
  return (value << VALUE_SHIFT) | (depth << DEPTH_SHIFT) | (bound << BOUND_SHIFT) | side;
}

/** The result of a search to this depth between `alpha` and `beta`, if the entry gives it; otherwise `OPEN`. */
export function readNote(
  note: number,
  alpha: number,
  beta: number,
  ply: number,
  depth: number,
): number {
  if (((note >>> DEPTH_SHIFT) & 0xff) < depth) return OPEN;
  const value = valueAt(((note >>> VALUE_SHIFT) & 0xffff) - VALUE_OFFSET, ply);
  const bound = (note >>> BOUND_SHIFT) & 3;
  if (bound === EXACT) return value;
  return (bound === AT_LEAST ? value >= beta : value <= alpha) ? value : OPEN;
}

/** Wins and losses are stored by their distance from the position, not from the root. */
function valueFrom(value: number, ply: number): number {
  if (value > DECIDED) return value + ply;
  return value < -DECIDED ? value - ply : value;
}

function valueAt(value: number, ply: number): number {
  if (value > DECIDED) return value - ply;
  return value < -DECIDED ? value + ply : value;
}
