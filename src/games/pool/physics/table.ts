/**
 * The table: its centre is the origin, x runs along it from the head to the foot, y across to the
 * left from the breaker's view. Metres. Mirrored halves have exactly mirrored values.
 */

import {
  CORNER_DEPTH,
  CORNER_HOLE,
  CORNER_JAW,
  CORNER_JAW_LENGTH,
  CORNER_MOUTH,
  LENGTH,
  RADIUS,
  SIDE_DEPTH,
  SIDE_HOLE,
  SIDE_JAW,
  SIDE_JAW_LENGTH,
  SIDE_MOUTH,
  WIDTH,
} from './parameters.ts';

/** Half the bed: the distance of the cushions' noses from the centre. */
export const HALF_LENGTH = LENGTH / 2;
export const HALF_WIDTH = WIDTH / 2;

/** The largest coordinates of a ball's centre on the bed, outside the mouths. */
export const X_MAX = HALF_LENGTH - RADIUS;
export const Y_MAX = HALF_WIDTH - RADIUS;

/** The line behind which a break is shot, and the spot where racks begin: a quarter from each end. */
export const HEAD_STRING_X = -LENGTH / 4;
export const FOOT_SPOT_X = LENGTH / 4;

/** Names on the wire: `head` and `foot` ends, or the `side`; `left` is the breaker's left, y > 0. */
export const POCKETS = [
  'head-left',
  'side-left',
  'foot-left',
  'foot-right',
  'side-right',
  'head-right',
] as const;
export type Pocket = (typeof POCKETS)[number];

/** A straight piece of cushion that faces the balls: from `(x, y)` along `(dx, dy)`. */
export interface Edge {
  readonly x: number;
  readonly y: number;
  /** Unit direction from the tip, and how far the piece goes. */
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
  /** Unit normal, towards the balls. */
  readonly nx: number;
  readonly ny: number;
}

/** A pocket with its two jaws. The tips are the points where jaws and noses meet. */
export interface Mouth {
  readonly pocket: Pocket;
  /** Centre and radius of the hole. */
  readonly x: number;
  readonly y: number;
  readonly hole: number;
  /** The two jaws; each begins at its tip. */
  readonly jaws: readonly [Edge, Edge];
}

/** Distance of a corner's tips from the corner in which the two noses would meet. */
export const CORNER_CUT = CORNER_MOUTH * Math.sqrt(0.5);
export const HALF_SIDE_MOUTH = SIDE_MOUTH / 2;

/** The jaws of the pocket at `(signX, signY)`; a side pocket has signX 0. */
function makeMouth(pocket: Pocket, signX: number, signY: number): Mouth {
  return signX === 0 ? makeSide(pocket, signY) : makeCorner(pocket, signX, signY);
}

function makeCorner(pocket: Pocket, signX: number, signY: number): Mouth {
  const { cos, sin } = CORNER_JAW;
  const depth = CORNER_DEPTH * Math.sqrt(0.5);
  return {
    pocket,
    x: signX * (HALF_LENGTH + depth),
    y: signY * (HALF_WIDTH + depth),
    hole: CORNER_HOLE,
    jaws: [
      // At the end of a long cushion, and of a short one.
      {
        x: signX * (HALF_LENGTH - CORNER_CUT),
        y: signY * HALF_WIDTH,
        dx: signX * cos,
        dy: signY * sin,
        length: CORNER_JAW_LENGTH,
        nx: signX * sin,
        ny: -signY * cos,
      },
      {
        x: signX * HALF_LENGTH,
        y: signY * (HALF_WIDTH - CORNER_CUT),
        dx: signX * sin,
        dy: signY * cos,
        length: CORNER_JAW_LENGTH,
        nx: -signX * cos,
        ny: signY * sin,
      },
    ],
  };
}

function makeSide(pocket: Pocket, signY: number): Mouth {
  const { cos, sin } = SIDE_JAW;
  const jaw = (side: 1 | -1): Edge => ({
    x: side * HALF_SIDE_MOUTH,
    y: signY * HALF_WIDTH,
    dx: -side * cos,
    dy: signY * sin,
    length: SIDE_JAW_LENGTH,
    nx: -side * sin,
    ny: -signY * cos,
  });
  return {
    pocket,
    x: 0,
    y: signY * (HALF_WIDTH + SIDE_DEPTH),
    hole: SIDE_HOLE,
    jaws: [jaw(-1), jaw(1)],
  };
}

/** In the order of `POCKETS`. */
export const MOUTHS: readonly Mouth[] = [
  makeMouth('head-left', -1, 1),
  makeMouth('side-left', 0, 1),
  makeMouth('foot-left', 1, 1),
  makeMouth('foot-right', 1, -1),
  makeMouth('side-right', 0, -1),
  makeMouth('head-right', -1, -1),
];

/** Whether there is a nose at this place of a long cushion (by x) or of a short one (by y). */
export function isLongNose(x: number): boolean {
  const size = Math.abs(x);
  return size >= HALF_SIDE_MOUTH && size <= HALF_LENGTH - CORNER_CUT;
}

export function isShortNose(y: number): boolean {
  return Math.abs(y) <= HALF_WIDTH - CORNER_CUT;
}

/** On the bed, or in a mouth, where a ball can come to rest in front of the hole. */
export function isOnTable(x: number, y: number): boolean {
  if (Math.abs(x) <= X_MAX && Math.abs(y) <= Y_MAX) return true;
  return MOUTHS.some((mouth) => {
    const far = Math.sqrt((x - mouth.x) * (x - mouth.x) + (y - mouth.y) * (y - mouth.y));
    return isInMouth(mouth, x, y) && far > mouth.hole && far < 3 * mouth.hole;
  });
}

/** Past the tips of the jaws, where there is no nose. */
function isInMouth(mouth: Mouth, x: number, y: number): boolean {
  if (mouth.x === 0) return Math.abs(x) < HALF_SIDE_MOUTH;
  return !(isLongNose(x) || isShortNose(y));
}
