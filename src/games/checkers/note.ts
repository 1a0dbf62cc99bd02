/** What a search knows of a position, as one number. */

import { DECIDED } from './deepening.ts';

/** How a remembered value is to be read: as it is, as at least so much, or as at most. */
export const EXACT = 0;
export const AT_LEAST = 1;
export const AT_MOST = 2;
export type Bound = typeof EXACT | typeof AT_LEAST | typeof AT_MOST;

/** From the lowest bit: 1 for the side, 2 for the bound, 8 for a depth of 0 to 255, 16 for the value. */
const BOUND_SHIFT = 1;
const DEPTH_SHIFT = 3;
const VALUE_SHIFT = 11;
const VALUE_OFFSET = 1 << 15;

/** What is known of a position, as one number; 0 is never one. */
export const noteValue = (note: number): number => ((note >>> VALUE_SHIFT) & 0xffff) - VALUE_OFFSET;
export const noteDepth = (note: number): number => (note >>> DEPTH_SHIFT) & 0xff;
export const noteBound = (note: number): number => (note >>> BOUND_SHIFT) & 3;

/** `value` within 16 bits, `depth` from 0 to 255. */
export function makeNote(value: number, depth: number, bound: Bound, side: number): number {
  return (
    ((value + VALUE_OFFSET) << VALUE_SHIFT) | (depth << DEPTH_SHIFT) | (bound << BOUND_SHIFT) | side
  );
}

/** Wins and losses are remembered by how far they are from the position, not from the root. */
export function valueFrom(value: number, ply: number): number {
  if (value > DECIDED) return value + ply;
  return value < -DECIDED ? value - ply : value;
}

export function valueAt(value: number, ply: number): number {
  if (value > DECIDED) return value - ply;
  return value < -DECIDED ? value + ply : value;
}
