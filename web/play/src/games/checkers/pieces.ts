/** The pieces of checkers as pictures: two discs that differ by shape, and a crown for kings. */

import type { Seat } from '../../protocol.ts';
import { svg } from '../../ui/dom.ts';

const RADIUS = 40;
/** How thick a disc is; a king is two of them. */
const THICK = 7;
const CROWN = 'M-19 13 L-23 -10 L-10 -1 L0 -16 L10 -1 L23 -10 L19 13 Z';
const DIAMOND = 'M0 -15 L15 0 L0 15 L-15 0 Z';

function makeDisc(lift: number): SVGGElement {
  return svg(
    'g',
    { transform: `translate(0 ${-lift})` },
    svg('circle', { class: 'ck-side', r: RADIUS, cy: THICK }),
    svg('circle', { class: 'ck-face', r: RADIUS }),
    svg('circle', { class: 'ck-groove', r: RADIUS - 9 }),
  );
}

/** A piece around the origin. The crown is there from the start and shown on kings. */
export function makeDraught(seat: Seat): SVGGElement {
  const emblem =
    seat === 0
      ? svg('circle', { class: 'ck-emblem is-ring', r: 13 })
      : svg('path', { class: 'ck-emblem', d: DIAMOND });
  const top = svg(
    'g',
    { class: 'ck-second' },
    makeDisc(THICK),
    svg('path', { class: 'ck-crown', d: CROWN, transform: `translate(0 ${-THICK})` }),
  );
  return svg('g', { class: `ck-piece piece-${seat}` }, makeDisc(0), emblem, top);
}
