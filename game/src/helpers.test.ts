/** What authors are helped with: seats in turn and at once, places, shuffles and dice. */

import { describe, expect, test } from 'bun:test';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { rollDice, shuffle } from './chance.ts';
import { placesByScore, ranked } from './outcome.ts';
import { makeRandom } from './random.ts';
import { refuseSeat, refuseUnlisted } from './refusal.ts';
import { onlyOwn, seatAfter, waitingFor } from './seats.ts';

const chance = (name: string) => makeRandom(`${TEST_SEED}`, () => name, 0);

describe('seats', () => {
  test('[G-KIT] the next seat passes over those that are out', () => {
    expect([0, 1, 2, 3].map((seat) => seatAfter(seat, 4))).toEqual([1, 2, 3, 0]);
    expect([0, 1, 2, 3].map((seat) => seatAfter(seat, 4, [1, 2]))).toEqual([3, 3, 3, 0]);
    expect(seatAfter(0, 3, [1, 2])).toBe(0);
    expect(seatAfter(0, 1)).toBe(0);
  });

  test('[G-KIT] the round waits for those that have not chosen and are not out', () => {
    expect(waitingFor([null, 'a', null, 0], [2])).toEqual([0]);
    expect(waitingFor([false, 0, ''])).toEqual([]);
    expect(onlyOwn(['a', 'b', null], 1)).toEqual([null, 'b', null]);
    expect(onlyOwn(['a', 'b'], null)).toEqual([null, null]);
  });

  test('[G-KIT] a seat that may not act is told for whom it is', () => {
    expect(refuseSeat([1, 2], 2)).toBeNull();
    expect(refuseSeat([1, 2], 0)).toEqual({
      code: 'not_your_turn',
      error: 'It is for seat 1, 2 to act',
    });
    expect(refuseSeat([], 0)).toEqual({ code: 'illegal_move', error: 'The game is over' });
  });
});

test('[G-KIT] an action that is not among the legal ones is refused, whatever the order of its fields', () => {
  const legal = [{ from: 1, to: 2 }];
  expect(refuseUnlisted(legal, { to: 2, from: 1 })).toBeNull();
  expect(refuseUnlisted(legal, { from: 1, to: 3 })).toEqual({
    code: 'illegal_move',
    error: 'That is not legal now',
  });
});

describe('outcomes', () => {
  test('[G-KIT] equal scores share a place, and as many places are left out', () => {
    expect(placesByScore([9, 5, 9, 2])).toEqual([1, 3, 1, 4]);
    expect(placesByScore([1, 2, 2, 2, 0])).toEqual([4, 1, 1, 1, 5]);
  });

  test('[G-KIT] the first have won; where all are first nobody has', () => {
    const outcome = ranked([9, 5, 9, 2], 'rounds_over', { rounds: 3 });
    expect(outcome).toEqual({
      winners: [0, 2],
      places: [1, 3, 1, 4],
      reason: 'rounds_over',
      detail: { rounds: 3 },
      scores: [9, 5, 9, 2],
    });
    expect(ranked([4, 4, 4], 'time_up')).toMatchObject({ winners: [], places: [1, 1, 1] });
  });
});

describe('chance', () => {
  test(`[G-KIT] each order of three comes as often as another (seed ${TEST_SEED})`, () => {
    const random = chance('shuffle');
    const counts: Record<string, number> = {};
    const runs = 6_000;
    for (let run = 0; run < runs; run += 1) {
      const order = shuffle(['a', 'b', 'c'], random).join('');
      counts[order] = (counts[order] ?? 0) + 1;
    }
    // Chi squared, five degrees of freedom: above 25.7 once in 10,000.
    const wanted = runs / 6;
    const squares = Object.values(counts).map((count) => (count - wanted) * (count - wanted));
    expect(Object.keys(counts)).toHaveLength(6);
    expect(squares.reduce((sum, each) => sum + each, 0) / wanted).toBeLessThan(25.7);
  });

  test('[G-KIT] a shuffle leaves its list as it is, and draws one number less than it has values', () => {
    const random = chance('count');
    const values = Object.freeze([1, 2, 3, 4, 5]);
    expect(shuffle(values, random).toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(random.drawn()).toBe(4);
    expect(shuffle([], random)).toEqual([]);
  });

  test('[G-KIT] dice show 1 to their sides, one number drawn for each', () => {
    const random = chance('dice');
    const dice = rollDice(600, 6, random);
    expect([...new Set(dice)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(random.drawn()).toBe(600);
  });
});
