/** The score of every column of a position, for `matchd solve` and for tests of bots. */

import type { Position } from './bits.ts';
import { FROM_MIDDLE } from './bits.ts';
import { CELLS, COLUMNS } from './board.ts';
import { drop, openColumns, winsBy } from './moves.ts';
import type { Solver } from './solver.ts';

export interface Analysis {
  /** The score of the position for the side to move, from -18 to 18. */
  readonly score: number;
  /** A column with that score, 0 to 6; of several the one nearest to the middle. */
  readonly best: number;
  /** By column; null if it is full. */
  readonly columns: readonly (number | null)[];
}

/** The empty board, which takes a solver most of an hour (GAMES: published scores). */
const EMPTY_BOARD: Analysis = { score: 1, best: 3, columns: [-2, -1, 0, 1, 0, -1, -2] };

/** The game must not be over. Null if the solver's nodes ran out. */
export function analyse(solver: Solver, position: Position): Analysis | null {
  if (position.plies === 0) return EMPTY_BOARD;
  const columns: (number | null)[] = Array.from({ length: COLUMNS }, () => null);
  for (const column of openColumns(position)) {
    const score = scoreOf(solver, position, column);
    if (score === null) return null;
    columns[column] = score;
  }
  const score = Math.max(...columns.map((each) => each ?? -Infinity));
  return { score, best: FROM_MIDDLE.find((column) => columns[column] === score)!, columns };
}

/** The score of a stone in an open column, for its player. Null if the nodes ran out. */
function scoreOf(solver: Solver, position: Position, column: number): number | null {
  if (winsBy(position, column)) return (CELLS + 1 - position.plies) >> 1;
  const next = drop(position, column);
  if (next.plies === CELLS) return 0;
  const score = solver.solve(next);
  return score === null ? null : 0 - score;
}
