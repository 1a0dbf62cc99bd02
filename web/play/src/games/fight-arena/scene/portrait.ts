/** A fighter's head as a small image, for plates and results. */

import type { Seat } from '../../../protocol.ts';
import { svg } from '../../../ui/dom.ts';

/** A headband for one seat, bound hair and a scarf for the other: they differ by more than their colours. */
export function makePortrait(seat: Seat): SVGSVGElement {
  const head = svg('circle', { class: 'fa-face', cx: 2, cy: 3, r: 15 });
  const hair =
    seat === 0
      ? svg('path', {
          class: 'fa-hair',
          d: 'M-14 4l-6-6 4-1-5-8 7 1 0-9 8 5 5-8 5 8 8-4-1 8 5 4-3 4-14-3-10 4z',
        })
      : svg('path', {
          class: 'fa-hair',
          d: 'M-13 9c-3-14 4-21 15-21s17 7 15 14c-6-5-14-6-20-4-3 4-6 8-10 11zM-12-17a7 7 0 1 0 .1 0z',
        });
  const mark =
    seat === 0
      ? svg('path', { class: 'fa-band', d: 'M-14-3q15-5 31-1l0 5q-16-4-31 1z' })
      : svg('path', { class: 'fa-band', d: 'M-11 15q13 6 25 1l2 5q-14 6-30-1z' });
  const eyes = svg('path', { class: 'fa-eyes', d: 'M8 2v4M14 2v4' });
  return svg(
    'svg',
    { class: `piece fa-portrait is-${seat}`, viewBox: '-24 -24 48 48', 'aria-hidden': 'true' },
    svg('circle', { class: 'fa-ground-disc', r: 23 }),
    head,
    hair,
    mark,
    eyes,
  );
}
