/** @table The page's own icons, drawn with strokes on a field of 24 by 24. */

import type { Emote } from '../protocol.ts';
import { svg } from './dom.ts';

const FACE = 'M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18z';
const EYES = 'M9 9.6v.5M15 9.6v.5';
const BUBBLE =
  'M4 5h16a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 20 17h-8.5L7 21v-4H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 5z';
const THUMB =
  'M7 10.5v9H4.5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM7 10.5l3.6-7c1.5 0 2.4 1 2.4 2.5v3.2h5.6a1.9 1.9 0 0 1 1.9 2.2l-1.1 6.4a1.9 1.9 0 0 1-1.9 1.7H7';

const EMOTE_PATHS: Readonly<Record<Emote, readonly string[]>> = {
  thumbs_up: [THUMB],
  thumbs_down: [THUMB],
  clap: [
    'M8.2 20.4c-2.7-1.5-4-4-3.7-7.2l.5-4.7a1.4 1.4 0 0 1 2.8.2l-.1 3.1 4.1-5a1.4 1.4 0 0 1 2.2 1.8l-2.6 3.3 3.5-3.4a1.4 1.4 0 0 1 2 2l-2 2.2 1.8-1.2a1.4 1.4 0 0 1 1.7 2.2l-4.6 4.6c-1.5 1.5-3.3 2.8-5.1 2.1z',
    'M15.4 3.2v2M19.6 5l-1.4 1.5M21.2 9h-2',
  ],
  laugh: [
    FACE,
    'M8 10.2l1.6-1.1 1 1.4M13.4 10.5l1-1.4 1.6 1.1',
    'M7.6 13.2h8.8a4.4 4.4 0 0 1-8.8 0z',
  ],
  cry: [
    FACE,
    EYES,
    'M9 16.6c1.8-1.9 4.2-1.9 6 0',
    'M16.4 12.2c1 1.2 1 2.4 0 2.6c-1-.2-1-1.4 0-2.6z',
  ],
  angry: [
    FACE,
    'M7.6 8.2l2.8 1.6M16.4 8.2l-2.8 1.6',
    'M9.2 11.2v.4M14.8 11.2v.4',
    'M9 16.4c1.8-1.5 4.2-1.5 6 0',
  ],
  surprised: [FACE, 'M9 9v.9M15 9v.9', 'M12 13a2 2.2 0 1 1 0 4.4a2 2.2 0 1 1 0-4.4z'],
  thinking: [
    FACE,
    'M8 8.2c.8-.7 1.7-.7 2.4-.2M14 7.6c.8-.4 1.6-.2 2.2.4',
    'M9.2 10.6v.4M15 10.6v.4',
    'M9.6 16c1.7-1.2 3.2-1.3 5-.7',
  ],
  hello: [BUBBLE, 'M8 8.3v5.4M11.4 8.3v5.4M8 11h3.4M15.4 10.6v3.1M15.4 8.3v.1'],
  good_game: [
    BUBBLE,
    'M10.6 9.2a2.3 2.7 0 1 0 .1 3.6v-1.6H9.4M17.6 9.2a2.3 2.7 0 1 0 .1 3.6v-1.6h-1.3',
  ],
  good_luck: [BUBBLE, 'M10.6 9.2a2.3 2.7 0 1 0 .1 3.6v-1.6H9.4M14.4 8.3v5.4h3'],
  oops: [FACE, 'M8.4 9.2l1.6 1M15.6 9.2l-1.6 1', 'M8.4 15.8l1.8-1.4 1.8 1.4 1.8-1.4 1.8 1.4'],
};

const ICON_PATHS = {
  smile: [FACE, EYES, 'M8.4 14c1.8 2.5 5.4 2.5 7.2 0'],
  flag: ['M6 21V4M6 4.6c4-2 7 2 12 0v9c-5 2-8-2-12 0'],
  sound: ['M4 9.5h3.5L12 6v12l-4.5-3.5H4z', 'M15 9.5a3.5 3.5 0 0 1 0 5M17.6 7a7 7 0 0 1 0 10'],
  silence: ['M4 9.5h3.5L12 6v12l-4.5-3.5H4z', 'M15.5 9.8l4.6 4.6M20.1 9.8l-4.6 4.6'],
  even: [FACE, 'M8.4 10h7.2M8.4 14h7.2'],
  play: ['M8 5.2v13.6L19 12z'],
  file: [
    'M13 3H6.5A1.5 1.5 0 0 0 5 4.5v15A1.5 1.5 0 0 0 6.5 21h11a1.5 1.5 0 0 0 1.5-1.5V9zM13 3v6h6',
    'M12 18v-6M9.5 14.5L12 12l2.5 2.5',
  ],
  pause: ['M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z'],
  forward: ['M7 5.5v13l8-6.5zM17.5 5.5v13'],
  back: ['M17 5.5v13L9 12zM6.5 5.5v13'],
  end: ['M4.5 6v12l7-6zM12 6v12l7-6zM20.5 6v12'],
  start: ['M19.5 6v12l-7-6zM12 6v12l-7-6zM3.5 6v12'],
  shield: [
    'M12 3.2l7 2.6v5.4c0 4.4-2.8 7.7-7 9.6c-4.2-1.9-7-5.2-7-9.6V5.8z',
    'M8.8 11.8l2.3 2.3 4.2-4.4',
  ],
  eye: [
    'M2.8 12c2.2-4 5.4-6 9.2-6s7 2 9.2 6c-2.2 4-5.4 6-9.2 6s-7-2-9.2-6z',
    'M12 9.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6z',
  ],
  list: ['M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.6M4 12h.6M4 17.5h.6'],
  leave: ['M10 6l-6 6 6 6M4.6 12H20'],
  copy: [
    'M9 9h9.5a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1z',
    'M4.9 15.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h9.5a1 1 0 0 1 1 1',
  ],
  share: ['M12 14.5V3.6M8.2 7.2L12 3.5l3.8 3.7', 'M6.5 11H5v9.5h14V11h-1.5'],
  qr: ['M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4z', 'M14 14h2.5v2.5M20 14v2.5M14 20h2.5M20 20v-.1'],
  tick: ['M5 12.6l4.6 4.6L19 7.4'],
  cross: ['M6.5 6.5l11 11M17.5 6.5l-11 11'],
  dash: ['M7 12h10'],
} as const;
export type Icon = keyof typeof ICON_PATHS;

export function makeIcon(icon: Icon): SVGSVGElement {
  return draw(ICON_PATHS[icon], 'icon');
}

export function makeEmote(emote: Emote): SVGSVGElement {
  return draw(EMOTE_PATHS[emote], `icon emote-${emote}`);
}

function draw(paths: readonly string[], className: string): SVGSVGElement {
  return svg(
    'svg',
    { class: className, viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    ...paths.map((d) => svg('path', { d })),
  );
}
