/** The static background: the sky with its hills, and the platform with its posts. Drawn once, as SVG. */

import { STAGE_WIDTH } from '../../../../../../src/games/fight-arena/stage.ts';
import { svg } from '../../../ui/dom.ts';

/** The platform extends this far beyond the stage, and above and below the ground. Millimetres. */
export const GROUND_BEYOND = 1_400;
export const GROUND_ABOVE = 3_700;
const GROUND_BELOW = 1_900;
export const GROUND_LENGTH = STAGE_WIDTH + 2 * GROUND_BEYOND;
export const GROUND_HEIGHT = GROUND_ABOVE + GROUND_BELOW;

/** The upper side of the platform, from behind the fighters to in front of them; y grows downwards here. */
const BACK = -170;
const FRONT = 260;
const EDGE = FRONT + 70;
const PLANK = 620;
const BEAM = 1_240;
const RAIL_POST = 833;
const LANTERNS = [1_250, 3_750, 6_250, 8_750];

/** The size of the field for the sky. */
const SKY_WIDTH = 1_600;
const SKY_HEIGHT = 700;
const STARS = 80;

type Attributes = Parameters<typeof svg>[1];
const shape = (className: string, d: string): SVGPathElement =>
  svg('path', { class: className, d });
const box = (className: string, x: number, y: number, width: number, height: number, rx = 0) =>
  svg('rect', { class: className, x, y, width, height, rx });
const disc = (className: string, cx: number, cy: number, r: number) =>
  svg('circle', { class: className, cx, cy, r });
const layer = (attributes: Attributes, ...children: readonly SVGElement[]): SVGSVGElement =>
  svg('svg', { 'aria-hidden': 'true', ...attributes }, ...children);

export function makeSky(): SVGSVGElement {
  const gradient = svg(
    'linearGradient',
    { id: 'fa-sky', x1: 0, y1: 0, x2: 0, y2: 1 },
    svg('stop', { class: 'fa-sky-top', offset: 0 }),
    svg('stop', { class: 'fa-sky-low', offset: 0.84 }),
  );
  const stars = Array.from({ length: STARS }, (_, n) =>
    disc(
      `fa-star is-${n % 3}`,
      ((n * 0.618_034) % 1) * SKY_WIDTH,
      ((n * 0.754_878) % 1) * 400,
      n % 7 === 0 ? 2.2 : 1.3,
    ),
  );
  return layer(
    {
      class: 'fa-far',
      viewBox: `0 0 ${SKY_WIDTH} ${SKY_HEIGHT}`,
      preserveAspectRatio: 'xMidYMax slice',
    },
    svg('defs', {}, gradient),
    svg('rect', { width: SKY_WIDTH, height: SKY_HEIGHT, fill: 'url(#fa-sky)' }),
    svg('g', { class: 'fa-stars' }, ...stars),
    disc('fa-sun is-glow', 900, 220, 205),
    disc('fa-sun is-glow', 900, 220, 162),
    disc('fa-sun', 900, 220, 118),
    cloud(250, 130, 64),
    cloud(590, 235, 44),
    cloud(1_260, 105, 76),
    cloud(1_480, 255, 44),
    hills('fa-hill is-far', 330, 118, 3.1),
    hills('fa-hill is-middle', 425, 86, 1.2),
    hills('fa-hill is-near', 505, 52, 4.4),
  );
}

function cloud(x: number, y: number, size: number): SVGGElement {
  const strip = (dx: number, dy: number, width: number): SVGRectElement =>
    box('fa-cloud', x + dx * size, y + dy * size, width * size, 0.32 * size, 0.16 * size);
  return svg('g', {}, strip(-1.6, 0, 3.4), strip(-0.9, -0.32, 1.9), strip(-0.3, 0.32, 2.6));
}

/** A range of hills: waves of three lengths. */
function hills(className: string, base: number, rise: number, turn: number): SVGPathElement {
  const tops = Array.from({ length: 81 }, (_, n) => {
    const at = (n / 80) * 11 + turn;
    const wave = Math.sin(at) * 0.5 + Math.sin(at * 2.3 + turn) * 0.3 + Math.sin(at * 5.1) * 0.08;
    return `L${(n / 80) * SKY_WIDTH} ${(base - rise * wave).toFixed(1)}`;
  });
  return shape(className, `M0 ${SKY_HEIGHT}${tops.join('')}L${SKY_WIDTH} ${SKY_HEIGHT}Z`);
}

/** The platform, in millimetres of the stage, with the same origin. */
export function makePlatform(): SVGSVGElement {
  const left = -GROUND_BEYOND;
  return layer(
    {
      class: 'fa-ground',
      viewBox: `${left} ${-GROUND_ABOVE} ${GROUND_LENGTH} ${GROUND_HEIGHT}`,
      preserveAspectRatio: 'none',
    },
    ...rail(left),
    ...LANTERNS.flatMap(lantern),
    box('fa-floor', left, BACK, GROUND_LENGTH, FRONT - BACK),
    shape('fa-seam', planks(left)),
    box('fa-shade', left, BACK, GROUND_LENGTH, 24),
    box('fa-floor-edge', left, FRONT, GROUND_LENGTH, EDGE - FRONT),
    box('fa-floor-face', left, EDGE, GROUND_LENGTH, GROUND_BELOW - EDGE),
    ...beams(left),
    ...[0, STAGE_WIDTH].flatMap(gate),
  );
}

/** Seams that run towards one point far behind the middle, and two along the platform. */
function planks(left: number): string {
  const middle = STAGE_WIDTH / 2;
  const seams = [BACK + 130, BACK + 270].map((y) => `M${left} ${y}h${GROUND_LENGTH}`);
  for (let x = left - PLANK; x <= left + GROUND_LENGTH + PLANK; x += PLANK) {
    seams.push(`M${(middle + (x - middle) * 0.93).toFixed(0)} ${BACK}L${x} ${FRONT}`);
  }
  return seams.join('');
}

function beams(left: number): SVGElement[] {
  const drawn: SVGElement[] = [box('fa-shade', left, EDGE, GROUND_LENGTH, 60)];
  for (let x = left; x < left + GROUND_LENGTH; x += BEAM) {
    drawn.push(box('fa-shade', x, EDGE, 150, GROUND_BELOW - EDGE));
  }
  return drawn;
}

/** A low rail behind the platform. */
function rail(left: number): SVGElement[] {
  const drawn: SVGElement[] = [];
  for (let x = left; x <= left + GROUND_LENGTH; x += RAIL_POST) {
    drawn.push(box('fa-floor-face', x - 38, BACK - 500, 76, 520, 20));
  }
  drawn.push(box('fa-floor-edge', left, BACK - 422, GROUND_LENGTH, 62));
  drawn.push(box('fa-floor-face', left, BACK - 220, GROUND_LENGTH, 40));
  return drawn;
}

function lantern(x: number): SVGElement[] {
  const top = BACK - 1_630;
  return [
    box('fa-floor-face', x - 42, BACK - 1_350, 84, 1_350),
    disc('fa-shine', x, top + 160, 620),
    disc('fa-shine', x, top + 160, 400),
    box('fa-lamp', x - 130, top, 260, 300, 60),
    shape('fa-floor-face', `M${x - 230} ${top + 10}h460l-230 -170Z`),
    box('fa-floor-face', x - 150, top + 280, 300, 50),
  ];
}

/** A post with a banner at each end of the stage, where a fighter cannot go back further. */
function gate(x: number): SVGElement[] {
  const inward = x === 0 ? 1 : -1;
  const middle = x + inward * 460;
  return [
    box('fa-post', x - 85, -3_180, 170, 3_300, 30),
    box('fa-floor-face', x - 120, -30, 240, 170),
    box('fa-post', inward === 1 ? x - 180 : x - 900, -3_120, 1_080, 120, 30),
    shape('fa-flag', `M${middle - 260} -3000h520v1450l-260 -190l-260 190Z`),
    disc('fa-flag-ring', middle, -2_440, 130),
    disc('fa-lamp', middle, -2_440, 52),
  ];
}
