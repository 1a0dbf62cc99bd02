/** Glicko-2 against the paper's own example, and invariants of every rating. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { RatedGame, Rating } from './glicko2.ts';
import { NEW_RATING, ratePlayer, restRating } from './glicko2.ts';

const rated = (rating: number, deviation: number): Rating => ({
  rating,
  deviation,
  volatility: 0.06,
});
const game = (opponent: Rating, score: number, weight = 1): RatedGame => ({
  opponent,
  score,
  weight,
});

const rating = fc.record({
  rating: fc.double({ min: -2_000, max: 6_000, noNaN: true }),
  deviation: fc.double({ min: 45, max: 350, noNaN: true }),
  volatility: fc.double({ min: 0.01, max: 0.1, noNaN: true }),
});
const games = fc.array(
  fc.record({
    opponent: rating,
    score: fc.constantFrom(0, 0.5, 1),
    weight: fc.double({ min: 0.1, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 20 },
);

test('[L1] the worked example of the paper', () => {
  const after = ratePlayer(
    rated(1500, 200),
    [game(rated(1400, 30), 1), game(rated(1550, 100), 0), game(rated(1700, 300), 0)],
    1,
  );
  // The paper rounds intermediate values: 1464.06 there.
  expect(after.rating).toBeCloseTo(1464.05, 1);
  expect(after.deviation).toBeCloseTo(151.52, 2);
  expect(after.volatility).toBeCloseTo(0.05999, 4);
});

test('[L1] a resting player’s rating stays and its deviation grows, up to that of a newcomer', () => {
  const rested = restRating(rated(1700, 50), 30);
  expect(rested.rating).toBe(1700);
  // By the paper: the square grows by that of the volatility, here 10.42 points, each day.
  expect(rested.deviation).toBeCloseTo(Math.sqrt(50 ** 2 + 30 * 10.423 ** 2), 1);
  expect(restRating(rated(1700, 50), 1e6).deviation).toBe(350);
  expect(restRating(rated(1700, 50), 0).deviation).toBeCloseTo(50, 9);
});

test('[L1] resting in two parts equals resting once', () => {
  const once = restRating(rated(1600, 80), 7);
  const twice = restRating(restRating(rated(1600, 80), 2.5), 4.5);
  expect(twice.deviation).toBeCloseTo(once.deviation, 9);
});

test('[L1] three games of a third each weigh as much as one', () => {
  const opponent = rated(1550, 90);
  const one = ratePlayer(rated(1500, 120), [game(opponent, 1)], 0);
  const third = game(opponent, 1, 1 / 3);
  const three = ratePlayer(rated(1500, 120), [third, third, third], 0);
  expect(three.rating).toBeCloseTo(one.rating, 9);
  expect(three.deviation).toBeCloseTo(one.deviation, 9);
});

test(`[L1] after any games ratings stay within bounds (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(
      rating,
      games,
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      (player, played, periods) => {
        const after = ratePlayer(player, played, periods);
        expect(Number.isFinite(after.rating)).toBe(true);
        expect(after.deviation).toBeGreaterThanOrEqual(45);
        expect(after.deviation).toBeLessThanOrEqual(350);
        expect(after.volatility).toBeGreaterThan(0);
        expect(after.volatility).toBeLessThanOrEqual(0.1);
      },
    ),
    { seed: TEST_SEED, numRuns: 2_000 },
  );
});

test(`[L1] winning never lowers a rating, losing never raises it (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(rating, rating, (player, opponent) => {
      const won = ratePlayer(player, [game(opponent, 1)], 0);
      const drawn = ratePlayer(player, [game(opponent, 0.5)], 0);
      const lost = ratePlayer(player, [game(opponent, 0)], 0);
      // Up to the last bits of a number.
      expect(won.rating - player.rating).toBeGreaterThan(-1e-9);
      expect(player.rating - lost.rating).toBeGreaterThan(-1e-9);
      expect(won.rating - drawn.rating).toBeGreaterThan(-1e-9);
      expect(drawn.rating - lost.rating).toBeGreaterThan(-1e-9);
    }),
    { seed: TEST_SEED, numRuns: 1_000 },
  );
});

test('[L1] between strangers as between equals one player gains what the other loses', () => {
  const [won, lost] = [1, 0].map((score) => ratePlayer(NEW_RATING, [game(NEW_RATING, score)], 0));
  expect(won!.rating - 1500).toBeCloseTo(1500 - lost!.rating, 9);
  expect(won!.rating).toBeGreaterThan(1600);
});
