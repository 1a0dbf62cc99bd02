/** The order in which a search examines moves: the earlier the best one comes, the fewer it examines. */

import { SUCCESSOR_LENGTH, SUCCESSORS_MAX } from './successors.ts';

/** Lists of successors, those of a ply after those of the ply before, and their values. */
export interface Order {
  readonly list: Int32Array;
  /** How promising each entry of `list` is, by its number. */
  readonly promise: Int32Array;
  /** How good a step was when it was best, by side, from and to. */
  readonly merit: Int32Array;
}

const SQUARE_BITS = 5;
/** Higher than any merit: a search is not deep enough for that. */
const REMEMBERED = 0x7fffffff;

export function makeOrder(plies: number): Order {
  const entries = (plies + 1) * SUCCESSORS_MAX;
  return {
    list: new Int32Array(entries * SUCCESSOR_LENGTH),
    promise: new Int32Array(entries),
    merit: new Int32Array(1 << (2 * SQUARE_BITS + 1)),
  };
}

/**
 * Rates the successors from `at` to `end`. `best` is the mover's pieces after the previously best
 * move, or `own` for none.
 */
export function promiseAll(
  { list, promise, merit }: Order,
  at: number,
  end: number,
  own: number,
  other: number,
  side: number,
  best: number,
): void {
  for (let next = at; next < end; next += SUCCESSOR_LENGTH) {
    const after = list[next]!;
    let worth = 0;
    if (after === best) worth = REMEMBERED;
    else if (list[next + 1] === other) worth = merit[meritIndex(own, after, side)]!;
    promise[next / SUCCESSOR_LENGTH] = worth;
  }
}

/** Moves the most promising of the successors from `next` on to `next`. */
export function bringBest({ list, promise }: Order, next: number, end: number): void {
  let best = next;
  for (let at = next + SUCCESSOR_LENGTH; at < end; at += SUCCESSOR_LENGTH) {
    if (promise[at / SUCCESSOR_LENGTH]! > promise[best / SUCCESSOR_LENGTH]!) best = at;
  }
  if (best === next) return;
  swap(promise, next / SUCCESSOR_LENGTH, best / SUCCESSOR_LENGTH);
  for (let part = 0; part < SUCCESSOR_LENGTH; part += 1) swap(list, next + part, best + part);
}

/** A step, by the pieces before and after it, was best at this depth. */
export function praise(
  { merit }: Order,
  own: number,
  after: number,
  side: number,
  depth: number,
): void {
  merit[meritIndex(own, after, side)]! += depth * depth;
}

function meritIndex(own: number, after: number, side: number): number {
  const from = 31 - Math.clz32(own & ~after);
  const to = 31 - Math.clz32(after & ~own);
  return (side << (2 * SQUARE_BITS)) | (from << SQUARE_BITS) | to;
}

function swap(values: Int32Array, a: number, b: number): void {
  const value = values[a]!;
  values[a] = values[b]!;
  values[b] = value;
}
