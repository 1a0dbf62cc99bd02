/**
 * A shot from the strike to the last ball at rest. There are no time steps: between events every
 * ball's course is a parabola, so the time of the next event is solved exactly.
 */

import type { Ball, Motion } from './ball.ts';
import { advanceBall, endMotion, isMoving, makeBall, setMotion, takeDown } from './ball.ts';
import { closingOf, collideBalls, collideCushion } from './collide.ts';
import type { Physics } from './parameters.ts';
import { EVENTS_MAX, PHYSICS, RADIUS, TOUCH_SPEED } from './parameters.ts';
import { findTouching, makeRoom, press } from './press.ts';
import type { Quartic } from './roots.ts';
import { fallOfQuartic } from './roots.ts';
import type { Strike } from './strike.ts';
import { strikeBall } from './strike.ts';
import type { Pocket } from './table.ts';
import { HALF_LENGTH, HALF_WIDTH } from './table.ts';
import type { Cushion, Meeting, Wall } from './walls.ts';
import { fillDistance, meetWalls } from './walls.ts';

/** A ball on the table; number 0 is the cue ball. */
export interface Placed {
  readonly n: number;
  readonly x: number;
  readonly y: number;
}

/** What happens in a shot. Times in s after the strike. */
export type ShotEvent =
  /** Two balls meet. */
  | { readonly t: number; readonly kind: 'contact'; readonly balls: readonly [number, number] }
  /** A ball meets a cushion, or a jaw of a pocket. */
  | {
      readonly t: number;
      readonly kind: 'cushion';
      readonly ball: number;
      readonly at: Cushion | Pocket;
    }
  | {
      readonly t: number;
      readonly kind: 'pocket';
      readonly ball: number;
      readonly at: Pocket;
    }
  /** A ball stops slipping, travelling or spinning by itself. */
  | { readonly t: number; readonly kind: 'motion'; readonly ball: number; readonly to: Motion };

/** A ball's course from `t` until its next leg, or until the end: see `Ball` for the values. */
export interface Leg {
  readonly motion: Motion;
  readonly t: number;
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly ax: number;
  readonly ay: number;
  readonly wx: number;
  readonly wy: number;
  readonly wz: number;
}

/** The legs of one ball, in order. */
export interface Course {
  readonly ball: number;
  readonly legs: readonly Leg[];
}

export interface Shot {
  /** `event_cap`: more events than in any correct shot; every ball was stopped where it was. */
  readonly end: 'rest' | 'event_cap';
  /** When the last ball came to rest, s. */
  readonly duration: number;
  readonly events: readonly ShotEvent[];
  /** Every ball that moved or spun, in the order of `before`. */
  readonly courses: readonly Course[];
  /** The balls left on the table, in the order of `before`. */
  readonly after: readonly Placed[];
}

/** How to simulate. */
export interface Means {
  readonly physics: Physics;
  /** False leaves `courses` empty, which is enough for a search. */
  readonly withCourses: boolean;
  readonly eventsMax: number;
}

const MEANS: Means = { physics: PHYSICS, withCourses: true, eventsMax: EVENTS_MAX };

/** The running simulation. Mutable. */
interface World extends Means {
  readonly balls: readonly Ball[];
  /** Each ball's next contact with a fixed object. */
  readonly meetings: readonly Meeting[];
  /** The time at which balls i and j meet, at `i * balls.length + j` for i below j. */
  readonly pairs: Float64Array;
  /** Which pairs have met: 1 at `i * balls.length + j` for i below j. */
  readonly met: Uint8Array;
  readonly legs: readonly Leg[][];
  readonly events: ShotEvent[];
  readonly quartic: Quartic;
  now: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Plays one shot; the cue ball is among `before`. Pure: the same input gives the same bits. */
export function simulate(
  before: readonly Placed[],
  strike: Strike,
  means: Partial<Means> = {},
): Shot {
  const world = makeWorld(
    before.map(({ n, x, y }) => makeBall(n, x, y)),
    { ...MEANS, ...means },
  );
  const index = before.findIndex(({ n }) => n === 0);
  strikeBall(world.balls[index]!, strike);
  change(world, index);
  return runWorld(world);
}

/** As `simulate`, from moving balls. */
export function simulateBalls(balls: readonly Ball[], means: Partial<Means> = {}): Shot {
  const world = makeWorld(
    balls.map((ball) => ({ ...ball })),
    { ...MEANS, ...means },
  );
  for (const [index, { wx, wy, wz, vx, vy }] of balls.entries()) {
    if ([wx, wy, wz, vx, vy].some((value) => value !== 0)) change(world, index);
  }
  return runWorld(world);
}

function makeWorld(balls: readonly Ball[], means: Means): World {
  return {
    ...means,
    balls,
    meetings: balls.map(() => ({ time: NEVER, wall: null })),
    pairs: new Float64Array(balls.length * balls.length).fill(NEVER),
    met: new Uint8Array(balls.length * balls.length),
    legs: balls.map(() => []),
    events: [],
    quartic: [0, 0, 0, 0, 0],
    now: 0,
  };
}

function runWorld(world: World): Shot {
  let goesOn = true;
  while (goesOn && world.events.length < world.eventsMax) goesOn = step(world);
  if (goesOn) stopBalls(world);
  separateOverlaps(world);
  return makeShot(world, goesOn ? 'event_cap' : 'rest');
}

function stopBalls(world: World): void {
  for (const [index, ball] of world.balls.entries()) {
    if (ball.motion === 'down' || ball.motion === 'rest') continue;
    advanceBall(ball, world.now, world.physics);
    Object.assign(ball, { vx: 0, vy: 0, wx: 0, wy: 0, wz: 0 });
    setMotion(ball, world.physics);
    record(world, index);
  }
}

function makeShot({ now, events, legs, balls }: World, end: Shot['end']): Shot {
  return {
    end,
    duration: now,
    events,
    courses: balls.flatMap(({ n }, index) =>
      legs[index]!.length === 0 ? [] : [{ ball: n, legs: legs[index]! }],
    ),
    after: balls.flatMap(({ n, x, y, motion }) => (motion === 'down' ? [] : [{ n, x, y }])),
  };
}

/** Advances to the next event; false if there is none. Simultaneous events may be in any order. */
function step(world: World): boolean {
  const { balls, meetings, pairs } = world;
  const count = balls.length;
  let time = NEVER;
  let first = -1;
  let second = -1;
  let isMeeting = false;
  for (let i = 0; i < count; i += 1) {
    if (balls[i]!.until < time) {
      time = balls[i]!.until;
      first = i;
      second = -1;
      isMeeting = false;
    }
    if (meetings[i]!.time < time) {
      time = meetings[i]!.time;
      first = i;
      second = -1;
      isMeeting = true;
    }
    for (let j = i + 1; j < count; j += 1) {
      const meets = pairs[i * count + j]!;
      if (meets >= time) continue;
      time = meets;
      first = i;
      second = j;
    }
  }
  if (first < 0) return false;
  world.now = time;
  if (second >= 0) contact(world, first, second);
  else if (isMeeting) meet(world, first, meetings[first]!.wall!);
  else settle(world, first);
  return true;
}

function contact(world: World, i: number, j: number): void {
  const { balls, physics, now } = world;
  const a = balls[i]!;
  const b = balls[j]!;
  advanceBall(a, now, physics);
  advanceBall(b, now, physics);
  noteContact(world, i, j);
  if (closingOf(a, b) < TOUCH_SPEED) {
    pressOn(world, i, j);
    return;
  }
  collideBalls(a, b, physics);
  change(world, i);
  change(world, j);
}

function noteContact({ balls, events, met, now }: World, i: number, j: number): void {
  met[i * balls.length + j] = 1;
  events.push({ t: now, kind: 'contact', balls: [balls[i]!.n, balls[j]!.n] });
}

/**
 * A contact that does not bounce goes through all touching balls at once. Events list the pairs
 * after the first only when they meet for the first time.
 */
function pressOn(world: World, i: number, j: number): void {
  const { balls, met, physics, now } = world;
  for (const ball of balls) advanceBall(ball, now, physics);
  // Both in any case: their meeting is over even if rounding leaves nothing to push.
  const changed = new Set([i, j]);
  for (const [one, other] of press(balls, findTouching(balls, i, j), physics)) {
    if (met[one * balls.length + other] === 0) noteContact(world, one, other);
    changed.add(one).add(other);
  }
  for (const index of makeRoom(balls)) changed.add(index);
  for (const index of changed) change(world, index);
}

/** Balls that overlap, or are stopped overlapping, are moved apart before the result. */
function separateOverlaps(world: World): void {
  for (const index of makeRoom(world.balls)) {
    world.balls[index]!.t = world.now;
    record(world, index);
  }
}

function meet(world: World, index: number, wall: Wall): void {
  const { physics, now } = world;
  const ball = world.balls[index]!;
  advanceBall(ball, now, physics);
  if (wall.kind === 'hole') {
    takeDown(ball);
    world.events.push({ t: now, kind: 'pocket', ball: ball.n, at: wall.at });
    change(world, index);
    return;
  }
  const { nx, ny, apart } = towards(ball, wall);
  collideCushion(ball, nx, ny, apart, physics);
  world.events.push({ t: now, kind: 'cushion', ball: ball.n, at: wall.at });
  change(world, index);
}

/** The horizontal unit direction from a ball to what it touches, and the distance. */
function towards(
  ball: Ball,
  wall: Exclude<Wall, { kind: 'hole' }>,
): { readonly nx: number; readonly ny: number; readonly apart: number } {
  if (wall.kind === 'nose') return { nx: wall.nx, ny: wall.ny, apart: roomTo(ball, wall) };
  const { x, y } = wall.kind === 'jaw' ? wall.edge : wall;
  if (wall.kind === 'jaw') {
    const { nx, ny } = wall.edge;
    return { nx: -nx, ny: -ny, apart: (ball.x - x) * nx + (ball.y - y) * ny };
  }
  const apart = Math.sqrt((x - ball.x) * (x - ball.x) + (y - ball.y) * (y - ball.y));
  return { nx: (x - ball.x) / apart, ny: (y - ball.y) / apart, apart };
}

function roomTo(ball: Ball, { nx, ny }: { readonly nx: number; readonly ny: number }): number {
  return nx === 0 ? HALF_WIDTH - ny * ball.y : HALF_LENGTH - nx * ball.x;
}

function settle(world: World, index: number): void {
  const ball = world.balls[index]!;
  advanceBall(ball, world.now, world.physics);
  endMotion(ball);
  change(world, index);
  world.events.push({ t: world.now, kind: 'motion', ball: ball.n, to: ball.motion });
}

/** After any event of a ball: its new motion, and its next contacts. */
function change(world: World, index: number): void {
  const { balls, meetings, pairs, physics, quartic } = world;
  const ball = balls[index]!;
  if (ball.motion !== 'down') setMotion(ball, physics);
  record(world, index);
  const meeting = meetings[index]!;
  meeting.time = NEVER;
  meeting.wall = null;
  if (isMoving(ball)) meetWalls(ball, meeting, quartic);
  const count = balls.length;
  for (let other = 0; other < count; other += 1) {
    if (other === index) continue;
    const [i, j] = other < index ? [other, index] : [index, other];
    pairs[i * count + j] = forecast(world, i, j);
  }
}

function record(world: World, index: number): void {
  if (!world.withCourses) return;
  const { motion, t, x, y, vx, vy, ax, ay, wx, wy, wz } = world.balls[index]!;
  world.legs[index]!.push({ motion, t, x, y, vx, vy, ax, ay, wx, wy, wz });
}

/** When two balls meet, if neither meets anything else before; Infinity if they do not. */
function forecast(world: World, i: number, j: number): number {
  const { balls, meetings, now, quartic } = world;
  const a = balls[i]!;
  const b = balls[j]!;
  if (!(isMoving(a) || isMoving(b)) || a.motion === 'down' || b.motion === 'down') return NEVER;
  const end = Math.min(a.until, b.until, meetings[i]!.time, meetings[j]!.time);
  const span = end - now;
  const ta = isMoving(a) ? now - a.t : 0;
  const tb = isMoving(b) ? now - b.t : 0;
  const dx = b.x + tb * (b.vx + (tb * b.ax) / 2) - a.x - ta * (a.vx + (ta * a.ax) / 2);
  const dy = b.y + tb * (b.vy + (tb * b.ay) / 2) - a.y - ta * (a.vy + (ta * a.ay) / 2);
  const vx = b.vx + tb * b.ax - a.vx - ta * a.ax;
  const vy = b.vy + tb * b.ay - a.vy - ta * a.ay;
  const ax = (b.ax - a.ax) / 2;
  const ay = (b.ay - a.ay) / 2;
  if (cannotReach(dx, vx, ax, span) || cannotReach(dy, vy, ay, span)) return NEVER;
  fillDistance(quartic, dx, dy, vx, vy, ax, ay, 2 * RADIUS);
  return now + fallOfQuartic(quartic, span);
}

/** Whether the distance along one axis stays above two radii whatever happens on the other. */
function cannotReach(d: number, v: number, a: number, span: number): boolean {
  const room = Math.abs(d) - 2 * RADIUS;
  return room > 0 && room > span * (Math.abs(v) + span * Math.abs(a));
}
