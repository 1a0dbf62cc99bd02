/** Finds a move that keeps a position's value: its exact score, or at least won, drawn or lost. */

import type { Position } from './bits.ts';
import { CELLS } from './board.ts';
import { lookAhead } from './look-ahead.ts';
import { drop, losesAtOnce, openColumns } from './moves.ts';
import type { Solver } from './solver.ts';

/** 1 won, 0 drawn, -1 lost, for the side to move. */
export type Worth = 1 | 0 | -1;

/** The part of the budget for the exact score, before only the outcome is searched. */
const EXACT_NODES = 300_000;
/** Positions searched behind each column first, then this much more each round. */
const FIRST_NODES = 2_000;
const GROWTH = 8;
/** In a lost position of unknown length: how far ahead a late loss is searched. */
const LOST_PLIES = 14;
const LOST_NODES = 200_000;

/**
 * A column that keeps the exact score of a position without an immediate win: the fastest win, the
 * latest loss. If that takes too long, one that keeps the worth; that it is lost may be known
 * already. Null if `nodesMax` positions are not enough even for this.
 */
export function keepingColumn(
  solver: Solver,
  position: Position,
  nodesMax: number,
  isLost = false,
): number | null {
  const columns = openColumns(position).filter((column) => !losesAtOnce(position, column));
  if (columns.length <= 1) return columns[0] ?? null;
  solver.allow(Math.min(EXACT_NODES, nodesMax));
  const score = solver.solve(position);
  let left = nodesMax - solver.nodes();
  if (score !== null) return columnWith(solver, position, columns, score, left);
  solver.allow(left);
  const worth = isLost ? -1 : findWorth(solver, position);
  left -= solver.nodes();
  if (worth === null) return null;
  return worth < 0
    ? lookAhead(position, columns, LOST_PLIES, LOST_NODES)
    : columnWith(solver, position, columns, worth, left);
}

/** Null when the solver's nodes ran out. */
function findWorth(solver: Solver, position: Position): Worth | null {
  const high = solver.search(position, 0, 1);
  if (high === null) return null;
  if (high > 0) return 1;
  const low = solver.search(position, -1, 0);
  if (low === null) return null;
  return low < 0 ? -1 : 0;
}

/**
 * The first column proved to lead to at least a score: after the position was solved the table
 * knows one. Null if `nodesMax` positions per column prove none.
 */
function columnWith(
  solver: Solver,
  position: Position,
  columns: readonly number[],
  least: number,
  nodesMax: number,
): number | null {
  let open = columns;
  for (let nodes = FIRST_NODES; open.length > 0; nodes *= GROWTH) {
    const unknown: number[] = [];
    for (const column of open) {
      const next = drop(position, column);
      if (next.plies === CELLS) return column;
      solver.allow(Math.min(nodes, nodesMax));
      const score = solver.search(next, -least, 1 - least);
      if (score === null) unknown.push(column);
      else if (-score >= least) return column;
    }
    if (nodes >= nodesMax) return null;
    open = unknown;
  }
  return null;
}
