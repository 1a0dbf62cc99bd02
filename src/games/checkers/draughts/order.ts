/** The order in which a draughts search examines listed moves: the proven ones first. */

import type { Lister } from './lister.ts';
import { CAPTURED, FROM, MOVE_LENGTH, TO } from './lister.ts';

/** Listed moves, by the number of their record. */
export interface Order {
  /** Where the record of the move with that index begins. */
  readonly records: number[];
  /** How promising that move is. */
  readonly promise: number[];
  /** How good a step was when it was best, by seat and mark. */
  readonly merit: Int32Array;
}

const SQUARE_BITS = 8;
/** Higher than any merit: a search is not deep enough for that. */
const REMEMBERED = 0x3fffffff;

export function makeOrder(): Order {
  return { records: [], promise: [], merit: new Int32Array(1 << (2 * SQUARE_BITS + 1)) };
}

/** Both ends of a listed move as one number above 0. */
export function markOf({ moves }: Lister, at: number): number {
  return (moves[at + FROM]! << SQUARE_BITS) | moves[at + TO]!;
}

const meritIndex = (mark: number, seat: number): number => (seat << (2 * SQUARE_BITS)) | mark;

/** Lists the moves from `at` to `end` in their order; `best` is a mark or 0. */
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

/** Moves the most promising move from an index on to that index; returns where its record begins. */
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
