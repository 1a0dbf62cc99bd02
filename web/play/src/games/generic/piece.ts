/** A seat's piece in a game without drawn pieces: one of sixteen by colour and shape. */

import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';

const COLOURS = 4;
/** On a field of 100 by 100. */
const SHAPES: readonly (() => SVGElement)[] = [
  () => svg('circle', { cx: 50, cy: 50, r: 40 }),
  () =>
    svg('path', { d: 'M50 10a40 40 0 1 0 .1 0zM50 32a18 18 0 1 1-.1 0z', 'fill-rule': 'evenodd' }),
  () => svg('rect', { x: 14, y: 14, width: 72, height: 72, rx: 14 }),
  () => svg('path', { d: 'M50 6L92 50L50 94L8 50z', 'stroke-linejoin': 'round' }),
];

/** Seats that share a colour have different shapes, and neighbours differ in both. */
export function makePiece(seat: Seat): SVGSVGElement {
  const colour = seat % COLOURS;
  const shape = (seat + Math.floor(seat / COLOURS)) % SHAPES.length;
  return svg(
    'svg',
    { class: `piece any-piece any-seat-${colour}`, viewBox: '0 0 100 100', 'aria-hidden': 'true' },
    SHAPES[shape]!(),
  );
}
