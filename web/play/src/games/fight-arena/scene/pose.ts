/** A body as few points, and the joints that follow from them. Millimetres from the feet, x ahead, y up. Pure. */

export type Point = readonly [x: number, y: number];

/**
 * Target positions of a fighter's body. The far limbs are those of the leading side; neck and head
 * only give directions, because a spine has a fixed length. Hands are wrists and feet are ankles.
 */
export interface Pose {
  readonly hip: Point;
  readonly neck: Point;
  readonly head: Point;
  readonly handFar: Point;
  readonly handNear: Point;
  readonly footFar: Point;
  readonly footNear: Point;
}

/** A limb from the body outwards. */
export type Limb = readonly [root: Point, joint: Point, tip: Point];

export interface Joints {
  readonly hip: Point;
  readonly neck: Point;
  readonly head: Point;
  readonly armFar: Limb;
  readonly armNear: Limb;
  readonly legFar: Limb;
  readonly legNear: Limb;
}

const SPINE = 460;
const NECK = 205;
const UPPER_ARM = 300;
const FOREARM = 290;
const THIGH = 440;
const SHIN = 430;
/** The chest is turned to the viewer: the far shoulder is ahead of the near one, hips likewise. */
const SHOULDER_FAR = 70;
const SHOULDER_NEAR = -50;
const SHOULDER_DOWN = 65;
const HIP_FAR = 45;
const HIP_NEAR = -40;

const between = ([ax, ay]: Point, [bx, by]: Point, part: number): Point => [
  ax + (bx - ax) * part,
  ay + (by - ay) * part,
];

/** Interpolates from one pose (0) to another (1). */
export function mix(from: Pose, to: Pose, part: number): Pose {
  if (part <= 0) return from;
  if (part >= 1) return to;
  return {
    hip: between(from.hip, to.hip, part),
    neck: between(from.neck, to.neck, part),
    head: between(from.head, to.head, part),
    handFar: between(from.handFar, to.handFar, part),
    handNear: between(from.handNear, to.handNear, part),
    footFar: between(from.footFar, to.footFar, part),
    footNear: between(from.footNear, to.footNear, part),
  };
}

/** The pose with every point moved. */
export function shift(pose: Pose, dx: number, dy: number): Pose {
  const move = ([x, y]: Point): Point => [x + dx, y + dy];
  return {
    hip: move(pose.hip),
    neck: move(pose.neck),
    head: move(pose.head),
    handFar: move(pose.handFar),
    handNear: move(pose.handNear),
    footFar: move(pose.footFar),
    footNear: move(pose.footNear),
  };
}

/** From 0 to 1, slow at both ends. */
export function ease(part: number): number {
  const t = Math.min(1, Math.max(0, part));
  return t * t * (3 - 2 * t);
}

export function solve(pose: Pose): Joints {
  const { hip } = pose;
  const neck = reach(hip, pose.neck, SPINE);
  const head = reach(neck, pose.head, NECK);
  const spine: Point = [(neck[0] - hip[0]) / SPINE, (neck[1] - hip[1]) / SPINE];
  const across = (from: Point, ahead: number, down: number): Point => [
    from[0] + spine[1] * ahead - spine[0] * down,
    from[1] - spine[0] * ahead - spine[1] * down,
  ];
  const shoulderFar = across(neck, SHOULDER_FAR, SHOULDER_DOWN);
  const shoulderNear = across(neck, SHOULDER_NEAR, SHOULDER_DOWN);
  const hipFar = across(hip, HIP_FAR, 0);
  const hipNear = across(hip, HIP_NEAR, 0);
  return {
    hip,
    neck,
    head,
    armFar: bend(shoulderFar, pose.handFar, UPPER_ARM, FOREARM, -1),
    armNear: bend(shoulderNear, pose.handNear, UPPER_ARM, FOREARM, -1),
    legFar: bend(hipFar, pose.footFar, THIGH, SHIN, 1),
    legNear: bend(hipNear, pose.footNear, THIGH, SHIN, 1),
  };
}

/** The point at this distance from `from` in the direction of `to`. */
function reach(from: Point, to: Point, length: number): Point {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const distance = Math.hypot(dx, dy) || 1;
  return [from[0] + (dx / distance) * length, from[1] + (dy / distance) * length];
}

/**
 * Two bones from `root` towards `tip`; the joint bends to the left of that direction (1) or to its right (-1). A tip
 * out
 * of reach is only aimed at.
 */
function bend(root: Point, tip: Point, upper: number, lower: number, side: 1 | -1): Limb {
  const longest = upper + lower - 1;
  const shortest = Math.abs(upper - lower) + 60;
  const dx = tip[0] - root[0];
  const dy = tip[1] - root[1];
  const wanted = Math.hypot(dx, dy) || 1;
  const length = Math.min(longest, Math.max(shortest, wanted));
  const ux = dx / wanted;
  const uy = dy / wanted;
  const along = (upper * upper - lower * lower + length * length) / (2 * length);
  const off = Math.sqrt(Math.max(0, upper * upper - along * along)) * side;
  const joint: Point = [root[0] + ux * along - uy * off, root[1] + uy * along + ux * off];
  return [root, joint, [root[0] + ux * length, root[1] + uy * length]];
}
