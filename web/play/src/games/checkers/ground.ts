/** The board of checkers without its pieces: the playable squares, each a cell to press. */

import { makeFocusRing, svg } from '../../ui/dom.ts';
import { isPlayed, squareName } from './squares.ts';

/** Units of the drawing: a square's side and the frame's width. */
const SIDE = 100;
const FRAME = 22;

/** The shape and orientation of a board. */
export interface Layout {
  readonly edge: number;
  readonly variant: string;
  /** Seen from the top: seat 1's own end is then nearest. */
  readonly turned: boolean;
}

/** One square as a cell of the grid. */
export interface Square {
  readonly index: number;
  readonly cell: SVGGElement;
}

/** Middle of a cell as it is drawn. */
export function centreOf(cell: number, { edge, turned }: Layout): readonly [number, number] {
  const at = turned ? edge * edge - 1 - cell : cell;
  return [FRAME + ((at % edge) + 0.5) * SIDE, FRAME + (Math.floor(at / edge) + 0.5) * SIDE];
}

/** The cell under a point of the drawing; null outside the board. */
export function cellAt(x: number, y: number, { edge, turned }: Layout): number | null {
  const column = Math.floor((x - FRAME) / SIDE);
  const row = Math.floor((y - FRAME) / SIDE);
  if (column < 0 || column >= edge || row < 0 || row >= edge) return null;
  const at = row * edge + column;
  return turned ? edge * edge - 1 - at : at;
}

export function sizeOf({ edge }: Layout): number {
  return 2 * FRAME + edge * SIDE;
}

/** The cells of the playable squares, in the order in which they are seen, row by row. */
export function makeSquares(layout: Layout): {
  readonly rows: SVGGElement[];
  readonly squares: Square[];
} {
  const { edge, turned } = layout;
  const seen = Array.from({ length: edge * edge }, (_, at) => (turned ? edge * edge - 1 - at : at));
  const squares = seen
    .filter((cell) => isPlayed(cell, edge))
    .map((index) => ({ index, cell: makeSquare(index, layout) }));
  const perRow = edge / 2;
  const rows = Array.from({ length: edge }, (_, row) => {
    const cells = squares.slice(row * perRow, (row + 1) * perRow).map(({ cell }) => cell);
    return svg('g', { role: 'row' }, ...cells);
  });
  return { rows, squares };
}

function makeSquare(index: number, layout: Layout): SVGGElement {
  const [x, y] = centreOf(index, layout);
  const box = { x: -SIDE / 2, y: -SIDE / 2, width: SIDE, height: SIDE };
  const inner = { x: 5 - SIDE / 2, y: 5 - SIDE / 2, width: SIDE - 10, height: SIDE - 10, rx: 10 };
  return svg(
    'g',
    { class: 'ck-cell', role: 'gridcell', transform: `translate(${x} ${y})`, 'data-cell': index },
    svg('rect', { class: 'ck-square', ...box }),
    svg(
      'text',
      { class: 'ck-number', x: 5 - SIDE / 2, y: 17 - SIDE / 2, 'aria-hidden': 'true' },
      squareName(index, layout.edge, layout.variant),
    ),
    svg('rect', { class: 'ck-trace', ...box }),
    svg('circle', { class: 'ck-target', r: 17 }),
    svg('circle', { class: 'ck-origin', r: 47 }),
    makeFocusRing(inner),
  );
}

/** The frame and the squares that are not played on. */
export function makeGround(layout: Layout): SVGGElement {
  const size = sizeOf(layout);
  const field = { x: FRAME, y: FRAME, width: size - 2 * FRAME, height: size - 2 * FRAME };
  return svg(
    'g',
    { 'aria-hidden': 'true' },
    svg('rect', { class: 'ck-frame', width: size, height: size, rx: 26 }),
    svg('rect', { class: 'ck-light', ...field }),
  );
}
