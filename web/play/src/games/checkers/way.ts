/**
 * The path of a move over the board: from square to square, with a cross on each captured piece.
 */

import { svg } from '../../ui/dom.ts';
import type { Layout } from './ground.ts';
import { centreOf } from './ground.ts';
import type { Route } from './routes.ts';

const CROSS = 'M-15 -15 L15 15 M15 -15 L-15 15';
/** An arrow ends this far before the middle of its cell. Units of the drawing. */
const HEAD = 'M-14 -13 L4 0 L-14 13';

export interface Way {
  readonly element: SVGGElement;
  /** Null removes it. */
  show(route: Pick<Route, 'cells' | 'captured'> | null, kind: WayKind, layout: Layout): void;
}

/** `last` was played, `planned` is a premove. */
export type WayKind = 'last' | 'planned';

export function makeWay(): Way {
  const element = svg('g', { class: 'ck-way', 'aria-hidden': 'true' });
  return {
    element,
    show(route, kind, layout) {
      const shown = route === null ? '' : JSON.stringify([route, kind, layout]);
      if (element.dataset['way'] === shown) return;
      element.dataset['way'] = shown;
      element.replaceChildren();
      if (route === null) return;
      const points = route.cells.map((cell) => centreOf(cell, layout));
      const [x, y] = points.at(-1)!;
      const [fromX, fromY] = points.at(-2) ?? [x, y];
      const turn = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
      element.append(
        svg('polyline', {
          class: `ck-way-line is-${kind}`,
          points: points.map((point) => point.join(',')).join(' '),
        }),
        svg('path', {
          class: `ck-way-line is-${kind}`,
          d: HEAD,
          transform: `translate(${x} ${y}) rotate(${turn})`,
        }),
        ...route.captured.map((cell) =>
          svg('path', {
            class: 'ck-way-fallen',
            d: CROSS,
            transform: `translate(${centreOf(cell, layout).join(' ')})`,
          }),
        ),
      );
    },
  };
}
