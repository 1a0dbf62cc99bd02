/** Shapes that distinguish the seats of ludo without colour: a circle, a square, a triangle, a hexagon. */

import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';

/** Corners of each seat's shape on a circle of radius 1; none means the circle itself. */
const CORNERS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [
    [-0.84, -0.84],
    [0.84, -0.84],
    [0.84, 0.84],
    [-0.84, 0.84],
  ],
  [
    [0, -1.14],
    [1.08, 0.76],
    [-1.08, 0.76],
  ],
  [
    [0, -1.06],
    [0.92, -0.53],
    [0.92, 0.53],
    [0, 1.06],
    [-0.92, 0.53],
    [-0.92, -0.53],
  ],
];

/** A seat's shape around the origin. */
export function makeShape(seat: Seat, className: string, radius: number): SVGElement {
  const corners = CORNERS[seat] ?? [];
  if (corners.length === 0) return svg('circle', { class: className, r: radius });
  const points = corners.map(([x, y]) => `${x * radius},${y * radius}`).join(' ');
  return svg('polygon', { class: className, points });
}

/** A token around the origin, with a number when it is one of several. */
export function makeToken(seat: Seat, number: number | null): SVGGElement {
  return svg(
    'g',
    { class: `lu-body piece-${seat}` },
    svg('g', { transform: 'translate(0 2.4)' }, makeShape(seat, 'lu-shade', 15)),
    makeShape(seat, 'lu-face', 15),
    makeShape(seat, 'lu-inner', 10),
    number === null
      ? null
      : svg('text', { class: 'lu-number', y: seat === 2 ? 6 : 5 }, String(number)),
  );
}
