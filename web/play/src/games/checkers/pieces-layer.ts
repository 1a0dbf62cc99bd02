/** The pieces on the board: follows every position, and animates moves along their path. */

import { svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import type { Lay } from './ground.ts';
import { centreOf } from './ground.ts';
import { makeDraught } from './pieces.ts';
import type { Cells, Piece, Route } from './routes.ts';

/** The durations of a step, of a jump, and of a captured piece's removal. Milliseconds. */
const STEP_MS = 190;
const JUMP_MS = 290;
const FADE_MS = 220;

interface Standing {
  readonly element: SVGGElement;
  readonly piece: Piece;
}

export interface PiecesLayer {
  readonly element: SVGGElement;
  /** Forgets all pieces before another board is shown. */
  reset(lay: Lay): void;
  /** Shows a position; `route` is the move that led to it, to be animated. */
  show(cells: Cells, route: Route | null): void;
  /** The piece of a cell; null if it is empty. */
  pieceAt(cell: number): SVGGElement | null;
  /** Puts a piece somewhere else temporarily: onto a cell, or a point of the drawing. */
  hold(cell: number, at: number | readonly [number, number]): void;
}

export function makePiecesLayer(): PiecesLayer {
  const element = svg('g', { class: 'ck-pieces', 'aria-hidden': 'true' });
  const standing = new Map<number, Standing>();
  let lay: Lay | null = null;
  const put = ({ element: piece }: Standing, [x, y]: readonly [number, number]): void => {
    piece.style.transform = `translate(${x}px, ${y}px)`;
  };
  return {
    element,
    reset(next) {
      lay = next;
      standing.clear();
      element.replaceChildren();
    },
    show(cells, route) {
      if (lay === null) return;
      if (route !== null && movesFreely()) walk(standing, route, lay, element);
      settle(standing, cells, lay, element, put);
    },
    pieceAt: (cell) => standing.get(cell)?.element ?? null,
    hold(cell, at) {
      const piece = standing.get(cell);
      if (piece === undefined || lay === null) return;
      put(piece, typeof at === 'number' ? centreOf(at, lay) : at);
    },
  };
}

/** Updates the pieces to a position. */
function settle(
  standing: Map<number, Standing>,
  cells: Cells,
  lay: Lay,
  element: SVGGElement,
  put: (piece: Standing, at: readonly [number, number]) => void,
): void {
  for (const [cell, { element: old, piece }] of [...standing]) {
    if (cells[cell]?.seat === piece.seat) continue;
    old.remove();
    standing.delete(cell);
  }
  for (const [cell, piece] of cells.entries()) {
    if (piece === null) continue;
    const found = standing.get(cell);
    const shown = { element: found?.element ?? makeDraught(piece.seat), piece };
    if (found === undefined) element.append(shown.element);
    shown.element.classList.toggle('is-king', piece.king);
    standing.set(cell, shown);
    put(shown, centreOf(cell, lay));
  }
}

/** Moves the piece along its path, and removes jumped pieces as it passes. */
function walk(
  standing: Map<number, Standing>,
  { cells, captured }: Route,
  lay: Lay,
  element: SVGGElement,
): void {
  const moving = standing.get(cells[0]!);
  if (moving === undefined) return;
  standing.delete(cells[0]!);
  // A king can end where it began.
  for (const over of captured) {
    const taken = standing.get(over);
    if (taken === undefined) continue;
    standing.delete(over);
    fade(taken.element, (captured.indexOf(over) + 0.6) * JUMP_MS);
  }
  standing.set(cells.at(-1)!, moving);
  element.append(moving.element);
  const isJump = captured.length > 0;
  const legs = cells.length - 1;
  const frames = cells.flatMap((cell, n) => {
    const [x, y] = centreOf(cell, lay);
    const here = {
      transform: `translate(${x}px, ${y}px)`,
      offset: n / legs,
      easing: 'ease-in-out',
    };
    if (!isJump || n === legs) return [here];
    const [toX, toY] = centreOf(cells[n + 1]!, lay);
    const middle = `translate(${(x + toX) / 2}px, ${(y + toY) / 2}px) scale(1.13)`;
    return [here, { transform: middle, offset: (n + 0.5) / legs, easing: 'ease-in-out' }];
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
