/** Which players the queue seats together, checked against the rule for any waiting sessions. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { Party, WaitingSession } from './queue.ts';
import { chooseSession, ratingRange } from './queue.ts';

const NOW = Date.UTC(2026, 10, 14);
const ALONE: Party = { rating: 1500, size: 1 };

const waits = (session: string, rating: number, waitedMs = 0, free = 1): WaitingSession => ({
  session,
  rating,
  since: NOW - waitedMs,
  free,
});
const chosen = (waiting: readonly WaitingSession[], party: Party = ALONE) =>
  chooseSession(waiting, party, NOW)?.session ?? null;

const anyWaiting = fc
  .array(
    fc.record({
      rating: fc.integer({ min: 800, max: 2_400 }),
      waitedMs: fc.integer({ min: 0, max: 40_000 }),
      free: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((list) =>
    list.map(({ rating, waitedMs, free }, index) => waits(`ses_${index}`, rating, waitedMs, free)),
  );
const anyParty = fc.record({
  rating: fc.integer({ min: 800, max: 2_400 }),
  size: fc.integer({ min: 1, max: 3 }),
});

test('[S2] the range begins at 100 points, widens, and includes everyone after 20 s', () => {
  expect(ratingRange(0)).toBe(100);
  expect(ratingRange(2_000)).toBe(200);
  expect(ratingRange(19_999)).toBeLessThan(1_101);
  expect(ratingRange(20_000)).toBe(Number.POSITIVE_INFINITY);
  expect(ratingRange(-5)).toBe(100);
});

test(`[S2] the range never shrinks (seed ${TEST_SEED})`, () => {
  const ms = fc.integer({ min: 0, max: 60_000 });
  fc.assert(
    fc.property(ms, ms, (a, b) => {
      expect(ratingRange(Math.min(a, b))).toBeLessThanOrEqual(ratingRange(Math.max(a, b)));
    }),
    { seed: TEST_SEED },
  );
});

test('[S2] the nearest rating comes first, then the longest wait', () => {
  expect(chosen([waits('far', 1_590), waits('near', 1_480), waits('mid', 1_450)])).toBe('near');
  expect(chosen([waits('late', 1_480, 10), waits('early', 1_520, 500)])).toBe('early');
  expect(chosen([waits('b', 1_480), waits('a', 1_520)])).toBe('a');
});

test('[S2] a player within the range comes before a nearer one whom it does not reach yet', () => {
  const near = waits('near', 1_650, 0);
  expect(chosen([near, waits('long', 1_900, 10_000)])).toBe('long');
  expect(chosen([near, waits('short', 1_900, 5_000)])).toBe('near');
  expect(chosen([near, waits('ever', 2_400, 20_000)])).toBe('ever');
});

test('[S2] a match out of range is preferred to waiting alone', () => {
  expect(chosen([waits('only', 2_400)])).toBe('only');
});

test('[S2] a party is seated where there is room for all of it', () => {
  const party = { rating: 1_500, size: 2 };
  expect(chosen([waits('one', 1_500, 0, 1), waits('two', 1_900, 0, 2)], party)).toBe('two');
  expect(chosen([waits('one', 1_500, 0, 1)], party)).toBeNull();
});

test(`[S2] for any waiting sessions: there is room, and none is skipped (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(anyWaiting, anyParty, (waiting, party) => {
      const choice = chooseSession(waiting, party, NOW);
      const fitting = waiting.filter(({ free }) => free >= party.size);
      if (choice === null) {
        expect(fitting).toEqual([]);
        return;
      }
      expect(fitting).toContain(choice);
      const distance = (each: WaitingSession) => Math.abs(each.rating - party.rating);
      const reaches = (each: WaitingSession) => distance(each) <= ratingRange(NOW - each.since);
      const rivals = fitting.some(reaches) ? fitting.filter(reaches) : fitting;
      expect(rivals).toContain(choice);
      for (const rival of rivals) {
        expect(distance(choice)).toBeLessThanOrEqual(distance(rival));
        if (distance(rival) === distance(choice)) {
          expect(choice.since).toBeLessThanOrEqual(rival.since);
        }
      }
    }),
    { seed: TEST_SEED, numRuns: 2_000 },
  );
});

test(`[S2] the choice does not depend on the order of the sessions (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(anyWaiting, anyParty, (waiting, party) => {
      const there = chooseSession(waiting, party, NOW);
      const back = chooseSession([...waiting].reverse(), party, NOW);
      expect(back).toEqual(there);
    }),
    { seed: TEST_SEED, numRuns: 500 },
  );
});
