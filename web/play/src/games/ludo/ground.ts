/** The board of ludo without its tokens: yards, the track with its stars, home columns, the goal. */

import { isStar, startSquare } from '../../../../../src/games/ludo/board.ts';
import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';
import { makeShape } from './shapes.ts';
import type { Layout, Point } from './track.ts';
import { cornersOf, EDGE, goalOf, HOME_SQUARES, homeAt, SQUARES, squareAt } from './track.ts';

/** Units of the drawing: a square's side. */
export const UNIT = 40;
export const SIZE = EDGE * UNIT;

const STAR = 'M0 -13 L3.7 -4.4 L13 -4 L5.8 2 L8.2 11 L0 5.9 L-8.2 11 L-5.8 2 L-13 -4 L-3.7 -4.4 Z';

const at = ([x, y]: Point): string => `translate(${x * UNIT} ${y * UNIT})`;

export function makeGround(layout: Layout): SVGGElement {
  const seats = Array.from({ length: layout.seats }, (_, seat) => seat);
  return svg(
    'g',
    { 'aria-hidden': 'true' },
    svg('rect', { class: 'lu-plate', width: SIZE, height: SIZE, rx: 26 }),
    ...cornersOf(layout).map(({ at: point, seat }) => makeYard(point, seat)),
    ...Array.from({ length: SQUARES }, (_, square) => makeSquare(square, layout)),
    ...seats.flatMap((seat) =>
      Array.from({ length: HOME_SQUARES }, (_, n) =>
        makeTile(homeAt(seat, n + 1, layout), `lu-tile is-own piece-${seat}`),
      ),
    ),
    svg('rect', { class: 'lu-goal', x: 6 * UNIT, y: 6 * UNIT, width: 3 * UNIT, height: 3 * UNIT }),
    ...seats.map((seat) =>
      svg('polygon', {
        class: `lu-goal-part piece-${seat}`,
        points: goalOf(seat, layout)
          .map(([x, y]) => `${x * UNIT},${y * UNIT}`)
          .join(' '),
      }),
    ),
  );
}

function makeYard(point: Point, seat: Seat | null): SVGGElement {
  const place = (x: number, y: number): SVGElement =>
    svg('circle', { class: 'lu-spot', cx: x * 1.55 * UNIT, cy: y * 1.55 * UNIT, r: 0.52 * UNIT });
  const half = 2.82 * UNIT;
  const inner = 2.4 * UNIT;
  return svg(
    'g',
    { class: seat === null ? 'lu-yard is-open' : `lu-yard piece-${seat}`, transform: at(point) },
    svg('rect', {
      class: 'lu-yard-frame',
      x: -half,
      y: -half,
      width: 2 * half,
      height: 2 * half,
      rx: 22,
    }),
    svg('rect', {
      class: 'lu-yard-floor',
      x: -inner,
      y: -inner,
      width: 2 * inner,
      height: 2 * inner,
      rx: 16,
    }),
    ...(seat === null ? [] : [place(-1, -1), place(1, -1), place(-1, 1), place(1, 1)]),
  );
}

function makeTile(point: Point, className: string): SVGGElement {
  const side = UNIT - 3;
  return svg(
    'g',
    { class: className, transform: at(point) },
    svg('rect', { x: -side / 2, y: -side / 2, width: side, height: side, rx: 6 }),
  );
}

function makeSquare(square: number, layout: Layout): SVGGElement {
  const seat = Array.from({ length: layout.seats }, (_, each) => each).find(
    (each) => startSquare(layout.seats, each) === square,
  );
  const tile = makeTile(
    squareAt(square, layout),
    seat === undefined ? 'lu-tile' : `lu-tile is-own piece-${seat}`,
  );
  if (isStar(square)) tile.append(svg('path', { class: 'lu-star', d: STAR }));
  if (seat !== undefined) tile.append(makeShape(seat, 'lu-start', 11));
  return tile;
}
