/** The effect of matches on ratings: two and more seats, draws, ends that do not count. */

import { expect, test } from 'bun:test';
import type { RatedOutcome, Standing } from './rating.ts';
import { isRatedEnd, NEW_STANDING, PERIOD_MS, rateMatch, standingAt } from './rating.ts';

const T0 = Date.UTC(2026, 10, 14);

const outcome = (places: readonly number[], winners?: readonly number[]): RatedOutcome => ({
  winners: winners ?? places.flatMap((place, seat) => (place === 1 ? [seat] : [])),
  places,
  reason: 'x',
});

const newcomers = (count: number): Standing[] => Array.from({ length: count }, () => NEW_STANDING);

test('[L1] a win counts for one and a loss for the other', () => {
  const [ann, ben] = rateMatch(newcomers(2), outcome([1, 2]), T0);
  expect(ann).toMatchObject({ games: 1, wins: 1, losses: 0, draws: 0, lastPlayedAt: T0 });
  expect(ben).toMatchObject({ games: 1, wins: 0, losses: 1, draws: 0, lastPlayedAt: T0 });
  expect(ann!.rating).toBeGreaterThan(1500);
  expect(ann!.rating + ben!.rating).toBeCloseTo(3000, 6);
  expect(ann!.deviation).toBeLessThan(350);
});

test('[L1] a draw between equals changes no rating', () => {
  const [ann, ben] = rateMatch(newcomers(2), outcome([1, 1], []), T0);
  expect(ann).toMatchObject({ draws: 1, wins: 0, losses: 0 });
  expect(ann!.rating).toBeCloseTo(1500, 9);
  expect(ben!.rating).toBeCloseTo(1500, 9);
});

test('[L1] with four seats places decide, and all pairs together weigh as one game', () => {
  const four = rateMatch(newcomers(4), outcome([3, 1, 2, 4]), T0);
  const byPlace = [1, 2, 0, 3].map((seat) => four[seat]!.rating);
  expect(byPlace).toEqual([...byPlace].sort((a, b) => b - a));
  expect(new Set(byPlace).size).toBe(4);
  const two = rateMatch(newcomers(2), outcome([1, 2]), T0);
  expect(byPlace[0]).toBeCloseTo(two[0]!.rating, 6);
  expect(four[1]!.deviation).toBeCloseTo(two[0]!.deviation, 6);
});

test('[L1] shared places are draws between those players', () => {
  const [first, ...rest] = rateMatch(newcomers(4), outcome([1, 2, 2, 2]), T0);
  expect(new Set(rest.map(({ rating }) => rating.toFixed(6))).size).toBe(1);
  expect(first!.wins).toBe(1);
  expect(rest.map(({ losses }) => losses)).toEqual([1, 1, 1]);
});

test('[L1] the order of seats with the same outcome does not matter', () => {
  const strong: Standing = { ...NEW_STANDING, rating: 1800, deviation: 60, lastPlayedAt: T0 };
  const weak: Standing = { ...NEW_STANDING, rating: 1300, deviation: 90, lastPlayedAt: T0 };
  const there = rateMatch([strong, weak, NEW_STANDING], outcome([2, 1, 3]), T0);
  const back = rateMatch([NEW_STANDING, weak, strong], outcome([3, 1, 2]), T0);
  expect([...back].reverse().map(({ rating }) => rating.toFixed(9))).toEqual(
    there.map(({ rating }) => rating.toFixed(9)),
  );
});

test('[L1] a rating changes more after a rest than right after a match', () => {
  const played = (lastPlayedAt: number): Standing => ({
    ...NEW_STANDING,
    deviation: 60,
    lastPlayedAt,
  });
  const opponent = played(T0);
  const [fresh] = rateMatch([played(T0), opponent], outcome([1, 2]), T0);
  const [back] = rateMatch([played(T0 - 400 * PERIOD_MS), opponent], outcome([1, 2]), T0);
  expect(back!.rating).toBeGreaterThan(fresh!.rating + 20);
});

test('[L1] a shown rating includes its rest, and a clock that was set back adds none', () => {
  const standing: Standing = { ...NEW_STANDING, deviation: 60, lastPlayedAt: T0 };
  expect(standingAt(standing, T0 + 10 * PERIOD_MS).deviation).toBeGreaterThan(65);
  expect(standingAt(standing, T0 - PERIOD_MS).deviation).toBeCloseTo(60, 9);
  expect(standingAt(NEW_STANDING, T0)).toEqual(NEW_STANDING);
});

test('[L1] training, aborted and expired matches do not count', () => {
  for (const reason of ['aborted', 'expired']) {
    expect(isRatedEnd('live', { reason })).toBe(false);
  }
  for (const reason of ['three_in_a_row', 'resignation', 'disconnect', 'draw_agreed']) {
    expect(isRatedEnd('live', { reason })).toBe(true);
    expect(isRatedEnd('test', { reason })).toBe(true);
    expect(isRatedEnd('training', { reason })).toBe(false);
  }
});
