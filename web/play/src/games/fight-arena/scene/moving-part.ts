/** The area that the canvas covers: what moves, and little of the static background around it. Pure. */

import { BOLT_HIGH, BOLT_LOW } from '../../../../../../src/games/fight-arena/stage.ts';
import type { Effect } from './effects.ts';
import type { Joints, Point } from './pose.ts';

/** A box; each use says which unit its numbers have. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** Millimetres drawn around a body's parts: hair, a foot, the trunk with its bones, a hand with its gathered light. */
const HEAD = 310;
const FOOT = 250;
const TRUNK = 215;
const HAND = 190;
/** The same around cloth. */
const CLOTH = 90;
/** The largest effect around its position; a bolt with its tail. */
const EFFECT = 760;
const BOLT = 730;
const BOLT_HALF = 230;

/** The bounding box of points with a margin around each. */
export function boxAround(points: readonly Point[], margin: number): Box {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  return { left: left - margin, right: right + margin, low: low - margin, high: high + margin };
}

/** The box around a body's joints; `toStage` puts them on the stage. Millimetres. */
export function bodyBox(joints: Joints, toStage: (point: Point) => Point): Box {
  const { hip, neck, head, armFar, armNear, legFar, legNear } = joints;
  const limbs = [armFar, armNear, legFar, legNear];
  const trunk = [hip, neck, ...limbs.flatMap((limb) => limb.slice(0, 2))];
  return unite([
    boxAround([toStage(head)], HEAD),
    boxAround(trunk.map(toStage), TRUNK),
    boxAround([armFar[2], armNear[2]].map(toStage), HAND),
    boxAround([legFar[2], legNear[2]].map(toStage), FOOT),
  ]);
}

export const clothBox = (points: readonly Point[]): Box => boxAround(points, CLOTH);

export const effectBox = ({ x, y }: Effect): Box => boxAround([[x, y]], EFFECT);

export function boltBox(x: number): Box {
  const middle = (BOLT_LOW + BOLT_HIGH) / 2;
  const [low, high] = [middle - BOLT_HALF, middle + BOLT_HALF];
  return { left: x - BOLT, right: x + BOLT, low, high };
}

export function unite(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    low: Math.min(...boxes.map(({ low }) => low)),
    high: Math.max(...boxes.map(({ high }) => high)),
  };
}

/** CSS pixels, from the view's upper left corner. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A canvas grows in such steps and never shrinks, because a resize reallocates it. */
const STEP_PX = 64;

/** Its position is in whole pixels. */
export interface MovingPart {
  /** The area to cover now; `box` is in CSS pixels with y downwards, `low` above `high`. */
  cover(box: Box, picture: { readonly width: number; readonly height: number }): Part;
}

export function makeMovingPart(): MovingPart {
  let width = 0;
  let height = 0;
  return {
    cover(box, picture) {
      width = grown(width, box.right - box.left, picture.width);
      height = grown(height, box.high - box.low, picture.height);
      return {
        x: placed(box.left, box.right, width, picture.width),
        y: placed(box.low, box.high, height, picture.height),
        width,
        height,
      };
    },
  };
}

function grown(now: number, length: number, most: number): number {
  return Math.min(most, Math.max(now, Math.ceil(length / STEP_PX) * STEP_PX));
}

/** Centred on the covered box, and within the view. */
function placed(from: number, to: number, length: number, most: number): number {
  const start = Math.round((from + to - length) / 2);
  return Math.max(0, Math.min(most - length, start));
}
