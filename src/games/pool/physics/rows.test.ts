/** Shots at balls frozen to one another; rows.slow.ts plays more of them. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { wrongBalls } from '../rack.ts';
import { makeBall } from './ball.ts';
import { EVENTS_MAX, RADIUS, TOUCH_GAP } from './parameters.ts';
import { findTouching, makeRoom } from './press.ts';
import { checkRowShots, SHAPE_NAMES } from './rows.test-kit.ts';
import { simulate } from './simulate.ts';
import { X_MAX, Y_MAX } from './table.ts';

const SHOTS = 300;

describe('frozen balls', () => {
  for (const shape of SHAPE_NAMES) {
    test(`[G-POOL-7] ${shape}: every shot comes to rest on a valid table (seed ${TEST_SEED})`, () => {
      const random = makeRandom(`${TEST_SEED}`, () => shape, 0);
      expect(checkRowShots(shape, SHOTS, random)).toBeLessThan(EVENTS_MAX);
    });
  }

  test('[G-POOL-7] a shot that is stopped leaves a valid table, too', () => {
    const row = Array.from({ length: 15 }, (_, index) => ({
      n: index + 1,
      x: -0.8 + index * (2 * RADIUS + 1e-12),
      y: Y_MAX,
    }));
    const before = [{ n: 0, x: -0.9, y: Y_MAX - 0.01 }, ...row];
    const strike = { aim: 0.1, speed: 8, side: 0, follow: 0.012, elevation: 0 };
    for (let eventsMax = 20; eventsMax < 90; eventsMax += 1) {
      const { after, end } = simulate(before, strike, { eventsMax });
      expect([eventsMax, end, wrongBalls(after)]).toEqual([eventsMax, 'event_cap', null]);
    }
  });

  test('[G-POOL-7] balls that overlapped before a shot do not after it', () => {
    const overlap = 9.3e-6;
    const row = [1, 2, 3, 4].map((n) => ({ n, x: n * (2 * RADIUS - overlap), y: Y_MAX }));
    const before = [{ n: 0, x: -0.5, y: -0.3 }, ...row];
    expect(wrongBalls(before)).toBe('1 and 2 overlap');
    const strike = { aim: Math.PI, speed: 0.3, side: 0, follow: 0, elevation: 0 };
    expect(wrongBalls(simulate(before, strike).after)).toBeNull();
  });
});

describe('room', () => {
  test('[G-POOL-7] touching balls are found through all balls in between', () => {
    const apart = 2 * RADIUS + TOUCH_GAP;
    const balls = [0, 1, 2, 4, 5].map((at, n) => makeBall(n, at * apart, 0));
    expect(findTouching(balls, 1, 2)).toEqual([
      [1, 2],
      [0, 1],
    ]);
  });

  test('[G-POOL-7] room is made without pushing a ball into a cushion', () => {
    const balls = [makeBall(1, X_MAX, 0), makeBall(2, X_MAX - 2 * RADIUS + 5e-6, 0)];
    expect([...makeRoom(balls)]).toEqual([0, 1]);
    expect(balls[0]!.x).toBe(X_MAX);
    expect(balls[0]!.x - balls[1]!.x).toBeGreaterThan(2 * RADIUS);
    expect([...makeRoom(balls)]).toEqual([]);
  });
});
