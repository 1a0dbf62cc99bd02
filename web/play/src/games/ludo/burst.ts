/** Shows where a token was captured: expanding rings, and a mark that stays until the next move. */

import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import { UNIT } from './ground.ts';
import type { Point } from './track.ts';

const SPREAD_MS = 700;
/** The rings start one after the other. */
const RINGS = 3;

export interface Burst {
  readonly element: SVGGElement;
  /** In the colour of the seat that captured. */
  show(at: Point, seat: Seat): void;
  clear(): void;
}

export function makeBurst(): Burst {
  const element = svg('g', { class: 'lu-burst', 'aria-hidden': 'true' });
  return {
    element,
    show([x, y], seat) {
      // The burst of an interrupted animation stays unchanged.
      if (element.childElementCount > 0) return;
      const rings = Array.from({ length: RINGS }, () =>
        svg('circle', { class: 'lu-burst-ring', r: 22 }),
      );
      element.setAttribute('class', `lu-burst piece-${seat}`);
      element.setAttribute('transform', `translate(${x * UNIT} ${y * UNIT})`);
      element.replaceChildren(svg('circle', { class: 'lu-burst-mark', r: 25 }), ...rings);
      for (const [n, ring] of rings.entries()) spread(ring, n);
    },
    clear: () => element.replaceChildren(),
  };
}

function spread(ring: SVGCircleElement, order: number): void {
  if (!movesFreely()) {
    ring.remove();
    return;
  }
  const goes = ring.animate(
    [
      { transform: 'scale(0.6)', opacity: 1 },
      { transform: 'scale(3.4)', opacity: 0 },
    ],
    { duration: SPREAD_MS, delay: order * 130, easing: 'ease-out', fill: 'both' },
  );
  goes.onfinish = () => ring.remove();
}
