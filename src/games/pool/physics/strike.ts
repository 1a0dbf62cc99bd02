/** The stroke: the effect of the cue's tip on a ball at rest. */

import { directionOf } from './arithmetic.ts';
import type { Ball } from './ball.ts';
import { RADIUS } from './parameters.ts';

/** How the cue ball is struck. */
export type Strike = {
  /** Direction from above, radians: 0 towards the foot, positive to the left (to y > 0). */
  readonly aim: number;
  /** Speed that the tip gives the ball along the cue, m/s. */
  readonly speed: number;
  /** Where the tip hits the ball, m to the right of its centre from the shooter's view. */
  readonly side: number;
  /** Likewise, m above its centre. */
  readonly follow: number;
  /** How far the butt is raised, radians. */
  readonly elevation: number;
};

/** Bounds of a strike. Nobody breaks faster; slower, a ball would hardly move. */
export const SPEED_MIN = 0.01;
export const SPEED_MAX = 12;
/** Two full turns, for clients that count from 0 and for those that do not. */
export const AIM_MAX = 6.3;
/** Farther off-centre a tip slips: a miscue. */
export const OFFSET_MAX = RADIUS / 2;
export const ELEVATION_MAX = 1.2;

/**
 * Gives the ball its speed and rotation. Its moment of inertia is 2/5 m R², so a push at a distance
 * `b` from the centre rotates it by 5 v b / (2 R²). The table absorbs downward pushes: the ball
 * does not leave the cloth.
 */
export function strikeBall(ball: Ball, strike: Strike): void {
  const { speed, side, follow } = strike;
  const aim = directionOf(strike.aim);
  const raised = directionOf(strike.elevation);
  const travel = speed * raised.cos;
  ball.vx = travel * aim.cos;
  ball.vy = travel * aim.sin;
  const turn = (5 * speed) / (2 * RADIUS * RADIUS);
  // `side` rotates about an axis that leans forward by the cue's elevation.
  const leaning = turn * side * raised.sin;
  ball.wx = leaning * aim.cos - turn * follow * aim.sin;
  ball.wy = leaning * aim.sin + turn * follow * aim.cos;
  ball.wz = turn * side * raised.cos;
}
