/**
 * Hashes over all bits of many shots, to compare engines: nothing here or below it may be missing
 * in an engine.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Random } from '../../../../game/src/random.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { placedBalls } from '../facts.ts';
import { rackBalls, unsettle, VARIANTS } from '../rack.ts';
import { angleOf } from './arithmetic.ts';
import { MOTIONS } from './ball.ts';
import { RADIUS } from './parameters.ts';
import type { Placed, Shot, ShotEvent } from './simulate.ts';
import { simulate } from './simulate.ts';
import type { Strike } from './strike.ts';
import { MOUTHS, POCKETS, X_MAX, Y_MAX } from './table.ts';
import { CUSHIONS } from './walls.ts';

/** Shots per hash: a difference is located to this many. */
const BATCH = 100;

/** The hashes of shots 0 to 99, 100 to 199 and so on; the kinds of `TASKS` alternate. */
export function hashesOfShots(batches: number): readonly string[] {
  const random = makeRandom('pool bits', () => '0', 0);
  return Array.from({ length: batches }, (_, batch) => {
    const shots = Array.from({ length: BATCH }, (__, index) => {
      const make = TASKS[(batch * BATCH + index) % TASKS.length]!;
      const { balls, strike } = make(random);
      return simulate(balls, strike);
    });
    return hashOfShots(shots);
  });
}

/** Hex SHA-256 of every bit of the shots' results. */
export function hashOfShots(shots: readonly Shot[]): string {
  return bytesToHex(sha256(bytesOf(shots.flatMap(figuresOf))));
}

interface Task {
  readonly balls: readonly Placed[];
  readonly strike: Strike;
}

/** From `low` to `high` in steps without rounding of their own. */
function even(random: Random, low: number, high: number): number {
  return low + (high - low) * (random.integer(65_537) / 65_536);
}

/** That many balls anywhere on the bed, none overlapping. */
function scatter(random: Random, count: number): readonly Placed[] {
  const balls: Placed[] = [];
  while (balls.length < count) {
    const x = even(random, -X_MAX, X_MAX);
    const y = even(random, -Y_MAX, Y_MAX);
    const isFree = balls.every(
      (ball) => (ball.x - x) * (ball.x - x) + (ball.y - y) * (ball.y - y) > 4 * RADIUS * RADIUS,
    );
    if (isFree) balls.push({ n: balls.length, x, y });
  }
  return balls;
}

function strikeOf(random: Random, changes: Partial<Strike> = {}): Strike {
  return {
    aim: even(random, -3, 3),
    speed: even(random, 0.1, 12),
    side: 0,
    follow: 0,
    elevation: 0,
    ...changes,
  };
}

/** Every kind of shot: a maker of each. */
const TASKS: readonly ((random: Random) => Task)[] = [
  // Breaks.
  (random) => {
    const variant = VARIANTS[random.integer(2)]!;
    const y = even(random, -0.3, 0.3);
    const rack = placedBalls(unsettle(rackBalls(variant), random));
    const aim = angleOf(1.0953, -y) + even(random, -0.02, 0.02);
    const strike = strikeOf(random, { aim, speed: even(random, 6, 12), follow: 0.004 });
    return { balls: [{ n: 0, x: -0.6, y }, ...rack], strike };
  },
  // Full tables, with a level cue.
  (random) => ({ balls: scatter(random, 16), strike: strikeOf(random) }),
  // Few balls.
  (random) => ({ balls: scatter(random, 2 + random.integer(3)), strike: strikeOf(random) }),
  // Into the jaws: at a mouth, off its middle.
  (random) => {
    const [cue] = scatter(random, 1) as [Placed];
    const { x, y } = MOUTHS[random.integer(MOUTHS.length)]!;
    const aim = angleOf(x - cue.x, y - cue.y) + even(random, -0.1, 0.1);
    return { balls: [cue], strike: strikeOf(random, { aim }) };
  },
  // With spin.
  (random) => {
    const side = even(random, -0.01, 0.01);
    const follow = even(random, -0.01, 0.01);
    const balls = scatter(random, 2 + random.integer(15));
    return { balls, strike: strikeOf(random, { side, follow }) };
  },
  // With a raised cue, and spin.
  (random) => {
    const side = even(random, -0.01, 0.01);
    const elevation = even(random, 0, 1.2);
    const balls = scatter(random, 2 + random.integer(15));
    return { balls, strike: strikeOf(random, { side, elevation }) };
  },
  // Along a cushion, into a row of balls that touch.
  (random) => {
    const row = Array.from({ length: 2 + random.integer(12) }, (_, index) => ({
      n: index + 1,
      x: -0.6 + index * (2 * RADIUS + 1e-12),
      y: Y_MAX,
    }));
    const aim = even(random, -0.02, 0.02);
    const follow = even(random, -0.01, 0.01);
    const strike = strikeOf(random, { aim, follow });
    return { balls: [{ n: 0, x: -0.8, y: Y_MAX - even(random, 0, 0.01) }, ...row], strike };
  },
];

const PLACES: readonly string[] = [...CUSHIONS, ...POCKETS];

/** The whole result of a shot: end, events, every value of every leg, and the balls' final positions. */
function figuresOf({ end, duration, events, courses, after }: Shot): number[] {
  return [
    end === 'rest' ? 0 : 1,
    duration,
    events.length,
    ...events.flatMap(figuresOfEvent),
    ...courses.flatMap(({ ball, legs }) => [
      ball,
      legs.length,
      ...legs.flatMap(({ motion, t, x, y, vx, vy, ax, ay, wx, wy, wz }) => [
        MOTIONS.indexOf(motion),
        t,
        x,
        y,
        vx,
        vy,
        ax,
        ay,
        wx,
        wy,
        wz,
      ]),
    ]),
    ...after.flatMap(({ n, x, y }) => [n, x, y]),
  ];
}

function figuresOfEvent(event: ShotEvent): readonly number[] {
  switch (event.kind) {
    case 'contact':
      return [event.t, 0, ...event.balls];
    case 'cushion':
      return [event.t, 1, event.ball, PLACES.indexOf(event.at)];
    case 'pocket':
      return [event.t, 2, event.ball, PLACES.indexOf(event.at)];
    case 'motion':
      return [event.t, 3, event.ball, MOTIONS.indexOf(event.to)];
  }
}

function bytesOf(figures: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * figures.length));
  for (const [index, figure] of figures.entries()) view.setFloat64(8 * index, figure);
  return new Uint8Array(view.buffer);
}
