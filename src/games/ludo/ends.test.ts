/** How ludo ends: places for two to four seats, teams, time limit, missed turns, departures. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { DONE, HOME, LAP, WAY, YARD } from './board.ts';
import { act, dice, OPTIONS, placesOf, play, put } from './ludo.test-kit.ts';
import { ludo } from './ludo.ts';
import type { LudoState, Variant } from './state.ts';
import { VARIANTS } from './state.ts';

const ALL = [DONE, DONE, DONE, DONE];
/** One token left, one square before the goal. */
const ALMOST = [DONE, DONE, DONE, HOME + 4];

function leave(state: LudoState, ...seats: readonly number[]): LudoState {
  return seats.reduce((before, seat) => ludo.forfeit!(before, seat), state);
}

function miss(state: LudoState, ...falls: readonly number[]): LudoState {
  return ludo.missTurn!(state, ludo.turn(state)!, dice(...falls))!.state;
}

describe('places', () => {
  test('[G-LUDO] classic for two: the first with all four home wins, and it is over', () => {
    const after = play(put([ALMOST, [3]]), 1);
    expect(ludo.outcome(after)).toEqual({
      winners: [0],
      places: [1, 2],
      reason: 'all_home',
      detail: {},
    });
    expect([ludo.turn(after), ludo.legalActions(after)]).toEqual([null, []]);
  });

  test('[G-LUDO] three home tokens of four do not win the classic', () => {
    const after = play(put([[DONE, DONE, HOME + 4], [3]]), 1);
    expect([ludo.outcome(after), ludo.turn(after)]).toEqual([null, 0]);
  });

  test('[G-LUDO] classic for three: the others play on for their places', () => {
    const first = play(put([[3], ALMOST, ALMOST], {}, { seat: 1 }), 1);
    expect([ludo.outcome(first), ludo.turn(first)]).toEqual([null, 2]);
    const second = play(first, 1);
    expect(ludo.outcome(second)).toMatchObject({ winners: [1], places: [3, 1, 2] });
  });

  test('[G-LUDO] classic for four: places in the order of finishing, and a finished seat is skipped', () => {
    let state = put([ALMOST, [3], ALMOST, ALMOST], {}, { seat: 2 });
    state = play(state, 1); // Seat 2 is home.
    expect(ludo.turn(state)).toBe(3);
    state = play(state, 2, 1); // Seat 3 cannot; seat 0 is home.
    expect(ludo.turn(state)).toBe(1);
    state = play(state, 1);
    expect(ludo.turn(state)).toBe(3);
    expect(ludo.outcome(play(state, 1))).toMatchObject({ winners: [2], places: [2, 4, 1, 3] });
  });

  test("[G-LUDO] quick: a finished player's other tokens leave the board, and block nobody", () => {
    // Seat 1's pair is on square 20, before seat 0's token; its third token gets home.
    const places = [[19], [7, 7, HOME + 4], [10]];
    const rules = { variant: 'quick', ownPairIsBlock: true } as const;
    const blocked = play(put(places, rules), 2);
    expect(placesOf(blocked, 0)[0]).toBe(19);
    const home = play(blocked, [1, 2]);
    expect(home.home).toEqual([1]);
    expect(placesOf(home, 1)).toEqual([YARD, YARD, DONE, YARD]);
    const passed = play(play(home, 1), 2);
    expect(placesOf(passed, 0)[0]).toBe(21);
  });

  test('[G-LUDO] quick: one token home is enough, for each place', () => {
    const state = put([[HOME + 4], [HOME + 3], [7]], { variant: 'quick' });
    const first = play(state, 1);
    expect([ludo.outcome(first), ludo.turn(first)]).toEqual([null, 1]);
    expect(ludo.outcome(play(first, 2))).toEqual({
      winners: [0],
      places: [1, 2, 3],
      reason: 'one_home',
      detail: {},
    });
  });

  test('[G-LUDO] teams: seats 0 and 2 against 1 and 3; all eight home wins for both', () => {
    const state = put([ALMOST, ALMOST, [3], ALL], { variant: 'teams' }, { home: [3] });
    const first = play(state, 1);
    expect([ludo.outcome(first), ludo.turn(first)]).toEqual([null, 1]);
    expect(ludo.outcome(play(first, 1))).toEqual({
      winners: [1, 3],
      places: [3, 1, 3, 1],
      reason: 'team_home',
      detail: {},
    });
  });

  test('[G-LUDO] teams: partners share squares and do not capture each other', () => {
    const places = [[3], [], [31], []]; // Seat 2's token is on square 5.
    expect(placesOf(play(put(places, { variant: 'teams' }), 2), 2)[0]).toBe(31);
    expect(placesOf(play(put(places), 2), 2)[0]).toBe(YARD);
  });
});

describe('timed', () => {
  const rules = { variant: 'timed' } as const;

  test('[G-LUDO] timed: all tokens start on the track', () => {
    const opening = ludo.initial({ variant: 'timed', seats: 4, options: OPTIONS });
    expect(opening.tokens).toEqual(Array(4).fill([0, 0, 0, 0]));
    expect(ludo.view(opening, null)).toMatchObject({ scores: [0, 0, 0, 0] });
  });

  test('[G-LUDO] timed: one point per square, 56 more for home, none in the yard, laps count', () => {
    const scores = [
      [0, 10, HOME + 4, DONE],
      [YARD, 50, LAP + 1, YARD],
    ];
    const state = put(scores, rules);
    expect(ludo.view(state, null)).toMatchObject({
      scores: [10 + 55 + WAY + 56, 50 + 53],
    });
  });

  test("[G-LUDO] timed: a captured token's points are lost", () => {
    const state = put([[17], [46, 3]], rules); // Seat 1's are on 20 and 29.
    const after = play(state, 3);
    expect(ludo.view(after, null)).toMatchObject({ scores: [20, 3] });
  });

  test('[G-LUDO] timed: at the time limit the points decide, and ties share a place', () => {
    const outcome = (places: number[][]) => ludo.timeUp!(put(places, rules));
    expect(outcome([[10], [30], [5, 5], [2]])).toEqual({
      winners: [1],
      places: [2, 1, 2, 4],
      reason: 'time_up',
      detail: { scores: [10, 30, 10, 2] },
    });
    expect(outcome([[10], [4, 6]])).toMatchObject({ winners: [], places: [1, 1] });
    const two = outcome([[10], [4, 6], [1]]);
    expect(two).toMatchObject({ winners: [0, 1], places: [1, 1, 3] });
  });

  test('[G-LUDO] timed: all four tokens home end it early, and the points decide', () => {
    expect(ludo.outcome(play(put([ALMOST, [3]], rules), 1))).toMatchObject({
      winners: [0],
      reason: 'all_home',
      detail: { scores: [4 * 112, 3] },
    });
  });

  test('[G-LUDO] only timed has a time limit: ten minutes', () => {
    for (const variant of ludo.variants) {
      const setup = { variant, seats: 4, options: OPTIONS };
      expect(ludo.timeLimitMs!(setup)).toBe(variant === 'timed' ? 600_000 : null);
    }
  });
});

describe('missed turns', () => {
  test('[G-LUDO] a missed turn plays itself to its end, and passes', () => {
    const state = put([[3], [10]]);
    const after = miss(state, 4);
    expect(placesOf(after, 0)[0]).toBe(7);
    expect([ludo.turn(after), after.missed]).toEqual([1, [1, 0]]);
    // A six that brings a token out, another roll, and all of it is shown.
    const long = miss(put([[3], [10]]), 6, 2);
    expect(placesOf(long, 0)).toEqual([5, 0, YARD, YARD]);
    expect(long.last.map(({ die, token }) => [die, token])).toEqual([
      [6, 1],
      [2, 0],
    ]);
    expect(ludo.turn(long)).toBe(1);
  });

  test('[G-LUDO] a turn missed after its roll plays that roll', () => {
    const rolled = play(put([[3, 10], [20]]), 4);
    const after = miss(rolled);
    expect(placesOf(after, 0)).toEqual([3, 14, YARD, YARD]);
    expect(ludo.turn(after)).toBe(1);
  });

  test('[G-LUDO] a missed turn captures, or goes home, or comes out, or moves the foremost', () => {
    const places = [
      [17, HOME + 3, 30],
      [46, 5],
    ]; // Seat 1's are on 20 and 31.
    const by = (fall: number, ...more: number[]) => miss(put(places), fall, ...more).last[0]!.token;
    expect(by(3, 4)).toBe(0);
    expect(by(1, 4)).toBe(2);
    expect(by(2, 4)).toBe(1);
    expect(by(6, 4)).toBe(3);
    expect(by(4)).toBe(2);
  });

  test('[G-LUDO] captures of a missed turn emit events', () => {
    const missed = ludo.missTurn!(put([[17], [46]]), 0, dice(3, 1))!;
    expect(missed.events).toEqual([
      {
        type: 'ludo.captured',
        data: { seat: 0, token: 0, at: 'track 20', captured: { seat: 1, token: 0 } },
      },
    ]);
  });

  test('[P6][G-LUDO] a turn missed plays itself, and the third in a row costs the seat', () => {
    let state = put([[0], [0]]);
    for (const turn of [1, 2, 3]) {
      state = miss(state, 1);
      expect(placesOf(state, 0)[0]).toBe(turn);
      expect(state.missed).toEqual([turn, 0]);
      expect(ludo.hasMissedOut!(state, 0)).toBe(turn === 3);
      expect(ludo.hasMissedOut!(state, 1)).toBe(false);
      state = play(state, 1);
    }
  });

  test('[P6][G-LUDO] an own move ends a series of missed turns', () => {
    const twice = put([[0], [0]], {}, { missed: [2, 0] });
    const acted = play(twice, 1, 1);
    expect(acted.missed).toEqual([0, 0]);
    expect(ludo.hasMissedOut!(miss(acted, 1), 0)).toBe(false);
  });

  test('[P6][G-LUDO] a player who finishes by a missed turn loses nothing by it', () => {
    const state = miss(put([ALMOST, [10], [20]], {}, { missed: [2, 0, 0] }), 1);
    expect([state.home, state.missed]).toEqual([[0], [3, 0, 0]]);
    expect(ludo.hasMissedOut!(state, 0)).toBe(false);
  });

  test('[G-LUDO] only the seat to move can miss its turn, and nobody after the end', () => {
    expect(ludo.missTurn!(put([[0], [0]]), 1, dice())).toBeNull();
    expect(ludo.missTurn!(put([ALL, [0]], {}, { home: [0] }), 1, dice())).toBeNull();
  });

  test('[G-LUDO] a third six ends a missed turn', () => {
    const after = miss(put([[3], [10]], { thirdSixVoidsTurn: 'last' }), 6, 6, 6);
    expect(ludo.turn(after)).toBe(1);
    expect(after.last.map((each) => each.void)).toEqual([false, false, true]);
  });
});

describe('seats that leave', () => {
  const four = [[3], [10], [20], [30]];

  test("[G-LUDO] a departed seat's tokens leave the board, its turn passes, and it is skipped", () => {
    const state = leave(put(four), 0);
    expect(placesOf(state, 0)).toEqual([YARD, YARD, YARD, YARD]);
    expect(ludo.turn(state)).toBe(1);
    expect(ludo.turn(play(leave(put(four), 1), 1))).toBe(2);
    expect(leave(state, 0)).toEqual(state);
  });

  test("[G-LUDO] an unused roll goes with its seat's departure, and stays if another leaves", () => {
    const rolled = play(put([[3, 4], [10], [20], [30]]), 4);
    expect(leave(rolled, 0)).toMatchObject({ die: null, sixes: 0, seat: 1 });
    expect(leave(rolled, 2)).toMatchObject({ die: 4, seat: 0 });
  });

  test('[G-LUDO] a third six does not bring back a departed seat', () => {
    const state = leave(play(put([[3], [7], [20], [30]]), [6, 0]), 1);
    const after = play(state, [6, 0], 6);
    expect(placesOf(after, 0)[0]).toBe(3);
    expect(placesOf(after, 1)[0]).toBe(YARD);
  });

  test('[G-LUDO] the others play on while two are left; with one, the match decides who has won', () => {
    const two = leave(put(four), 1, 3);
    expect([ludo.outcome(two), ludo.turn(two)]).toEqual([null, 0]);
    expect(ludo.turn(play(two, 1))).toBe(2);
    expect(ludo.outcome(leave(two, 2))).toBeNull();
  });

  test('[G-LUDO] a finished player keeps the place, and all departed share the last', () => {
    const first = play(put([ALMOST, [10], [20], [30]]), 1);
    const left = leave(first, 0, 2);
    expect([ludo.outcome(left), ludo.turn(left)]).toEqual([null, 1]);
    expect(ludo.outcome(leave(left, 3))).toMatchObject({ winners: [0], places: [1, 2, 3, 3] });
  });

  test('[G-LUDO] teams: leaving before finishing loses for the team, so leaving never helps', () => {
    // Seat 2 is far behind, and its partner one square from home.
    const state = put([ALMOST, [3], [], [5]], { variant: 'teams' });
    expect(ludo.outcome(leave(state, 2))).toEqual({
      winners: [1, 3],
      places: [3, 1, 4, 1],
      reason: 'team_left',
      detail: {},
    });
    expect(ludo.turn(leave(state, 2))).toBeNull();
    // A finished partner keeps a place before the one who left.
    const home = put([[3], [3], ALL, [5]], { variant: 'teams' }, { home: [2] });
    expect(ludo.outcome(leave(home, 0))).toMatchObject({ winners: [1, 3], places: [4, 1, 3, 1] });
    expect(ludo.outcome(leave(home, 2, 0))).toMatchObject({ places: [4, 1, 3, 1] });
  });

  test('[G-LUDO] teams: a player who finished before leaving wins with the team', () => {
    const state = put([ALL, [3], ALMOST, [5]], { variant: 'teams' }, { home: [0], seat: 2 });
    const left = leave(state, 0);
    expect([ludo.outcome(left), ludo.turn(left)]).toEqual([null, 2]);
    expect(ludo.outcome(play(left, 1))).toMatchObject({
      winners: [0, 2],
      places: [1, 3, 1, 3],
      reason: 'team_home',
    });
    // The same when one of the others leaves.
    expect(ludo.outcome(leave(left, 1))).toEqual({
      winners: [0, 2],
      places: [1, 4, 1, 3],
      reason: 'team_left',
      detail: {},
    });
  });

  test('[P6][G-LUDO] the winner is known before the end while others play on for their places', () => {
    const hasWinner = (variant: Variant, home: readonly number[]): boolean =>
      ludo.hasWinner!(put([ALL, [3], [7], [5]], { variant }, { home }));
    expect(VARIANTS.filter((variant) => hasWinner(variant, [0]))).toEqual(['classic', 'quick']);
    expect(VARIANTS.filter((variant) => hasWinner(variant, []))).toEqual([]);
  });

  test('[G-LUDO] timed: a departed player is last, however many points', () => {
    const state = leave(put([[40], [10], [5]], { variant: 'timed' }), 0);
    expect(ludo.timeUp!(state)).toMatchObject({
      winners: [1],
      places: [3, 1, 2],
      detail: { scores: [0, 10, 5] },
    });
    // Also behind a player without any point.
    const pointless = leave(put([[], [40], [5]], { variant: 'timed' }), 1);
    expect(ludo.timeUp!(pointless).places).toEqual([2, 3, 1]);
  });

  test('[G-LUDO] if everybody leaves nobody has won', () => {
    expect(ludo.outcome(leave(put([[3], [10]]), 0, 1))).toMatchObject({
      winners: [],
      places: [1, 1],
      reason: 'all_left',
    });
  });
});

test(`[S9][G-LUDO] a roll draws one value of the match, a choice none (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED}`, () => 'ludo', 0);
  const again = makeRandom(`${TEST_SEED}`, () => 'ludo', 0);
  const { state } = act(put([[3, 10], [20]]), { roll: true }, random);
  expect(random.drawn()).toBe(1);
  expect(state.die ?? state.last[0]!.die).toBe(1 + again.integer(6));
  const waiting = play(put([[3, 10], [20]]), 4);
  expect(() => act(waiting, { token: 0 }, dice())).not.toThrow();
});
