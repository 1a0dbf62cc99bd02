/** The motion on the wire: every ball is drawn where it was, and it is small. */

import { describe, expect, test } from 'bun:test';
import type { Random } from '../../../game/src/random.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { placedBalls } from './facts.ts';
import type { Motion } from './motion.ts';
import { makeMotion, placeOnPath } from './motion.ts';
import { makeBall } from './physics/ball.ts';
import { legAt } from './physics/course.ts';
import { fraction, randomStrike, randomTable } from './physics/shots.test-kit.ts';
import type { Course, Placed, Shot } from './physics/simulate.ts';
import { simulate, simulateBalls } from './physics/simulate.ts';
import { pool } from './pool.ts';
import { initialOf, laid, play, shotOf } from './positions.test-kit.ts';
import type { Variant } from './rack.ts';
import { rackBalls, unsettle, VARIANTS } from './rack.ts';
import { randomLegalAction } from './random-action.test-kit.ts';
import type { PoolState } from './state.ts';
import { breakShot } from './think.ts';

const random = makeRandom(`${TEST_SEED}`, () => 'pool motion', 0);

/** The largest distance, m, between a ball and its drawn position. */
function errorOf({ ball, legs }: Course, { paths }: Motion): number {
  const path = paths.find(([n]) => n === ball) ?? [ball, 0, legs[0]!.x * 1e5, legs[0]!.y * 1e5];
  let most = 0;
  for (const [index, leg] of legs.entries()) {
    const end = legs[index + 1]?.t ?? leg.t + 1;
    for (let step = 0; step <= 8; step += 1) {
      const time = leg.t + ((end - leg.t) * step) / 8;
      const { x, y } = legAt(leg, time);
      const [drawnX, drawnY] = placeOnPath(path, time);
      most = Math.max(most, Math.hypot(drawnX - x, drawnY - y));
    }
  }
  return most;
}

/** What `makeMotion` promises, m. */
const ERROR_MAX = 5e-5;

function checkDrawn(shot: Shot): void {
  const motion = makeMotion(shot);
  for (const course of shot.courses) expect(errorOf(course, motion)).toBeLessThan(ERROR_MAX);
}

/** A break of a rack that is slightly different each time. */
function breakOf(variant: Variant, chance: Random): Shot {
  const table = unsettle(rackBalls(variant), chance);
  const { shot, place } = breakShot(
    { ...initialOf(variant), table },
    8 + 4 * fraction(chance),
    chance,
  );
  const balls: readonly Placed[] = [{ n: 0, ...place! }, ...placedBalls(table)];
  return simulate(balls, shot);
}

describe('drawn', () => {
  test(`[G-POOL-17] every ball of any shot is drawn within 0.05 mm of its position (seed ${TEST_SEED})`, () => {
    for (let n = 0; n < 300; n += 1)
      checkDrawn(simulate(randomTable(random), randomStrike(random)));
    for (let n = 0; n < 30; n += 1) checkDrawn(breakOf(VARIANTS[n % 2]!, random));
  });

  test('[G-POOL-17] also if the event limit stopped the shot', () => {
    const table = [...placedBalls(rackBalls('eightball')), { n: 0, x: -0.6, y: 0 }];
    const shot = simulate(table, shotOf({ speed: 10 }).shot, { eventsMax: 30 });
    expect(shot.end).toBe('event_cap');
    checkDrawn(shot);
  });
});

describe('the figures', () => {
  /** The 1 is driven into the side pocket; the cue ball stops behind it. */
  const straight = laid({ 0: [0, 0.1], 1: [0, 0.4], 9: [0.5, 0], 8: [-0.5, 0] });
  const up = shotOf(
    { aim: Math.PI / 2, speed: 1.5, follow: -0.008 },
    { call: { ball: 1, pocket: 'side-left' } },
  );
  const { motion } = lastOf(play(straight, up));

  test('[G-POOL-17] only balls that travel have a path, from their old position to their new one', () => {
    expect(motion.paths.map(([ball]) => ball)).toEqual([0, 1]);
    const [cue, one] = motion.paths as [number[], number[]];
    expect(cue.slice(0, 4)).toEqual([0, 0, 0, 10_000]);
    // It does not move until it is hit.
    expect(one.slice(0, 4)).toEqual([1, motion.contacts[0]![0], 0, 40_000]);
    for (const path of motion.paths) {
      expect((path.length - 4) % 5).toBe(0);
      expect(path.every(Number.isInteger)).toBe(true);
    }
    expect(placeOnPath(one, 0)).toEqual([0, 0.4]);
    expect(placeOnPath(one, 60)[1]).toBeGreaterThan(0.495);
  });

  test('[G-POOL-17] contacts and cushions are listed with their times, in order', () => {
    expect(motion.contacts).toEqual([[expect.any(Number), 0, 1]]);
    const scattered = makeMotion(breakOf('eightball', random));
    for (const events of [scattered.contacts, scattered.cushions]) {
      const times = events.map(([t]) => t);
      expect(times.length).toBeGreaterThan(4);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)!).toBeLessThanOrEqual(scattered.duration);
    }
    const [time, ball, at] = scattered.cushions[0]!;
    expect([Number.isInteger(time), ball <= 15, typeof at]).toEqual([true, true, 'string']);
  });

  test('[G-POOL-17] a ball that spins in place has no path, and does not prolong the motion', () => {
    const shot = simulateBalls([{ ...makeBall(0, 0, 0), wz: -30 }]);
    expect(shot.duration).toBeGreaterThan(2);
    expect(makeMotion(shot)).toEqual({ duration: 0, paths: [], contacts: [], cushions: [] });
  });

  test('[G-POOL-17] it survives JSON unchanged, as all views do', () => {
    const scattered = makeMotion(breakOf('nineball', random));
    expect(JSON.parse(JSON.stringify(scattered))).toEqual(scattered);
  });
});

test('[G-POOL-17] a shot is computed once for all viewers of the position, and a recomputation gives the same', () => {
  const state = initialOf('eightball');
  const after = pool.apply(state, 0, breakShot(state, 10.5, random), random);
  if ('code' in after) throw new Error(after.error);
  const { motion } = lastOf(after.state);
  expect(lastOf(after.state).motion).toBe(motion);
  const { last } = after.state;
  expect(lastOf({ ...after.state, fouls: [1, 0] }).motion).toBe(motion);
  const elsewhere = lastOf({ ...after.state, last: structuredClone(last) }).motion;
  expect(elsewhere).not.toBe(motion);
  expect(elsewhere).toEqual(motion);
});

interface Viewed {
  readonly motion: Motion;
}

function lastOf(state: PoolState): Viewed {
  return (pool.view(state, null) as unknown as { readonly last: Viewed }).last;
}

/** Bytes of the views after the breaks and after the other shots of a few games. */
function sizesOf(variant: Variant, games: number): Readonly<Record<'breaks' | 'shots', number[]>> {
  const sizes = { breaks: [] as number[], shots: [] as number[] };
  for (let game = 0; game < games; game += 1) {
    let state = initialOf(variant);
    for (let n = 0; n < 8 && state.result === null; n += 1) {
      const { isBreak } = state;
      const action = isBreak ? breakShot(state, 10.5, random) : randomLegalAction(state, random);
      const applied = pool.apply(state, state.seat, action, random);
      if ('code' in applied) throw new Error(applied.error);
      state = applied.state;
      if ('choose' in action) continue;
      sizes[isBreak ? 'breaks' : 'shots'].push(JSON.stringify(pool.view(state, null)).length);
    }
  }
  return sizes;
}

function shareOf(sizes: readonly number[], share: number): number {
  return sizes.toSorted((a, b) => a - b)[Math.floor(share * (sizes.length - 1))]!;
}

test.each(VARIANTS)(
  `[G-POOL-17] %s: views are 8 kB after a break, 3 kB after a shot, hardly ever 20 kB (seed ${TEST_SEED})`,
  (variant) => {
    const { breaks, shots } = sizesOf(variant, 100);
    expect(shareOf(breaks, 0.5)).toBeLessThan(8_000);
    expect(shareOf(breaks, 0.99)).toBeLessThan(20_000);
    expect(shareOf(shots, 0.5)).toBeLessThan(3_000);
    expect(shareOf(shots, 0.99)).toBeLessThan(8_000);
  },
);
