/** Which of the listed moves a search of draughts looks at first: those that have proved good. */

import type { Lister } from './lister.ts';
import { CAPTURED, FROM, MOVE_LENGTH, TO } from './lister.ts';

/** Listed moves, by the number of their record. */
export interface Order {
  /** Where the record begins of the move that is looked at in that place. */
  readonly records: number[];
  /** How good that move looks. */
  readonly promise: number[];
  /** How much a step has been worth where it was best, by seat and mark. */
  readonly merit: Int32Array;
}

const SQUARE_BITS = 8;
/** More than any merit: a search does not look deep enough for that. */
const REMEMBERED = 0x3fffffff;

export function makeOrder(): Order {
  return { records: [], promise: [], merit: new Int32Array(1 << (2 * SQUARE_BITS + 1)) };
}

/** Both ends of a listed move as one number above 0. */
export function markOf({ moves }: Lister, at: number): number {
  return (moves[at + FROM]! << SQUARE_BITS) | moves[at + TO]!;
}

const meritIndex = (mark: number, seat: number): number => (seat << (2 * SQUARE_BITS)) | mark;

/** Puts the moves listed from `at` to `end` in the order in which they stand; `best` is a mark or 0. */
export function promiseAll(
  { records, promise, merit }: Order,
  board: Lister,
  at: number,
  end: number,
  seat: number,
  best: number,
): void {
  for (let record = at; record < end; record += MOVE_LENGTH) {
    const place = record / MOVE_LENGTH;
    const mark = markOf(board, record);
    records[place] = record;
    if (mark === best) promise[place] = REMEMBERED;
    else promise[place] = board.moves[record + CAPTURED]! || merit[meritIndex(mark, seat)]!;
  }
}

/** Brings the most promising move from a place on to that place; answers where its record begins. */
export function bringBest({ records, promise }: Order, place: number, places: number): number {
  let best = place;
  for (let at = place + 1; at < places; at += 1) if (promise[at]! > promise[best]!) best = at;
  swap(promise, place, best);
  swap(records, place, best);
  return records[place]!;
}

/** A step was best at this depth. */
export function praise({ merit }: Order, mark: number, seat: number, depth: number): void {
  merit[meritIndex(mark, seat)]! += depth * depth;
}

function swap(values: number[], a: number, b: number): void {
  const value = values[a]!;
  values[a] = values[b]!;
  values[b] = value;
}
