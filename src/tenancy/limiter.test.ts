/** A window never allows more than its limit, allows all of it, and is forgotten in time. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { makeWindowLimiter, WINDOW_MS, WRONG_KEYS_PER_WINDOW } from './limiter.ts';

const NOW = 1_763_640_000_000;
const seeded = { seed: TEST_SEED, numRuns: 300 };

describe('one window', () => {
  test('[H6] allows the limit and no more, and says how much is left and until when', () => {
    const limiter = makeWindowLimiter();
    const takes = Array.from({ length: 5 }, () => limiter.take('ten_a:live', 3, NOW));
    expect(takes.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
    expect(takes.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
    expect(new Set(takes.map(({ limit }) => limit))).toEqual(new Set([3]));
    const { resetAt } = takes[0]!;
    expect(resetAt).toBeGreaterThan(NOW);
    expect(resetAt).toBeLessThanOrEqual(NOW + WINDOW_MS);
    expect(takes.every((take) => take.resetAt === resetAt)).toBe(true);
  });

  test('[H6] is full again at the very time it named, and not a millisecond before', () => {
    const limiter = makeWindowLimiter();
    const { resetAt } = limiter.take('a', 1, NOW);
    expect(limiter.take('a', 1, resetAt - 1).allowed).toBe(false);
    expect(limiter.take('a', 1, resetAt)).toEqual({
      allowed: true,
      limit: 1,
      remaining: 0,
      resetAt: resetAt + WINDOW_MS,
    });
  });

  test('[H6] refused requests do not use it up: a raised limit applies at once', () => {
    const limiter = makeWindowLimiter();
    for (let i = 0; i < 10; i++) limiter.take('a', 2, NOW);
    expect(limiter.take('a', 3, NOW)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.take('a', 1, NOW)).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('[H6] belongs to its key alone', () => {
    const limiter = makeWindowLimiter();
    limiter.take('ten_a:live', 1, NOW);
    expect(limiter.take('ten_a:test', 1, NOW).allowed).toBe(true);
    expect(limiter.take('ten_a:live', 1, NOW).allowed).toBe(false);
  });

  test('[H6] a limit of zero allows nothing', () => {
    expect(makeWindowLimiter().take('a', 0, NOW)).toMatchObject({ allowed: false, remaining: 0 });
  });
});

describe('many windows', () => {
  test(`[H6] no window of a key ever allows more than its limit (seed ${TEST_SEED})`, () => {
    const steps = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c'), wait: fc.nat({ max: 20_000 }) }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (all, limit) => {
        const limiter = makeWindowLimiter();
        const given = new Map<string, number>();
        let now = NOW;
        for (const { key, wait } of all) {
          now += wait;
          const take = limiter.take(key, limit, now);
          const window = `${key}@${take.resetAt}`;
          const before = given.get(window) ?? 0;
          expect(take.allowed).toBe(before < limit);
          expect(take.resetAt - now).toBeGreaterThan(0);
          expect(take.resetAt - now).toBeLessThanOrEqual(WINDOW_MS);
          if (take.allowed) given.set(window, before + 1);
        }
      }),
      seeded,
    );
  });

  test('[H6] windows of different keys end at different times, those of one key at the same times', () => {
    const limiter = makeWindowLimiter();
    const ends = Array.from(
      { length: 200 },
      (_, i) => limiter.take(`ten_${i}:live`, 1, NOW).resetAt,
    );
    expect(new Set(ends).size).toBeGreaterThan(150);
    const again = makeWindowLimiter().take('ten_7:live', 1, NOW + 10 * WINDOW_MS).resetAt;
    expect((again - ends[7]!) % WINDOW_MS).toBe(0);
  });
});

describe('memory', () => {
  test('[H5] windows that have ended are forgotten', () => {
    const limiter = makeWindowLimiter();
    for (let i = 0; i < 5_000; i++) {
      limiter.take(`192.0.2.${i}`, WRONG_KEYS_PER_WINDOW, NOW + i * 100);
    }
    // 600 addresses a window; those of the window before are pruned with the next.
    expect(limiter.size()).toBeLessThanOrEqual(1_300);
  });

  test('[H5] never holds more keys than its maximum; the newest stay', () => {
    const limiter = makeWindowLimiter({ keysMax: 100 });
    for (let i = 0; i < 1_000; i++) limiter.take(`${i}`, 1, NOW);
    expect(limiter.size()).toBe(100);
    expect(limiter.take('999', 1, NOW).allowed).toBe(false);
    expect(limiter.take('0', 1, NOW).allowed).toBe(true);
    expect(limiter.size()).toBe(100);
  });
});

test('[H5] 30 wrong keys a minute', () => {
  const limiter = makeWindowLimiter();
  const takes = Array.from({ length: 40 }, () =>
    limiter.take('192.0.2.1', WRONG_KEYS_PER_WINDOW, NOW),
  );
  expect(takes.filter(({ allowed }) => allowed)).toHaveLength(30);
});
