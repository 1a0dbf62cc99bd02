/** The pieces on the board: follows every position, and animates moves along their path. */

import { svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import type { Layout } from './ground.ts';
import { centreOf } from './ground.ts';
import { makeDraught } from './pieces.ts';
import type { Cells, Piece, Route } from './routes.ts';

/** The durations of a step, of a jump, and of a captured piece's removal. Milliseconds. */
const STEP_MS = 190;
const JUMP_MS = 290;
const FADE_MS = 220;

interface PlacedPiece {
  readonly element: SVGGElement;
  readonly piece: Piece;
}

export interface PiecesLayer {
  readonly element: SVGGElement;
  /** Forgets all pieces before another board is shown. */
  reset(layout: Layout): void;
  /** Shows a position; `route` is the move that led to it, to be animated. */
  show(cells: Cells, route: Route | null): void;
  /** The piece of a cell; null if it is empty. */
  pieceAt(cell: number): SVGGElement | null;
  /** Puts a piece somewhere else temporarily: onto a cell, or a point of the drawing. */
  hold(cell: number, at: number | readonly [number, number]): void;
}

export function makePiecesLayer(): PiecesLayer {
  const element = svg('g', { class: 'ck-pieces', 'aria-hidden': 'true' });
  const placed = new Map<number, PlacedPiece>();
  let layout: Layout | null = null;
  const put = ({ element: piece }: PlacedPiece, [x, y]: readonly [number, number]): void => {
    piece.style.transform = `translate(${x}px, ${y}px)`;
  };
  return {
    element,
    reset(next) {
      layout = next;
      placed.clear();
      element.replaceChildren();
    },
    show(cells, route) {
      if (layout === null) return;
      if (route !== null && movesFreely()) walk(placed, route, layout, element);
      settle(placed, cells, layout, element, put);
    },
    pieceAt: (cell) => placed.get(cell)?.element ?? null,
    hold(cell, at) {
      const piece = placed.get(cell);
      if (piece === undefined || layout === null) return;
      put(piece, typeof at === 'number' ? centreOf(at, layout) : at);
    },
  };
}

/** Updates the pieces to a position. */
function settle(
  placed: Map<number, PlacedPiece>,
  cells: Cells,
  layout: Layout,
  element: SVGGElement,
  put: (piece: PlacedPiece, at: readonly [number, number]) => void,
): void {
  for (const [cell, { element: old, piece }] of [...placed]) {
    if (cells[cell]?.seat === piece.seat) continue;
    old.remove();
    placed.delete(cell);
  }
  for (const [cell, piece] of cells.entries()) {
    if (piece === null) continue;
    const found = placed.get(cell);
    const shown = { element: found?.element ?? makeDraught(piece.seat), piece };
    if (found === undefined) element.append(shown.element);
    shown.element.classList.toggle('is-king', piece.king);
    placed.set(cell, shown);
    put(shown, centreOf(cell, layout));
  }
}

/** Moves the piece along its path, and removes jumped pieces as it passes. */
function walk(
  placed: Map<number, PlacedPiece>,
  { cells, captured }: Route,
  layout: Layout,
  element: SVGGElement,
): void {
  const moving = placed.get(cells[0]!);
  if (moving === undefined) return;
  placed.delete(cells[0]!);
  // A king can end where it began.
  for (const over of captured) {
    const taken = placed.get(over);
    if (taken === undefined) continue;
    placed.delete(over);
    fade(taken.element, (captured.indexOf(over) + 0.6) * JUMP_MS);
  }
  placed.set(cells.at(-1)!, moving);
  element.append(moving.element);
  const isJump = captured.length > 0;
  const legs = cells.length - 1;
  const frames = cells.flatMap((cell, n) => {
    const [x, y] = centreOf(cell, layout);
    const frame = {
      transform: `translate(${x}px, ${y}px)`,
      offset: n / legs,
      easing: 'ease-in-out',
    };
    if (!isJump || n === legs) return [frame];
    const [toX, toY] = centreOf(cells[n + 1]!, layout);
    const middle = `translate(${(x + toX) / 2}px, ${(y + toY) / 2}px) scale(1.13)`;
    return [frame, { transform: middle, offset: (n + 0.5) / legs, easing: 'ease-in-out' }];
  });
  moving.element.animate(frames, { duration: legs * (isJump ? JUMP_MS : STEP_MS) });
}

function fade(element: SVGGElement, delay: number): void {
  const goes = element.animate([{ opacity: 1 }, { opacity: 0 }], {
    duration: FADE_MS,
    delay,
    fill: 'both',
  });
  goes.onfinish = () => element.remove();
  goes.oncancel = () => element.remove();
}
