/** Randomness against an independent HMAC, and its evenness. */

import { describe, expect, test } from 'bun:test';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { makeRandom, sha256Hex } from './random.ts';

/** Value n of a match by rule S9, by node's own HMAC. */
function valueAt(seed: string, entropy: string, n: number): number {
  return createHmac('sha256', seed).update(`${entropy}:${n}`).digest().readUInt32BE(0);
}

/** The first integer from value n on, and the counter after it, computed with BigInt. */
function integerAt(seed: string, entropy: string, n: number, below: number): [number, number] {
  const value = BigInt(valueAt(seed, entropy, n));
  const size = BigInt(below);
  const isWhole = (value / size + 1n) * size <= 2n ** 32n;
  return isWhole ? [Number(value % size), n + 1] : integerAt(seed, entropy, n + 1, below);
}

function take(count: number, next: () => number): readonly number[] {
  return Array.from({ length: count }, next);
}

describe('known answers', () => {
  test('[S9] value n is the first four bytes of HMAC-SHA256(seed, entropy:n)', () => {
    const random = makeRandom('seed', () => 'entropy', 0);
    const values = take(5, () => random.integer(2 ** 32));
    expect(values).toEqual([0, 1, 2, 3, 4].map((n) => valueAt('seed', 'entropy', n)));
  });

  test('[S9] dice of a fixed seed never change', () => {
    const random = makeRandom('seed', () => 'entropy', 0);
    expect(take(20, () => random.integer(6) + 1)).toEqual([
      2, 2, 2, 5, 1, 5, 1, 3, 2, 4, 6, 4, 3, 2, 2, 1, 2, 3, 4, 3,
    ]);
  });

  test('[S9] seed and entropy count as UTF-8', () => {
    const random = makeRandom('sämen🎲', () => 'zufall–żółć', 7);
    expect(random.integer(2 ** 32)).toBe(valueAt('sämen🎲', 'zufall–żółć', 7));
  });

  test('[S9] a commitment is the hex SHA-256 of the text', () => {
    expect(sha256Hex('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(sha256Hex('sämen🎲')).toBe(createHash('sha256').update('sämen🎲').digest('hex'));
  });
});

describe('the counter', () => {
  test(`[S9] any draws equal an independent implementation of the rule (seed ${TEST_SEED})`, () => {
    const below = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 32 }));
    const property = fc.property(
      fc.string(),
      fc.string(),
      fc.nat(),
      fc.array(below, { minLength: 1, maxLength: 8 }),
      (seed, entropy, start, belows) => {
        const random = makeRandom(seed, () => entropy, start);
        let counter = start;
        for (const size of belows) {
          const [value, after] = integerAt(seed, entropy, counter, size);
          expect(random.integer(size)).toBe(value);
          expect(random.drawn()).toBe(after);
          counter = after;
        }
      },
    );
    fc.assert(property, { seed: TEST_SEED });
  });

  test('[S9] a match in several parts draws the same as in one', () => {
    const whole = makeRandom('seed', () => 'entropy', 0);
    let drawn = 0;
    for (let piece = 0; piece < 50; piece += 1) {
      const random = makeRandom('seed', () => 'entropy', drawn);
      // Large enough that about half the values are rejected; the counter must count those, too.
      expect(random.integer(2 ** 31 + 1)).toBe(whole.integer(2 ** 31 + 1));
      drawn = random.drawn();
      expect(drawn).toBe(whole.drawn());
    }
    expect(drawn).toBeGreaterThan(50);
  });

  test('[S9] a game without draws leaves the counter alone; draws of a single kind are counted too', () => {
    const random = makeRandom('seed', () => 'entropy', 12);
    expect(random.drawn()).toBe(12);
    expect(random.integer(1)).toBe(0);
    expect(random.drawn()).toBe(13);
  });

  test('[S9] other entropy or another seed gives other values', () => {
    const first = (seed: string, entropy: string) =>
      makeRandom(seed, () => entropy, 0).integer(2 ** 32);
    expect(first('seed', 'a')).not.toBe(first('seed', 'b'));
    expect(first('seed', 'a')).not.toBe(first('seeds', 'a'));
  });
});

describe('evenness', () => {
  /** Highest chi-square that one run in a million exceeds, by degrees of freedom. */
  const LIMITS = [
    { below: 2, limit: 23.93 },
    { below: 6, limit: 35.89 },
    { below: 10, limit: 44.81 },
  ] as const;
  const DRAWS = 12_000;

  for (const { below, limit } of LIMITS) {
    test(`[S9] ${DRAWS} integers below ${below} are even (seed ${TEST_SEED})`, () => {
      const random = makeRandom(`${TEST_SEED}`, () => `below ${below}`, 0);
      const counts = Array<number>(below).fill(0);
      for (let draw = 0; draw < DRAWS; draw += 1) counts[random.integer(below)]! += 1;
      const expected = DRAWS / below;
      const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquare).toBeLessThan(limit);
    });
  }
});
