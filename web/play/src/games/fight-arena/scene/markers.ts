/** The static parts of a fighter: its shadow, and the mark over the player's own. Only their transforms change. */

import { h, svg } from '../../../ui/dom.ts';
import type { View } from './moving-canvas.ts';
import type { Palette } from './palette.ts';
import type { Point } from './pose.ts';

/** Millimetres. */
const SHADOW_WIDTH = 860;
const SHADOW_HEIGHT = 148;
const SHADOW_LOW = 20;
const MARK_WIDTH = 240;
const MARK_HEIGHT = 160;
/** How high over the feet the tip of the mark is, and half of its width. */
const MARK_HIGH = 1_880;
const MARK_LINE = 22;

export interface Markers {
  /** From behind to before. */
  readonly shadows: readonly HTMLElement[];
  readonly mark: SVGSVGElement;
  /** Takes sizes and colours; `scale` is that of the nearest view, pixels to a millimetre. */
  fit(scale: number, palette: Palette, seat: number | null): void;
  /** `spots` are the fighters' feet; the mark is over that of `seat`, or hidden for null. */
  place(spots: readonly Point[], seat: number | null, view: View): void;
}

export function makeMarkers(): Markers {
  const shadows = [0, 1].map(() => h('i', { class: 'fa-shadow' }));
  const path = svg('path', { d: 'M30 25h180l-90 105z', 'stroke-linejoin': 'round' });
  const mark = svg('svg', { class: 'fa-mark', viewBox: `0 0 ${MARK_WIDTH} ${MARK_HEIGHT}` }, path);
  path.setAttribute('stroke-width', String(2 * MARK_LINE));
  path.setAttribute('paint-order', 'stroke');
  let fitted = 1;
  return {
    shadows,
    mark,
    fit(scale, { shadow, outline, outfits }, seat) {
      fitted = scale;
      for (const each of shadows) {
        resize(each, SHADOW_WIDTH * scale, SHADOW_HEIGHT * scale);
        each.style.background = shadow;
      }
      resize(mark, MARK_WIDTH * scale, MARK_HEIGHT * scale);
      path.setAttribute('stroke', outline);
      path.setAttribute('fill', outfits[seat === 1 ? 1 : 0].main);
    },
    place(spots, seat, { scale, zero, ground }) {
      for (const [n, [x, y]] of spots.entries()) {
        const size = 1 - Math.min(0.5, y / 5_000);
        const left = zero + (x - (SHADOW_WIDTH / 2) * size) * scale;
        const top = ground + (SHADOW_LOW - (SHADOW_HEIGHT / 2) * size) * scale;
        move(shadows[n]!, left, top, (size * scale) / fitted);
      }
      const isShown = seat === 0 || seat === 1;
      mark.style.visibility = isShown ? '' : 'hidden';
      if (!isShown) return;
      const [x, y] = spots[seat]!;
      const top = ground - (y + MARK_HIGH + MARK_HEIGHT - 30) * scale;
      move(mark, zero + (x - MARK_WIDTH / 2) * scale, top, scale / fitted);
    },
  };
}

type Styled = HTMLElement | SVGElement;

function resize({ style }: Styled, width: number, height: number): void {
  style.width = `${width.toFixed(1)}px`;
  style.height = `${height.toFixed(1)}px`;
}

function move({ style }: Styled, x: number, y: number, zoom: number): void {
  style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${zoom.toFixed(4)})`;
}
