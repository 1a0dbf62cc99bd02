/** Rock, paper, scissors under the contract of all games, and by its rules. */

import { describe, expect, test } from 'bun:test';
import type { Random, Seat } from '@matchd/game';
import { isRefusal, makeRandom } from '@matchd/game';
import { gameContractChecks } from '@matchd/game/testing';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { RpsAction, RpsState } from './rules.ts';
import { game } from './rules.ts';

for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED, gamesPerSetup: 2 })) {
  test(`[G-RPS] ${what}`, run);
}

const random = (name: string): Random => makeRandom(`${TEST_SEED}`, () => name, 0);
const SIGNS = { r: 'rock', p: 'paper', s: 'scissors' } as const;

function start(seats: number, drawsMax = 3): RpsState {
  return game.initial({ variant: 'standard', seats, options: { drawsMax } });
}

function act(state: RpsState, seat: Seat, action: RpsAction, name = 'act'): RpsState {
  const applied = game.apply(state, seat, action, random(name));
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** A whole round of the seats that are in, by seat: `r`, `p`, `s`, or `-` for a throw that is missed. */
function playRound(state: RpsState, signs: string): RpsState {
  const seats = game.acting!(state);
  expect(seats.length).toBe(signs.length);
  return seats.reduce((before, seat, index) => {
    const sign = signs[index] as keyof typeof SIGNS | '-';
    if (sign === '-') return game.missTurn!(before, seat, random(`${seat}`))!.state;
    return act(before, seat, { throw: SIGNS[sign] }, `${seat}`);
  }, state);
}

/** By seat: rounds that it was in for. */
const outAfter = (state: RpsState) => [...state.outAfter];

describe('a round', () => {
  test('[G-RPS] waits for everybody, in any order, and takes no second throw', () => {
    let state = start(3);
    expect(game.acting!(state)).toEqual([0, 1, 2]);
    state = act(state, 1, { throw: 'rock' });
    expect([game.acting!(state), game.turn(state)]).toEqual([[0, 2], null]);
    expect(game.apply(state, 1, { throw: 'paper' }, random('again'))).toEqual({
      code: 'not_your_turn',
      error: 'It is for seat 0, 2 to act',
    });
    state = act(state, 2, { throw: 'rock' });
    state = act(state, 0, { throw: 'paper' });
    expect([state.round, outAfter(state)]).toEqual([1, [null, 1, 1]]);
  });

  const rounds: readonly (readonly [string, readonly (number | null)[]])[] = [
    ['rs', [null, 1]],
    ['pr', [null, 1]],
    ['sp', [null, 1]],
    // Beaten twice, while the others beat once and are beaten once or not at all.
    ['rrs', [null, null, 1]],
    // Two rocks beat the scissors, the paper beats two rocks, the scissors beat the paper.
    ['rrps', [null, null, null, 1]],
    // Everybody beats as many as they are beaten by.
    ['rps', [null, null, null]],
    ['rrr', [null, null, null]],
    // Whoever throws nothing is beaten by all that do.
    ['rp-', [null, null, 1]],
    ['r--', [null, 1, 1]],
    ['---', [null, null, null]],
  ];
  test.each(rounds)('[G-RPS] %s', (signs, wanted) => {
    expect(outAfter(playRound(start(signs.length), signs))).toEqual([...wanted]);
  });

  test('[G-RPS] tells who is out, and shows what was thrown', () => {
    let state = act(start(2), 0, { throw: 'rock' });
    const applied = game.apply(state, 1, { throw: 'paper' }, random('last'));
    if (isRefusal(applied)) throw new Error(applied.error);
    const data = { round: 1, out: [0] };
    expect(applied.events).toEqual([{ type: 'rps-tournament.round_ended', data }]);
    state = applied.state;
    expect(game.view(state, null)).toMatchObject({ last: { throws: ['rock', 'paper'], dice: [] } });
  });

  test('[G-RPS] before all have thrown each sees its own throw, and that others have thrown', () => {
    const state = act(start(3), 1, { throw: 'rock' });
    const shown = (viewer: Seat | null) => game.view(state, viewer);
    expect(shown(1)).toMatchObject({ throws: [null, 'rock', null] });
    for (const viewer of [0, 2, null]) {
      expect(shown(viewer)).toMatchObject({
        throws: [null, null, null],
        hasThrown: [false, true, false],
      });
    }
    expect(JSON.stringify(shown(1))).not.toContain('dice":[');
  });
});

describe('a tournament', () => {
  test('[G-RPS] goes on among those who are in; places are by rounds, the last one left is first', () => {
    let state = playRound(start(4), 'rrps');
    expect(game.isOut!(state, 3)).toBe(true);
    state = playRound(state, 'rrp');
    expect(game.outcome(state)).toEqual({
      winners: [2],
      places: [2, 2, 1, 4],
      reason: 'last_left',
      detail: {},
      scores: [2, 2, 3, 1],
    });
    expect([game.acting!(state), game.legalActions(state)]).toEqual([[], []]);
  });

  test('[G-RPS] the third draw in a row is decided by dice, the least are out', () => {
    let state = start(3);
    for (let round = 0; round < 2; round += 1) state = playRound(state, 'rps');
    expect([state.draws, outAfter(state)]).toEqual([2, [null, null, null]]);
    state = playRound(state, 'ppp');
    const { dice } = state.last!;
    const least = Math.min(...dice);
    // These dice differ: the seed is fixed by the names of the chances.
    expect(new Set(dice).size).toBeGreaterThan(1);
    expect(outAfter(state)).toEqual(dice.map((die) => (die === least ? 3 : null)));
    expect(game.view(state, null)).toMatchObject({ last: { dice } });
  });

  test('[G-RPS] equal dice end it, and those who are left share their place', () => {
    let state = playRound(start(3, 1), 'rrs');
    for (const seat of [0, 1]) state = act(state, seat, { throw: 'rock' }, 'same chance');
    expect(game.outcome(state)).toMatchObject({
      winners: [0, 1],
      places: [1, 1, 3],
      reason: 'tied',
    });
  });

  test('[G-RPS] ends after at most so many rounds, however it is played', () => {
    // Sixteen seats, and only one goes out in each third round.
    let state = start(16);
    while (game.outcome(state) === null)
      state = playRound(state, 'r'.repeat(game.acting!(state).length));
    expect(state.round).toBeLessThanOrEqual(3 * 15);
    expect(state.round % 3).toBe(0);
  });
});

describe('who leaves', () => {
  test('[G-RPS] is out, and the round that waited for nobody else is over', () => {
    let state = act(start(3), 0, { throw: 'rock' });
    state = act(state, 1, { throw: 'scissors' });
    state = game.forfeit!(state, 2);
    expect([state.round, outAfter(state)]).toEqual([1, [null, 1, 0]]);
    expect(game.outcome(state)).toMatchObject({ winners: [0], places: [1, 2, 3] });
  });

  test('[G-RPS] takes its throw along', () => {
    let state = act(start(3), 2, { throw: 'paper' });
    state = game.forfeit!(state, 2);
    // Against the paper rock would have been beaten.
    state = playRound(state, 'rr');
    expect([state.draws, outAfter(state)]).toEqual([1, [null, null, 0]]);
  });

  test('[G-RPS] costs nothing once it is out, and of two the other has won', () => {
    const state = playRound(start(4), 'rrps');
    expect(game.forfeit!(state, 3)).toEqual(state);
    const alone = game.forfeit!(start(2), 0);
    expect(game.outcome(alone)).toMatchObject({
      winners: [1],
      places: [2, 1],
      reason: 'last_left',
    });
  });
});

test('[G-RPS] after the first round a throw takes 15 s at most', () => {
  const limits = (state: RpsState) => [5_000, 60_000].map((ms) => game.turnLimitMs!(state, ms));
  expect(limits(start(3))).toEqual([5_000, 60_000]);
  expect(limits(playRound(start(3), 'rps'))).toEqual([5_000, 15_000]);
});
