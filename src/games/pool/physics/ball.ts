/** A moving ball: how it slides, rolls and spins between two events, and when that changes. */

import type { Physics } from './parameters.ts';
import { GRAVITY, RADIUS, STILL } from './parameters.ts';

/**
 * What a ball does. `slide`: its lowest point slips on the cloth. `roll`: it does not slip. `spin`:
 * it spins in place about the vertical axis. `down`: it has fallen into a pocket.
 */
export const MOTIONS = ['rest', 'spin', 'roll', 'slide', 'down'] as const;
export type Motion = (typeof MOTIONS)[number];

/**
 * A ball from time `t` on, until its next event. Its course follows: the position is x + vx dt + ax
 * dt²/2, the rotation about x and y changes evenly by `gx` and `gy`, about the vertical axis by the
 * spin's decay until it is 0. Mutable, and used by one shot only.
 */
export interface Ball {
  /** Its number; 0 is the cue ball. */
  readonly n: number;
  motion: Motion;
  /** The time of the values below, s after the strike. */
  t: number;
  /** When this motion ends by itself. */
  until: number;
  /** Position, m, velocity, m/s, and acceleration, m/s². */
  x: number;
  y: number;
  vx: number;
  vy: number;
  ax: number;
  ay: number;
  /** Rotation, rad/s, positive by the right-hand rule; z is up. */
  wx: number;
  wy: number;
  wz: number;
  /** Change of the rotation about x and y, rad/s². */
  gx: number;
  gy: number;
}

export function makeBall(n: number, x: number, y: number): Ball {
  return {
    n,
    motion: 'rest',
    t: 0,
    until: Number.POSITIVE_INFINITY,
    x,
    y,
    vx: 0,
    vy: 0,
    ax: 0,
    ay: 0,
    wx: 0,
    wy: 0,
    wz: 0,
    gx: 0,
    gy: 0,
  };
}

export function isMoving(ball: Ball): boolean {
  return ball.motion === 'slide' || ball.motion === 'roll';
}

/** Advances a ball to a later time of the same motion. */
export function advanceBall(ball: Ball, time: number, physics: Physics): void {
  const dt = time - ball.t;
  ball.t = time;
  if (dt === 0 || ball.motion === 'rest' || ball.motion === 'down') return;
  ball.x += dt * (ball.vx + (dt * ball.ax) / 2);
  ball.y += dt * (ball.vy + (dt * ball.ay) / 2);
  ball.vx += dt * ball.ax;
  ball.vy += dt * ball.ay;
  ball.wx += dt * ball.gx;
  ball.wy += dt * ball.gy;
  ball.wz = decay(ball.wz, dt * physics.spinDecay);
}

function decay(value: number, loss: number): number {
  if (value > loss) return value - loss;
  return value < -loss ? value + loss : 0;
}

/** Ends a motion: removes slip, travel or rotation left by rounding. */
export function endMotion(ball: Ball): void {
  if (ball.motion === 'slide') {
    ball.wx = -ball.vy / RADIUS;
    ball.wy = ball.vx / RADIUS;
    return;
  }
  ball.vx = 0;
  ball.vy = 0;
  ball.wx = 0;
  ball.wy = 0;
  if (ball.motion === 'spin') ball.wz = 0;
}

/** Determines the motion that follows from a ball's velocity and rotation, and when it ends. */
export function setMotion(ball: Ball, physics: Physics): void {
  // Velocity of the lowest point against the cloth.
  const ux = ball.vx - RADIUS * ball.wy;
  const uy = ball.vy + RADIUS * ball.wx;
  const slip = Math.sqrt(ux * ux + uy * uy);
  const speed = Math.sqrt(ball.vx * ball.vx + ball.vy * ball.vy);
  if (slip > STILL) setSlide(ball, ux / slip, uy / slip, slip, physics);
  else if (speed > STILL) setRoll(ball, speed, physics);
  else setStill(ball, physics);
}

/** Friction acts against the slip's direction, which is constant until the slip ends. */
function setSlide(ball: Ball, ux: number, uy: number, slip: number, physics: Physics): void {
  const force = physics.slide * GRAVITY;
  const torque = (5 * force) / (2 * RADIUS);
  ball.motion = 'slide';
  ball.ax = -force * ux;
  ball.ay = -force * uy;
  ball.gx = -torque * uy;
  ball.gy = torque * ux;
  ball.until = ball.t + (2 * slip) / (7 * force);
}

function setRoll(ball: Ball, speed: number, physics: Physics): void {
  const force = physics.roll * GRAVITY;
  ball.motion = 'roll';
  ball.ax = (-force * ball.vx) / speed;
  ball.ay = (-force * ball.vy) / speed;
  ball.wx = -ball.vy / RADIUS;
  ball.wy = ball.vx / RADIUS;
  ball.gx = -ball.ay / RADIUS;
  ball.gy = ball.ax / RADIUS;
  ball.until = ball.t + speed / force;
}

/** Stops a ball's travel and rotation; its spin about the vertical axis stays. */
function halt(ball: Ball): void {
  ball.vx = 0;
  ball.vy = 0;
  ball.ax = 0;
  ball.ay = 0;
  ball.wx = 0;
  ball.wy = 0;
  ball.gx = 0;
  ball.gy = 0;
}

function setStill(ball: Ball, physics: Physics): void {
  halt(ball);
  const spins = ball.wz !== 0;
  ball.motion = spins ? 'spin' : 'rest';
  ball.until = spins ? ball.t + Math.abs(ball.wz) / physics.spinDecay : Number.POSITIVE_INFINITY;
}

/** Takes a ball off the table. */
export function takeDown(ball: Ball): void {
  halt(ball);
  ball.wz = 0;
  ball.motion = 'down';
  ball.until = Number.POSITIVE_INFINITY;
}

/** Energy of travel and rotation, J per kg. */
export function energyOf(ball: Ball): number {
  const { vx, vy, wx, wy, wz } = ball;
  return (vx * vx + vy * vy) / 2 + (RADIUS * RADIUS * (wx * wx + wy * wy + wz * wz)) / 5;
}
