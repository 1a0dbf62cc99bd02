/** The effect of a contact: ball against ball, and ball against cushion. */

import { expMinus } from './arithmetic.ts';
import type { Ball } from './ball.ts';
import type { Physics } from './parameters.ts';
import { RADIUS, TOUCH_GAP, TOUCH_SPEED } from './parameters.ts';

/** A push at the ball's surface rotates it by this much per m/s and metre of lever, in 1/R². */
const TURN = 5 / (2 * RADIUS);

/** Distance between the centres of two balls, m. */
export function distanceOf(a: Ball, b: Ball): number {
  return Math.sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

/** How fast two balls approach, m/s; negative if they part. */
export function closingOf(a: Ball, b: Ball): number {
  return ((a.vx - b.vx) * (b.x - a.x) + (a.vy - b.vy) * (b.y - a.y)) / distanceOf(a, b);
}

/**
 * Two balls collide: restitution along the line of centres, friction across it, which throws the
 * object ball and transfers spin. Friction at most ends the slip: a seventh of it for each of two
 * equal balls. The table absorbs vertical pushes. (Alciatore, TP A.5 and A.14.)
 */
export function collideBalls(a: Ball, b: Ball, physics: Physics): void {
  const apart = distanceOf(a, b);
  const nx = (b.x - a.x) / apart;
  const ny = (b.y - a.y) / apart;
  const dvx = a.vx - b.vx;
  const dvy = a.vy - b.vy;
  const closing = dvx * nx + dvy * ny;
  const touching = closing < TOUCH_SPEED;
  const push = ((1 + (touching ? 0 : physics.ballRestitution)) / 2) * closing;
  a.vx -= push * nx;
  a.vy -= push * ny;
  b.vx += push * nx;
  b.vy += push * ny;
  // Slip of the two surfaces: horizontal, along (-ny, nx), and vertical.
  const level = dvy * nx - dvx * ny + RADIUS * (a.wz + b.wz);
  const upright = RADIUS * ((a.wx + b.wx) * ny - (a.wy + b.wy) * nx);
  const slip = Math.sqrt(level * level + upright * upright);
  if (slip > 0) rub(a, b, nx, ny, level / slip, upright / slip, grip(slip, push, physics));
}

/** The change of velocity by friction. */
function grip(slip: number, push: number, { ballFriction }: Physics): number {
  const { base, slope, fall } = ballFriction;
  const most = (base + slope * expMinus(fall * slip)) * push;
  return most < slip / 7 ? most : slip / 7;
}

function rub(
  a: Ball,
  b: Ball,
  nx: number,
  ny: number,
  level: number,
  upright: number,
  drag: number,
): void {
  a.vx += drag * level * ny;
  a.vy -= drag * level * nx;
  b.vx -= drag * level * ny;
  b.vy += drag * level * nx;
  const turn = TURN * drag;
  for (const ball of [a, b]) {
    ball.wx -= turn * upright * ny;
    ball.wy += turn * upright * nx;
    ball.wz -= turn * level;
  }
}

/**
 * A ball hits the nose of a cushion, which is higher than its centre, so that it is pressed down as
 * it bounces; the table absorbs that. `(nx, ny)` is the horizontal unit direction from the ball to
 * the nose, `apart` their distance. (Han 2005, as in pooltool.)
 */
export function collideCushion(
  ball: Ball,
  nx: number,
  ny: number,
  apart: number,
  physics: Physics,
): void {
  const { noseSin, noseCos, cushionRestitution, cushionFriction } = physics;
  const closing = ball.vx * nx + ball.vy * ny;
  const touching = closing < TOUCH_SPEED;
  // The contact is in direction c from the ball's centre.
  const cx = noseCos * nx;
  const cy = noseCos * ny;
  const push = touching ? closing / noseCos : (1 + cushionRestitution) * closing * noseCos;
  // Slip of the ball's surface along the nose: all of its velocity that is not along c.
  const along = closing * noseCos;
  const ux = ball.vx + RADIUS * (ball.wy * noseSin - ball.wz * cy) - along * cx;
  const uy = ball.vy + RADIUS * (ball.wz * cx - ball.wx * noseSin) - along * cy;
  const uz = RADIUS * (ball.wx * cy - ball.wy * cx) - along * noseSin;
  const slip = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const most = cushionFriction * push;
  const drag = slip === 0 ? 0 : (most < (2 * slip) / 7 ? most : (2 * slip) / 7) / slip;
  ball.vx -= push * cx + drag * ux;
  ball.vy -= push * cy + drag * uy;
  const turn = TURN * drag;
  ball.wx -= turn * (cy * uz - noseSin * uy);
  ball.wy -= turn * (noseSin * ux - cx * uz);
  ball.wz -= turn * (cx * uy - cy * ux);
  const left = ball.vx * nx + ball.vy * ny;
  if (left > 0) {
    ball.vx -= left * nx;
    ball.vy -= left * ny;
  }
  const missing = RADIUS + TOUCH_GAP - apart;
  if (touching && missing > 0) {
    ball.x -= missing * nx;
    ball.y -= missing * ny;
  }
}
