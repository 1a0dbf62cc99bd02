/** The visible part of the stage: both fighters, as large as possible. Millimetres; pixels are CSS pixels. */

import { GRAVITY, JUMP_UP, STAGE_WIDTH } from '../../../../../../src/games/fight-arena/stage.ts';
import type { Fighter, FightState } from '../../../../../../src/games/fight-arena/state.ts';

export interface Camera {
  /** The stage's place in the middle of the picture. */
  x: number;
  /** How much of the stage's width is seen. */
  width: number;
  /** How far above the ground the view is moved. */
  y: number;
}

/** The margin beside each fighter, and the least total width. */
const MARGIN = 1_350;
const WIDTH_MIN = 4_300;
/** The least part of the height that is above the ground. */
const HEIGHT_MIN = 2_950;
/** The margin beyond the ends of the stage. */
const BEYOND = 850;
/** The height of the ground, as a share from the top. */
export const GROUND_PART = 0.84;
/** How fast the camera follows: the part of its distance left after a second. */
const LAG = 0.00004;
/** The margin above the feet of the highest fighter: the camera first moves up, then zooms out. */
const HEADROOM = 1_950;
/** The rising attack reaches higher. */
const RISE_HEADROOM = 2_250;
const UP_MAX = 450;

/**
 * The camera for a view of this shape (width by height) with this part covered from above: no part of a fighter is
 * shown
 * there.
 */
export function aim(
  { fighters }: Pick<FightState, 'fighters'>,
  shape: number,
  covered = 0,
): Camera {
  const [a, b] = fighters;
  const apart = Math.abs(a.x - b.x);
  const top = Math.max(peakOf(a), peakOf(b));
  const lowest = Math.max(
    WIDTH_MIN,
    (HEIGHT_MIN / GROUND_PART) * shape,
    ((top - UP_MAX) / (GROUND_PART - covered)) * shape,
  );
  const most = STAGE_WIDTH + 2 * BEYOND;
  const width = Math.min(most, Math.max(lowest, apart + 2 * MARGIN));
  const half = width / 2;
  const middle = (a.x + b.x) / 2;
  const x = Math.min(STAGE_WIDTH + BEYOND - half, Math.max(half - BEYOND, middle));
  return { x, width, y: Math.max(0, top - seenAbove(width, shape, covered)) };
}

/** How high a fighter is going to reach: a jump is anticipated, so that the camera need not catch up. */
function peakOf({ y, vy, act, move }: Fighter): number {
  const rising = act === 'prejump' ? JUMP_UP : Math.max(0, vy);
  const higher = (rising * (rising + GRAVITY)) / (2 * GRAVITY);
  return y + higher + (move === 'rise' ? RISE_HEADROOM : HEADROOM);
}

/** The height above the ground that is visible below the covered part. */
function seenAbove(width: number, shape: number, covered: number): number {
  return (width / shape) * (GROUND_PART - covered);
}

/** Moves the camera up at once if something at this height would be covered. */
export function keepInSight(camera: Camera, top: number, shape: number, covered: number): void {
  camera.y = Math.max(camera.y, top - seenAbove(camera.width, shape, covered));
}

/** Moves the camera towards its target. */
export function follow(camera: Camera, to: Camera, seconds: number): void {
  const part = 1 - LAG ** Math.min(0.1, seconds);
  camera.x += (to.x - camera.x) * part;
  camera.width += (to.width - camera.width) * part;
  camera.y += (to.y - camera.y) * part;
}
