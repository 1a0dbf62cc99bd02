/** Helpers for authors: seats, refusals, places, shuffles and dice. */

import { describe, expect, test } from 'bun:test';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { rollDice, shuffle } from './chance.ts';
import { placesByScore, ranked } from './outcome.ts';
import { makeRandom } from './random.ts';
import { refuseSeat, refuseUnlisted } from './refusal.ts';
import { onlyOwn, seatAfter, waitingFor } from './seats.ts';

const chance = (name: string) => makeRandom(`${TEST_SEED}`, () => name, 0);

describe('seats', () => {
  test('[G-KIT] the next seat is one that is not out', () => {
    expect([0, 1, 2, 3].map((seat) => seatAfter(seat, 4))).toEqual([1, 2, 3, 0]);
    expect([0, 1, 2, 3].map((seat) => seatAfter(seat, 4, [1, 2]))).toEqual([3, 3, 3, 0]);
    expect(seatAfter(0, 3, [1, 2])).toBe(0);
    expect(seatAfter(0, 1)).toBe(0);
  });

  test('[G-KIT] a round waits for seats that have not chosen and are not out', () => {
    expect(waitingFor([null, 'a', null, 0], [2])).toEqual([0]);
    expect(waitingFor([false, 0, ''])).toEqual([]);
    expect(onlyOwn(['a', 'b', null], 1)).toEqual([null, 'b', null]);
    expect(onlyOwn(['a', 'b'], null)).toEqual([null, null]);
  });

  test('[G-KIT] a refusal names the seats that may act', () => {
    expect(refuseSeat([1, 2], 2)).toBeNull();
    expect(refuseSeat([1, 2], 0)).toEqual({
      code: 'not_your_turn',
      error: 'It is the turn of seat 1, 2',
    });
    expect(refuseSeat([], 0)).toEqual({ code: 'illegal_move', error: 'The game is over' });
  });
});

test('[G-KIT] only listed actions are legal, in any order of fields', () => {
  const legal = [{ from: 1, to: 2 }];
  expect(refuseUnlisted(legal, { to: 2, from: 1 })).toBeNull();
  expect(refuseUnlisted(legal, { from: 1, to: 3 })).toEqual({
    code: 'illegal_move',
    error: 'This action is not legal now',
  });
});

describe('outcomes', () => {
  test('[G-KIT] equal scores share a place', () => {
    expect(placesByScore([9, 5, 9, 2])).toEqual([1, 3, 1, 4]);
    expect(placesByScore([1, 2, 2, 2, 0])).toEqual([4, 1, 1, 1, 5]);
  });

  test('[G-KIT] place 1 wins, and all with place 1 is a draw', () => {
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
  test(`[G-KIT] all orders of three values are equally frequent (seed ${TEST_SEED})`, () => {
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

  test('[G-KIT] a shuffle copies its list and draws one number less than it has values', () => {
    const random = chance('count');
    const values = Object.freeze([1, 2, 3, 4, 5]);
    expect(shuffle(values, random).toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(random.drawn()).toBe(4);
    expect(shuffle([], random)).toEqual([]);
  });

  test('[G-KIT] dice have values from 1 to their sides and draw one number each', () => {
    const random = chance('dice');
    const dice = rollDice(600, 6, random);
    expect([...new Set(dice)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(random.drawn()).toBe(600);
  });
});
