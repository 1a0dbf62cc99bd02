/** A move set up while it is the other's turn: made of two presses, played once it is legal. Pure. */

import type { Option } from './choice.ts';
import type { Cells } from './routes.ts';

export type Premove =
  /** Only the piece is chosen. */
  | { readonly kind: 'from'; readonly from: number }
  | { readonly kind: 'set'; readonly from: number; readonly to: number };

/** What a press makes of it; null is none. */
export function pressPremove(
  premove: Premove | null,
  cell: number,
  cells: Cells,
  seat: number,
): Premove | null {
  const isOwn = cells[cell]?.seat === seat;
  if (premove === null) return isOwn ? { kind: 'from', from: cell } : null;
  // A press on any cell takes back what is set up.
  if (premove.kind === 'set' || cell === premove.from) return null;
  // An own piece there may have moved on by then only by this player's own hand: it is chosen instead.
  return isOwn ? { kind: 'from', from: cell } : { kind: 'set', from: premove.from, to: cell };
}

/** The move to be played now; null where none fits, or several do. */
export function fittingMove(
  { from, to }: Extract<Premove, { kind: 'set' }>,
  options: readonly Option[],
): Option | null {
  const fitting = options.filter(({ action }) => action.from === from && action.to === to);
  const texts = new Set(fitting.map(({ action }) => JSON.stringify(action)));
  return texts.size === 1 ? fitting[0]! : null;
}
