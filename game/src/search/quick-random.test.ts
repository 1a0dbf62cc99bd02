/** The search's random numbers: even, repeatable, and counted. */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { makeRandom } from '../random.ts';
import { makeQuickRandom } from './quick-random.ts';

const makeSeed = (name: string) => makeRandom(`${TEST_SEED}`, () => name, 0);

test(`[G-SEARCH] the values of a small range are equally frequent (seed ${TEST_SEED})`, () => {
  const random = makeQuickRandom(makeSeed('even'));
  const draws = 70_000;
  const counts = Array<number>(7).fill(0);
  for (let n = 0; n < draws; n += 1) counts[random.integer(7)]! += 1;
  const mean = draws / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
  // Six degrees of freedom: above 27.9 in one seed of 10,000.
  expect(chiSquare).toBeLessThan(27.9);
});

test('[G-SEARCH] a seed gives the same values on every machine', () => {
  const values = (name: string) => {
    const random = makeQuickRandom(makeRandom('fixed', () => name, 0));
    return Array.from({ length: 5 }, () => random.integer(1_000_000));
  };
  expect(values('a')).toEqual(values('a'));
  expect(values('b')).not.toEqual(values('a'));
  expect(values('a')).toEqual([858_531, 635_635, 761_415, 511_110, 804_267]);
});

test('[G-SEARCH] draws are counted, up to the whole range, and larger ranges are refused', () => {
  const random = makeQuickRandom(makeSeed('range'));
  expect(random.integer(1)).toBe(0);
  const large = Array.from({ length: 100 }, () => random.integer(2 ** 32));
  expect(large.every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
  expect(Math.max(...large)).toBeGreaterThan(2 ** 31);
  expect(random.drawn()).toBe(101);
  for (const below of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN]) {
    expect(() => random.integer(below)).toThrow(RangeError);
  }
});
