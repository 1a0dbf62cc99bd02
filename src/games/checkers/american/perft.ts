/** Counts move sequences of American checkers, to check all move generators and their speed. */

import type { Position } from './board.ts';
import { countMoves, SUCCESSOR_LENGTH, SUCCESSORS_MAX, writeSuccessors } from './successors.ts';

/** As in `RuleSet`. The last move is counted without being made. */
export function perft({ red, black, kings, turn }: Position, depth: number): number {
  if (depth === 0) return 1;
  const list = new Int32Array(depth * SUCCESSORS_MAX * SUCCESSOR_LENGTH);
  const [own, other] = turn === 0 ? [red, black] : [black, red];
  // Signed, like all integers of bit operations: mixing them with others is slower.
  return countBelow(list, 0, own | 0, other | 0, kings | 0, turn, depth);
}

function countBelow(
  list: Int32Array,
  at: number,
  own: number,
  other: number,
  kings: number,
  side: number,
  depth: number,
): number {
  if (depth === 1) return countMoves(own, other, kings, side);
  const end = writeSuccessors(list, at, own, other, kings, side);
  let count = 0;
  for (let next = at; next < end; next += SUCCESSOR_LENGTH) {
    count += countBelow(
      list,
      end,
      list[next + 1]!,
      list[next]!,
      list[next + 2]!,
      side ^ 1,
      depth - 1,
    );
  }
  return count;
}
