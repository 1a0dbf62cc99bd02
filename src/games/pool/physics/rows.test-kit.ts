/** Balls frozen to one another, in every shape with contacts of several at once. */

import type { Random } from '../../../../game/src/random.ts';
import { wrongBalls } from '../rack.ts';
import { RADIUS } from './parameters.ts';
import { checkShot, fraction, randomStrike } from './shots.test-kit.ts';
import type { Placed } from './simulate.ts';
import { simulate } from './simulate.ts';
import { X_MAX, Y_MAX } from './table.ts';

const ACROSS = 2 * RADIUS;
/** Balls that touch by rounding, m; the second is the rest of it between two rows. */
const TOUCH = 1e-12;
const ROW_APART = (ACROSS + 2e-9) * Math.sqrt(0.75) + 1e-9;
const BALLS_MAX = 15;

type Spot = readonly [x: number, y: number];

function rowOf(count: number, x: number, y: number, gap: () => number): readonly Spot[] {
  let at = x;
  return Array.from({ length: count }, (): Spot => {
    const spot = [at, y] as const;
    at += ACROSS + gap();
    return spot;
  });
}

/** Rows of touching balls, each a ball shorter than the one before, in its gaps. */
function blockOf(rows: number, longest: number, x: number, y: number): readonly Spot[] {
  return Array.from({ length: rows }, (_, row) =>
    rowOf(longest - row, x + (row * ACROSS) / 2, y - row * ROW_APART, () => 2e-9),
  ).flat();
}

/** Shapes of up to fifteen balls, by name. */
const SHAPES: Readonly<Record<string, (random: Random) => readonly Spot[]>> = {
  'a row along a long cushion': (random) => {
    const gap = [() => TOUCH, () => 2e-6, () => 1e-6 * (1 + random.integer(60))];
    const y = Y_MAX - 1e-6 * random.integer(3);
    return rowOf(3 + random.integer(13), -0.84, y, gap[random.integer(gap.length)]!);
  },
  'a row along a short cushion': (random) =>
    rowOf(3 + random.integer(12), -0.4, X_MAX, () => TOUCH).map(([y, x]): Spot => [x, y]),
  'a row in the middle': (random) =>
    rowOf(3 + random.integer(13), -0.4, 0.2 * fraction(random), () => TOUCH),
  'rows behind a row along a cushion': (random) => blockOf(2 + random.integer(2), 6, -0.3, Y_MAX),
  'a rack without gaps': () => blockOf(5, 5, -0.2, 0.1),
  'both cushions of a corner': () => [
    ...rowOf(7, 0.86 - 7 * ACROSS, Y_MAX, () => TOUCH),
    ...rowOf(5, 0.37 - 5 * ACROSS, X_MAX, () => TOUCH).map(([y, x]): Spot => [x, y]),
  ],
};

export const SHAPE_NAMES: readonly string[] = Object.keys(SHAPES);

/** The numbers 1 to `count`, in random order, because contacts are searched in the order of numbers. */
function shuffled(count: number, random: Random): readonly number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [numbers[last], numbers[other]] = [numbers[other]!, numbers[last]!];
  }
  return numbers;
}

/** The cue ball anywhere, or one time in four frozen to a ball. */
function placeCue(balls: readonly Placed[], random: Random): Placed {
  for (;;) {
    const { x, y } = balls[random.integer(balls.length)]!;
    const angle = 2 * Math.PI * fraction(random);
    const apart = ACROSS + (random.integer(4) === 0 ? TOUCH : fraction(random));
    const cue = { n: 0, x: x + apart * Math.cos(angle), y: y + apart * Math.sin(angle) };
    if (Math.abs(cue.x) > X_MAX || Math.abs(cue.y) > Y_MAX) continue;
    if (wrongBalls([cue, ...balls]) === null) return cue;
  }
}

/** Plays shots at a shape and checks the laws of every shot. Returns the most events of one. */
export function checkRowShots(shape: string, count: number, random: Random): number {
  let most = 0;
  for (let shot = 0; shot < count; shot += 1) {
    const spots = SHAPES[shape]!(random);
    const numbers = shuffled(Math.min(spots.length, BALLS_MAX), random);
    const balls = numbers.map((n, index) => ({ n, x: spots[index]![0], y: spots[index]![1] }));
    const before = [placeCue(balls, random), ...balls.sort((a, b) => a.n - b.n)];
    const target = balls[random.integer(balls.length)]!;
    const straight = Math.atan2(target.y - before[0]!.y, target.x - before[0]!.x);
    const strike = { ...randomStrike(random), aim: straight + 0.1 * (fraction(random) - 0.5) };
    const played = simulate(before, strike);
    try {
      checkShot(before, played);
    } catch (error) {
      throw new Error(`${shape}, shot ${shot}: ${JSON.stringify({ before, strike })}: ${error}`);
    }
    if (played.events.length > most) most = played.events.length;
  }
  return most;
}
