/** Computes the pull-back stroke and fine turns. Pure; lengths in CSS pixels, angles in radians. */

import type { Projection } from './projection.ts';
import type { Ball } from './view.ts';

export type Pixels = readonly [number, number];

/** The effect of a pointer on the table. */
export type Drag =
  | { readonly kind: 'place'; readonly id: number }
  | { readonly kind: 'aim'; readonly id: number; readonly from: Pixels }
  | {
      readonly kind: 'pull';
      readonly id: number;
      readonly from: readonly [number, number];
      /** The power to restore when nothing is played. */
      readonly power: number;
      isPulled: boolean;
    };

interface Aimed {
  readonly at: Projection;
  readonly aim: number;
}

/** The distance from the ball at which the cue can be grabbed, m. */
const CUE_LENGTH = 1.1;
/** A pull of this length has full power. */
export const PULL_FULL_PX = 140;
/** A shorter pull is a tap and plays nothing. */
const PULL_LEAST_PX = 8;
/** The cue can be grabbed at this distance from it. */
const CUE_REACH_PX = 20;
/** How far one pixel of the wheel, or of a second finger, turns the cue. */
const WHEEL_TURN = 0.00004;
const FINGER_TURN = 0.0006;
/** Pixels per line, for browsers that report the wheel in lines. */
const LINE_PX = 16;
const WHEEL_PX_MAX = 200;

/** Whether the point is on the cue, which ends at `butt`, behind the ball. */
export function isOnCue([x, y]: Pixels, ball: Pixels, butt: Pixels, ballRadius: number): boolean {
  const [dx, dy] = [butt[0] - ball[0], butt[1] - ball[1]];
  const length = Math.hypot(dx, dy);
  const along = ((x - ball[0]) * dx + (y - ball[1]) * dy) / length;
  const beside = Math.abs((x - ball[0]) * dy - (y - ball[1]) * dx) / length;
  return along > ballRadius && along < length && beside <= CUE_REACH_PX;
}

/** The power of a pull from one point to another, 0 to 1; null if it is short enough for a tap. */
export function powerOfPull(from: Pixels, to: Pixels, ball: Pixels, butt: Pixels): number | null {
  const [dx, dy] = [butt[0] - ball[0], butt[1] - ball[1]];
  const pulled = ((to[0] - from[0]) * dx + (to[1] - from[1]) * dy) / Math.hypot(dx, dy);
  return pulled < PULL_LEAST_PX ? null : Math.min(1, pulled / PULL_FULL_PX);
}

export function turnOfWheel({ deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>) {
  const pixels = deltaMode === 0 ? deltaY : deltaY * LINE_PX;
  return Math.max(-WHEEL_PX_MAX, Math.min(WHEEL_PX_MAX, pixels)) * WHEEL_TURN;
}

export const turnOfFinger = (dx: number): number => -dx * FINGER_TURN;

/** The cue ball and the butt of the cue, in pixels. */
export function cueLine({ at, aim }: Aimed, { x, y }: Ball) {
  const butt = at.toPixels(x - Math.cos(aim) * CUE_LENGTH, y - Math.sin(aim) * CUE_LENGTH);
  return [at.toPixels(x, y), butt] as const;
}

export function near(
  [ax, ay]: readonly [number, number],
  x: number,
  y: number,
  most: number,
): boolean {
  return (ax - x) ** 2 + (ay - y) ** 2 <= most * most;
}
