/** Balls that touch: a push is passed on through all of them at once, and each gets room. */

import type { Ball } from './ball.ts';
import { closingOf, collideBalls, distanceOf } from './collide.ts';
import type { Physics } from './parameters.ts';
import { RADIUS, TOUCH_GAP, TOUCH_SPEED } from './parameters.ts';
import { isLongNose, isShortNose, X_MAX, Y_MAX } from './table.ts';

/** Two balls, by their index in the list, the lower first. */
export type Pair = readonly [number, number];

/** Balls whose surfaces are no farther apart than this, m, are pressed together. */
const REACH = 2 * TOUCH_GAP;
/** Pairs that approach more slowly than this, m/s, are left to their next contact. */
const PRESS_SPEED = 1e-4;
/** The most rounds in which pushes are passed on, and in which balls are moved apart. */
const PRESS_ROUNDS = 64;
const ROOM_ROUNDS = 256;

/** The pairs that touch, starting with `(i, j)`, and all that a push from there can reach. */
export function findTouching(balls: readonly Ball[], i: number, j: number): readonly Pair[] {
  const pairs = pairsWithin(balls, 2 * RADIUS + REACH);
  const reached = new Set([i, j]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [one, other] of pairs) {
      if (reached.has(one) || reached.has(other)) reached.add(one).add(other);
    }
  }
  const behind = pairs.filter(([one, other]) => reached.has(one) && !(one === i && other === j));
  return [[i, j], ...behind];
}

function pairsWithin(balls: readonly Ball[], distance: number): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const [j, b] of balls.entries()) {
    if (b.motion === 'down') continue;
    for (let i = 0; i < j; i += 1) {
      const a = balls[i]!;
      const isFar = Math.abs(a.x - b.x) > distance || Math.abs(a.y - b.y) > distance;
      if (!isFar && a.motion !== 'down' && distanceOf(a, b) <= distance) pairs.push([i, j]);
    }
  }
  return pairs;
}

/**
 * Removes the closing speed of touching pairs, round by round until the rest is negligible. Each
 * push is a contact without a bounce, so no energy is gained. Returns the pairs that were pushed.
 */
export function press(
  balls: readonly Ball[],
  pairs: readonly Pair[],
  physics: Physics,
): readonly Pair[] {
  const pushed = new Set<Pair>();
  for (let round = 0; round < PRESS_ROUNDS; round += 1) {
    let isStill = true;
    for (const [index, pair] of pairs.entries()) {
      const a = balls[pair[0]]!;
      const b = balls[pair[1]]!;
      const closing = closingOf(a, b);
      const least = index === 0 && round === 0 ? 0 : PRESS_SPEED;
      if (closing <= least || closing >= TOUCH_SPEED) continue;
      collideBalls(a, b, physics);
      keepRolling(a);
      keepRolling(b);
      pushed.add(pair);
      isStill = false;
    }
    if (isStill) break;
  }
  return [...pushed];
}

/**
 * A ball that was not sliding rolls after a slow push: its slide would end within a thousandth of a
 * second. Friction takes two sevenths of the slip from its travel.
 */
function keepRolling(ball: Ball): void {
  if (ball.motion === 'slide') return;
  const ux = ball.vx - RADIUS * ball.wy;
  const uy = ball.vy + RADIUS * ball.wx;
  if (ux * ux + uy * uy >= TOUCH_SPEED * TOUCH_SPEED) return;
  ball.vx -= (2 * ux) / 7;
  ball.vy -= (2 * uy) / 7;
  ball.wx = -ball.vy / RADIUS;
  ball.wy = ball.vx / RADIUS;
}

/**
 * Moves balls apart that are closer than the least gap, and out of the noses of cushions. Returns
 * which were moved. All balls must be at the same time.
 */
export function makeRoom(balls: readonly Ball[]): ReadonlySet<number> {
  const moved = new Set<number>();
  for (let round = 0; round < ROOM_ROUNDS; round += 1) {
    const pairs = pairsWithin(balls, 2 * RADIUS + TOUCH_GAP / 2);
    if (pairs.length === 0) break;
    for (const [i, j] of pairs) {
      part(balls[i]!, balls[j]!);
      moved.add(i).add(j);
    }
  }
  return moved;
}

function part(a: Ball, b: Ball): void {
  const apart = distanceOf(a, b);
  const missing = 2 * RADIUS + TOUCH_GAP - apart;
  if (missing <= 0) return;
  const px = (missing / 2) * ((b.x - a.x) / apart);
  const py = (missing / 2) * ((b.y - a.y) / apart);
  a.x -= px;
  a.y -= py;
  b.x += px;
  b.y += py;
  keepOnBed(a);
  keepOnBed(b);
}

/** A ball beside a nose is not pushed into it. */
function keepOnBed(ball: Ball): void {
  if (isLongNose(ball.x)) ball.y = within(ball.y, Y_MAX);
  if (isShortNose(ball.y)) ball.x = within(ball.x, X_MAX);
}

function within(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}
