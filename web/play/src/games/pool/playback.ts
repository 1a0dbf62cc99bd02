/** Plays back a shot: where every ball is at any time, its orientation, and its sounds. Pure. */

import { placeOnPath } from '../../../../../src/games/pool/motion.ts';
import { RADIUS } from '../../../../../src/games/pool/physics/parameters.ts';
import type { Ball, LastShot, PoolView } from './view.ts';

/** A ball's orientation as two directions in it: towards its number, and along the middle of its stripe. */
export interface Facing {
  readonly number: Vector;
  readonly pole: Vector;
}
export type Vector = readonly [number, number, number];

export const UPRIGHT: Facing = { number: [0, 0, 1], pole: [0, 1, 0] };

/** All balls' positions this many seconds after the shot; those that have fallen are left out. */
export function ballsAt({ balls }: PoolView, last: LastShot, time: number): readonly Ball[] {
  const now = new Map(balls.map((ball) => [ball.n, ball]));
  for (const ball of last.before) now.set(ball.n, ball);
  const fallen = new Set(last.pocketed.map(({ ball }) => ball));
  if (last.scratched !== null) fallen.add(0);
  for (const path of last.paths) {
    const n = path[0]!;
    if (fallen.has(n) && time >= endOf(path)) {
      now.delete(n);
      continue;
    }
    const [x, y] = placeOnPath(path, time);
    now.set(n, { n, x, y });
  }
  return [...now.values()].sort((a, b) => a.n - b.n);
}

/** When a ball's path ends, in seconds. */
function endOf(path: readonly number[]): number {
  let time = path[1]!;
  for (let at = 4; at < path.length; at += 5) time += path[at]!;
  return time * 1e-6;
}

/** Every ball that has fallen, with the time at which it did. */
export function fallsOf(last: LastShot): readonly number[] {
  const fallen = new Set(last.pocketed.map(({ ball }) => ball));
  if (last.scratched !== null) fallen.add(0);
  return last.paths.flatMap((path) => (fallen.has(path[0]!) ? [endOf(path)] : []));
}

/** A ball's orientation after it has rolled from one place to another. */
export function roll(facing: Facing, dx: number, dy: number): Facing {
  const way = Math.sqrt(dx * dx + dy * dy);
  if (way < 1e-7) return facing;
  const angle = way / RADIUS;
  // It turns about the horizontal axis across its direction.
  const axis: Vector = [-dy / way, dx / way, 0];
  return {
    number: turn(facing.number, axis, angle),
    pole: turn(facing.pole, axis, angle),
  };
}

/** Rodrigues' formula. Only drawn, so the machine's own sine is good enough. */
function turn([x, y, z]: Vector, [ax, ay, az]: Vector, angle: number): Vector {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const along = (x * ax + y * ay + z * az) * (1 - cos);
  return [
    x * cos + (ay * z - az * y) * sin + ax * along,
    y * cos + (az * x - ax * z) * sin + ay * along,
    z * cos + (ax * y - ay * x) * sin + az * along,
  ];
}
