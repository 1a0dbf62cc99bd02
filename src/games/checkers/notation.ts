/** Moves as players write them: `11-15`, `11x18`, and where two captures share both ends `11x18x25`. */

import { cellOfSquare, squareOfCell } from './board.ts';
import type { Move } from './moves.ts';

/** Squares 1 to 32 with a dash or a cross between: two of them, or every one landed on. */
const WRITTEN = /^([1-9][0-9]?)(?:[-x]([1-9][0-9]?)){1,12}$/;

/** The shortest text that means this of the legal moves and no other. */
export function writeMove(move: Move, legal: readonly Move[]): string {
  const { from, to, between, captured } = move;
  const isOnly = legal.every((each) => each === move || each.from !== from || each.to !== to);
  const cells = isOnly ? [from, to] : [from, ...between, to];
  return cells.map(squareOfCell).join(captured === 0 ? '-' : 'x');
}

/**
 * The legal move that a text means; null when it means none, or several. Reads what `writeMove`
 * writes, captures with all their squares, and captures written with a dash, as older books have them.
 */
export function readMove(text: string, legal: readonly Move[]): Move | null {
  if (!WRITTEN.test(text)) return null;
  const isStep = (legal[0]?.captured ?? 0) === 0;
  if (isStep && text.includes('x')) return null;
  const cells = text.split(/[-x]/).map((square) => cellOfSquare(Number(square)));
  const fitting = legal.filter(({ from, to, between }) => {
    if (from !== cells[0] || to !== cells.at(-1)) return false;
    return cells.length === 2 || isSame(cells, [from, ...between, to]);
  });
  return fitting.length === 1 ? fitting[0]! : null;
}

function isSame(a: readonly (number | null)[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((cell, index) => cell === b[index]);
}
