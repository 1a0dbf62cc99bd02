/** Reads a shot's courses: where a ball is at any time, as a client draws it. */

import { advanceBall, makeBall } from './ball.ts';
import type { Physics } from './parameters.ts';
import { PHYSICS, RADIUS } from './parameters.ts';
import type { Leg } from './simulate.ts';
import { highest } from './walls.ts';

/** A leg at a later time, before its ball's next event. */
export function legAt(leg: Leg, time: number, physics: Physics = PHYSICS): Leg {
  const ball = { ...makeBall(0, leg.x, leg.y), ...leg, ...turningOf(leg) };
  advanceBall(ball, time, physics);
  const { motion, t, x, y, vx, vy, ax, ay, wx, wy, wz } = ball;
  return { motion, t, x, y, vx, vy, ax, ay, wx, wy, wz };
}

/**
 * The change of a leg's rotation, rad/s²: it follows from the acceleration. A sliding ball is
 * rotated by the force that brakes it, a rolling one rotates with its travel.
 */
function turningOf({ motion, ax, ay }: Leg): { readonly gx: number; readonly gy: number } {
  const lever = motion === 'slide' ? -5 / (2 * RADIUS) : 1 / RADIUS;
  return { gx: -lever * ay, gy: lever * ax };
}

/**
 * The largest `signX x + signY y` that a ball reaches in its legs before a time. Later legs do not
 * count; without any leg it is -Infinity.
 */
export function farthest(
  legs: readonly Leg[],
  signX: number,
  signY: number,
  before: number,
): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, leg] of legs.entries()) {
    if (leg.t > before) break;
    const span = Math.min(before, legs[index + 1]?.t ?? before) - leg.t;
    const { x, y, vx, vy, ax, ay } = leg;
    const accel = (signX * ax + signY * ay) / 2;
    const reach = highest(signX * x + signY * y, signX * vx + signY * vy, accel, span);
    if (reach > most) most = reach;
  }
  return most;
}
