/** Moves in players' notation: `11-15`, `c3:e5`, and if two captures share both ends `11x18x25`. */

import type { Dialect } from './dialect.ts';
import { cellOfSquare, squareOfCell } from './dialect.ts';
import type { Move } from './rule-set.ts';

/** Squares with a dash, a cross or a colon in between: two of them, or also those landed on. */
const WRITTEN = /^([1-9][0-9]?|[a-h][1-8])(?:[-x:](?:[1-9][0-9]?|[a-h][1-8])){1,20}$/;

/** The shortest text that means this legal move and no other. */
export function writeMove(dialect: Dialect, move: Move, legal: readonly Move[]): string {
  const { from, to, ways, isCapture } = move;
  const isOnly = legal.filter((each) => each.from === from && each.to === to).length === 1;
  const cells = isOnly ? [from, to] : [from, ...ways[0], to];
  const sign = isCapture ? dialect.captureSign : '-';
  return cells.map((cell) => squareOfCell(dialect, cell)).join(sign);
}

/**
 * The legal move that a text means; null if it means none, or several. Accepts what `writeMove`
 * writes, captures with all their squares by any path, and captures with a dash, as in older books.
 * If several share both ends, the ends alone mean the one with a single jump.
 */
export function readMove<M extends Move>(
  dialect: Dialect,
  text: string,
  legal: readonly M[],
): M | null {
  if (!WRITTEN.test(text)) return null;
  const isStep = legal[0]?.isCapture !== true;
  if (isStep && /[x:]/.test(text)) return null;
  const cells = text.split(/[-x:]/).map((square) => cellOfSquare(dialect, square));
  const sharing = legal.filter(({ from, to }) => from === cells[0] && to === cells.at(-1));
  if (sharing.length === 1 && cells.length === 2) return sharing[0]!;
  const isWhole = ({ from, to, ways }: M) => ways.some((way) => isSame(cells, [from, ...way, to]));
  return sharing.find(isWhole) ?? null;
}

function isSame(a: readonly (number | null)[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((cell, index) => cell === b[index]);
}
