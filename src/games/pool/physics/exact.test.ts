/** Same input, same bits: own functions, solved times, mirrored shots, and one pinned hash. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { angleOf, directionOf, expMinus } from './arithmetic.ts';
import type { Quartic } from './roots.ts';
import { fallOfQuadratic, fallOfQuartic } from './roots.ts';
import { fraction, randomStrike, randomTable } from './shots.test-kit.ts';
import type { Placed, ShotEvent } from './simulate.ts';
import { simulate } from './simulate.ts';

const random = makeRandom(`${TEST_SEED}`, () => 'exact pool', 0);

describe('own functions', () => {
  test(`[G-POOL-8] sine and cosine are right to 4e-16, even and odd exactly (seed ${TEST_SEED})`, () => {
    for (let n = 0; n < 20_000; n += 1) {
      const angle = (fraction(random) - 0.5) * 13;
      const { cos, sin } = directionOf(angle);
      expect(Math.abs(cos - Math.cos(angle))).toBeLessThan(4e-16);
      expect(Math.abs(sin - Math.sin(angle))).toBeLessThan(4e-16);
      expect(directionOf(-angle)).toEqual({ cos, sin: -sin });
    }
    expect(directionOf(0)).toEqual({ cos: 1, sin: 0 });
    for (const angle of [1_001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => directionOf(angle)).toThrow(RangeError);
    }
  });

  test(`[G-POOL-8] the angle of a direction is right to 2e-15 (seed ${TEST_SEED})`, () => {
    for (let n = 0; n < 20_000; n += 1) {
      const [x, y] = [fraction(random) - 0.5, fraction(random) - 0.5] as const;
      expect(Math.abs(angleOf(x, y) - Math.atan2(y, x))).toBeLessThan(2e-15);
      expect(angleOf(x, -y)).toBe(-angleOf(x, y));
    }
    expect([angleOf(1, 0), angleOf(-1, 0), angleOf(0, 0)]).toEqual([0, Math.PI, 0]);
  });

  test(`[G-POOL-8] exp(-x) is right to 1e-12 of its size (seed ${TEST_SEED})`, () => {
    for (let n = 0; n < 20_000; n += 1) {
      const x = fraction(random) * 40;
      expect(Math.abs(expMinus(x) / Math.exp(-x) - 1)).toBeLessThan(1e-12);
    }
    expect([expMinus(0), expMinus(40), expMinus(1e9)]).toEqual([1, 0, 0]);
  });
});

describe('times of events', () => {
  const STEPS = 4_000;

  function valueAt(c: readonly number[], t: number): number {
    return c[0]! + t * (c[1]! + t * (c[2]! + t * (c[3]! + t * c[4]!)));
  }

  /** The first fall, found by stepping. */
  function stepped(c: readonly number[], span: number): number {
    for (let step = 1; step <= STEPS; step += 1) {
      const time = (step / STEPS) * span;
      if (valueAt(c, time - span / STEPS) > 0 && valueAt(c, time) <= 0) return time;
    }
    return Number.POSITIVE_INFINITY;
  }

  test(`[G-POOL-8] falls of quartics are where stepping finds them (seed ${TEST_SEED})`, () => {
    let found = 0;
    for (let n = 0; n < 2_000; n += 1) {
      // Four roots, so that there are falls to find, some of them beyond the span.
      const [a, b, c, d] = [0, 0, 0, 0].map(() => fraction(random) * 4 - 1) as [
        number,
        ...number[],
      ];
      const quartic: Quartic = [
        a * b! * c! * d!,
        -(a * b! * c! + a * b! * d! + a * c! * d! + b! * c! * d!),
        a * b! + a * c! + a * d! + b! * c! + b! * d! + c! * d!,
        -(a + b! + c! + d!),
        1,
      ];
      const apart = [a, b!, c!, d!].sort((x, y) => x - y);
      if (apart.some((root, i) => i > 0 && root - apart[i - 1]! < 2e-3)) continue;
      if (quartic[0] <= 0 && quartic[1] < 0) continue; // Falls at once.
      const time = fallOfQuartic(quartic, 2);
      const near = stepped(quartic, 2);
      if (near === Number.POSITIVE_INFINITY) expect(time).toBe(near);
      else expect(Math.abs(near - time)).toBeLessThanOrEqual(2 / STEPS + 1e-9);
      if (near !== Number.POSITIVE_INFINITY) found += 1;
    }
    expect(found).toBeGreaterThan(500);
  });

  test('[G-POOL-8] a quartic that begins at or below zero falls at once, or not before it has risen', () => {
    expect(fallOfQuartic([-1e-18, -1, 0, 0, 0], 5)).toBe(0);
    expect(fallOfQuartic([0, 0, -1, 0, 0], 5)).toBe(0);
    expect(fallOfQuartic([0, 1, 0, 0, 0], 5)).toBe(Number.POSITIVE_INFINITY);
    expect(fallOfQuartic([0, 1, -0.5, 0, 0], 5)).toBeCloseTo(2, 12);
    expect(fallOfQuartic([-1e-18, 1, -0.5, 0, 0], 1)).toBe(Number.POSITIVE_INFINITY);
  });

  test('[G-POOL-8] falls of quadratics, whichever way they open', () => {
    expect(fallOfQuadratic(1, -3, 2)).toBeCloseTo(1, 15);
    expect(fallOfQuadratic(-1, 1, 2)).toBeCloseTo(2, 15);
    expect(fallOfQuadratic(0, -2, 1)).toBeCloseTo(0.5, 15);
    expect(fallOfQuadratic(0, 1, -1e-18)).toBe(Number.POSITIVE_INFINITY);
    expect(fallOfQuadratic(-1, 1, -1e-18)).toBeCloseTo(1, 12);
    expect(fallOfQuadratic(1, -1, -1e-18)).toBe(0);
    expect(fallOfQuadratic(1, -1, 5)).toBe(Number.POSITIVE_INFINITY);
    expect(fallOfQuadratic(1, 1, 1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('shots', () => {
  const SHOTS = 1_000;
  const OTHER_SIDE: Readonly<Record<string, string>> = { left: 'right', right: 'left' };

  function mirrored(event: ShotEvent): object {
    if (event.kind !== 'cushion' && event.kind !== 'pocket') return event;
    return { ...event, at: event.at.replace(/left|right/, (side) => OTHER_SIDE[side]!) };
  }

  function flip({ n, x, y }: Placed): Placed {
    return { n, x, y: -y };
  }

  test(`[G-POOL-8] left and right are mirror images, bit for bit (seed ${TEST_SEED})`, () => {
    for (let n = 0; n < SHOTS; n += 1) {
      const before = randomTable(random);
      const strike = randomStrike(random);
      const shot = simulate(before, strike);
      const other = simulate(before.map(flip), {
        ...strike,
        aim: -strike.aim,
        side: -strike.side,
      });
      expect(other.after).toEqual(shot.after.map(flip));
      expect(other.events).toEqual(shot.events.map(mirrored) as ShotEvent[]);
    }
  });
});
