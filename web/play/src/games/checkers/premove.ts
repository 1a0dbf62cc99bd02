/**
 * A move set up during the other player's turn: a path pressed square by square, played once it is
 * legal. Pure.
 */

import type { Option } from './choice.ts';
import type { Cells, Gait } from './routes.ts';
import { edgeOf, isFarRow, takenBy } from './routes.ts';

/** The pressed squares: the piece's square, alone while nothing more is chosen, and its landings. */
export type Premove = readonly number[];

/** The position that a premove is based on. */
export interface Position {
  readonly cells: Cells;
  readonly seat: number;
  readonly gait: Gait;
}

/** Whether it is a move, not only a selected piece. */
export const isSet = (premove: Premove | null): premove is Premove =>
  premove !== null && premove.length > 1;

/** The premove after a press; null for none. */
export function pressPremove(
  premove: Premove | null,
  cell: number,
  position: Position,
): Premove | null {
  const isOwn = position.cells[cell]?.seat === position.seat;
  if (premove === null) return isOwn ? [cell] : null;
  // A multiple capture continues from its landing; any other press cancels the premove.
  if (isSet(premove)) {
    return canGoOn(premove, position) && canJump(premove, cell, position)
      ? [...premove, cell]
      : null;
  }
  if (cell === premove[0]) return null;
  // An own piece blocks that square, unless it can be captured: the press selects it instead.
  return isOwn && !canJump(premove, cell, position) ? [cell] : [...premove, cell];
}

/** Whether all its steps look like jumps. The pieces to jump may not be there yet. */
export function canGoOn(premove: Premove, position: Position): boolean {
  return (
    isSet(premove) &&
    premove.slice(1).every((cell, n) => canJump(premove.slice(0, n + 1), cell, position))
  );
}

/** Whether a piece on this path can jump there, if a piece is in between by then. */
function canJump(path: Premove, to: number, { cells, seat, gait }: Position): boolean {
  const [start, at] = [path[0]!, path.at(-1)!];
  const between = cellsBetween(at, to, edgeOf(cells));
  if (between === null || between.length === 0) return false;
  const isCrowned =
    gait.crownedOnTheWay && path.some((cell) => isFarRow(cell, edgeOf(cells), seat));
  const isKing = cells[start]?.king === true || isCrowned;
  if (between.length > 1 && !(isKing && gait.kingsFly)) return false;
  const isForward = seat === 0 ? to < at : to > at;
  if (!isKing && !gait.menCaptureBack && !isForward) return false;
  // Own pieces stay where they are, except the moving one, and those that can be captured first.
  const own = [...between, to].filter((cell) => cell !== start && cells[cell]?.seat === seat);
  if (own.length === 0) return true;
  const taken = takenBy(1 - seat, cells, gait);
  return own.every((cell) => taken.has(cell));
}

/** The cells between two cells of a diagonal; null if they share none. */
function cellsBetween(from: number, to: number, edge: number): readonly number[] | null {
  const down = Math.floor(to / edge) - Math.floor(from / edge);
  const right = (to % edge) - (from % edge);
  if (down === 0 || Math.abs(down) !== Math.abs(right)) return null;
  const step = Math.sign(down) * edge + Math.sign(right);
  return Array.from({ length: Math.abs(down) - 1 }, (_, n) => from + (n + 1) * step);
}

/** The opponent's pieces that are in its way now. */
export function inTheWay(premove: Premove, { cells, seat }: Omit<Position, 'gait'>): number[] {
  return premove
    .slice(1)
    .flatMap((to, n) => cellsBetween(premove[n]!, to, edgeOf(cells)) ?? [])
    .filter((cell) => cells[cell]?.seat === 1 - seat);
}

/** The move to be played now: the one with those ends and all those squares. Null for none or several. */
export function fittingMove(premove: Premove, options: readonly Option[]): Option | null {
  const fitting = options.filter(
    ({ action, route }) =>
      action.from === premove[0] && action.to === premove.at(-1) && passesAll(route.cells, premove),
  );
  const texts = new Set(fitting.map(({ action }) => JSON.stringify(action)));
  return texts.size === 1 ? fitting[0]! : null;
}

/** Whether the path has those squares in that order. */
function passesAll(path: readonly number[], squares: readonly number[]): boolean {
  let next = 0;
  for (const cell of path) if (cell === squares[next]) next += 1;
  return next === squares.length;
}
