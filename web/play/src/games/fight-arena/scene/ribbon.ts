/** A strip of cloth that hangs from a fighter and trails behind it: a chain of points with gravity. */

import type { Point } from './pose.ts';

export interface Ribbon {
  /** Lets it follow its anchor for this many seconds. Lengths in millimetres of the stage. */
  follow(anchor: Point, seconds: number, facing: number): void;
  /** From the anchor outwards. */
  readonly points: readonly Point[];
}

const LINKS = 5;
/** mm/s² down, and against the direction of the fighter. */
const PULL_DOWN = -5_200;
const PULL_BACK = 2_600;
/** The share of a point's speed that is left after a second. */
const DRAG = 0.015;
/** An anchor that has jumped farther moves the whole ribbon. */
const JUMP = 1_500;

export function makeRibbon(link: number): Ribbon {
  let points: Point[] = [];
  let before: Point[] = [];
  const reset = ([x, y]: Point, facing: number): void => {
    points = Array.from({ length: LINKS + 1 }, (_, n) => [
      x - facing * n * link * 0.7,
      y - n * link * 0.5,
    ]);
    before = points.slice();
  };
  return {
    follow(anchor, seconds, facing) {
      const first = points[0];
      if (first === undefined || Math.hypot(anchor[0] - first[0], anchor[1] - first[1]) > JUMP) {
        reset(anchor, facing);
        return;
      }
      const time = Math.min(0.05, Math.max(0, seconds));
      const damping = DRAG ** time;
      const moved = points.map((at, n): Point => {
        if (n === 0) return anchor;
        const [oldX, oldY] = before[n]!;
        return [
          at[0] + (at[0] - oldX) * damping - facing * PULL_BACK * time * time,
          at[1] + (at[1] - oldY) * damping + PULL_DOWN * time * time,
        ];
      });
      before = points;
      points = hold(moved, link);
    },
    get points() {
      return points;
    },
  };
}

/** Puts every point at one link's length from the one before it. */
function hold(points: readonly Point[], link: number): Point[] {
  const held: Point[] = [points[0]!];
  for (const [x, y] of points.slice(1)) {
    const [fromX, fromY] = held.at(-1)!;
    const dx = x - fromX;
    const dy = y - fromY;
    const length = Math.hypot(dx, dy) || 1;
    held.push([fromX + (dx / length) * link, Math.max(20, fromY + (dy / length) * link)]);
  }
  return held;
}
