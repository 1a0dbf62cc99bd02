/** Evaluates connect four as people do: some plies ahead, then by the threats on the board. */

import type { Position } from './bits.ts';
import { COLUMN_HI, COLUMN_LO, countBits, foursHi, foursLo } from './bits.ts';
import { CELLS } from './board.ts';
import { canWin, drop, losesAtOnce, openColumns, winsBy } from './moves.ts';

/** More than any sum of threats. A faster win is worth more. */
const WIN = 10_000;
/** The second, fourth and sixth row from below: where threats of the second player count. */
const EVEN_ROWS_LO = 0b0101010_0101010_0101010_0101010;
const EVEN_ROWS_HI = 0b0101010_0101010_0101010;
const MIDDLE = 3;

/** A cell that would complete a four, in a row of the right parity and in any other. */
const GOOD_THREAT = 30;
const THREAT = 10;
const MIDDLE_STONE = 3;

/** The value of one side's stones. `isSecond`: it plays the second stone of the game. */
function promise(lo: number, hi: number, position: Position, isSecond: boolean): number {
  const foursInLo = foursLo(lo, hi, position.allLo);
  const foursInHi = foursHi(lo, hi, position.allHi);
  const even = countBits(foursInLo & EVEN_ROWS_LO) + countBits(foursInHi & EVEN_ROWS_HI);
  const odd = countBits(foursInLo & ~EVEN_ROWS_LO) + countBits(foursInHi & ~EVEN_ROWS_HI);
  const inMiddle = countBits(lo & COLUMN_LO[MIDDLE]!) + countBits(hi & COLUMN_HI[MIDDLE]!);
  const [good, other] = isSecond ? [even, odd] : [odd, even];
  return GOOD_THREAT * good + THREAT * other + MIDDLE_STONE * inMiddle;
}

/** The value of a position for the side to move. */
function judge(position: Position): number {
  const { ownLo, ownHi, allLo, allHi, plies } = position;
  const isSecond = plies % 2 === 1;
  return (
    promise(ownLo, ownHi, position, isSecond) -
    promise(ownLo ^ allLo, ownHi ^ allHi, position, !isSecond)
  );
}

/** How many more positions may be examined. The search counts it down. */
interface Budget {
  left: number;
}

function worthOf(
  position: Position,
  depth: number,
  alpha: number,
  beta: number,
  budget: Budget,
): number {
  budget.left -= 1;
  if (position.plies === CELLS) return 0;
  if (canWin(position)) return WIN - position.plies;
  if (depth === 0 || budget.left <= 0) return judge(position);
  let best = -WIN;
  for (const column of openColumns(position)) {
    const low = Math.max(alpha, best);
    const value = -worthOf(drop(position, column), depth - 1, -beta, -low, budget);
    if (value > best) best = value;
    if (best >= beta) break;
  }
  return best;
}

/** The best of some columns, looking at most `plies` ahead and at `nodesMax` positions. */
export function lookAhead(
  position: Position,
  columns: readonly number[],
  plies: number,
  nodesMax: number,
): number {
  const budget: Budget = { left: nodesMax };
  let order = columns;
  // One ply deeper each time: a search that is cut short still has the previous result.
  for (let depth = 1; depth <= plies; depth += 1) {
    const values = new Map<number, number>();
    let best = -Infinity;
    for (const column of order) {
      const value = winsBy(position, column)
        ? WIN
        : -worthOf(drop(position, column), depth - 1, -Infinity, -best, budget);
      values.set(column, value);
      best = Math.max(best, value);
    }
    if (budget.left <= 0) break;
    order = [...order].sort((a, b) => values.get(b)! - values.get(a)!);
    if (best >= WIN - CELLS || best <= CELLS - WIN) break;
  }
  return order[0]!;
}

/** The columns that do not allow an immediate four; all, if every one does. */
export function soundColumns(position: Position): readonly number[] {
  const open = openColumns(position);
  const sound = open.filter((column) => !losesAtOnce(position, column));
  return sound.length === 0 ? open : sound;
}
