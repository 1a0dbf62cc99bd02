/** Pong under the contract of all games, and by its rules. */

import { expect, test } from 'bun:test';
import type { Random } from '@matchd/game';
import { hashJson, makeRandom } from '@matchd/game';
import { gameContractChecks } from '@matchd/game/testing';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { PongState } from './rules.ts';
import { FIELD, game, HELD } from './rules.ts';

for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED, gamesPerSetup: 1 })) {
  test(`[G-PONG] ${what}`, run);
}

const { step } = game.ticks;
const random = (name: string): Random => makeRandom(`${TEST_SEED}`, () => name, 0);
const none: readonly number[] = [0, 0];

function start(goal = 5): PongState {
  return game.initial({ variant: 'standard', seats: 2, options: { goal } });
}

/** So many ticks with the same held down. */
function run(state: PongState, ticks: number, masks = none): PongState {
  return ticks === 0 ? state : run(step(state, masks), ticks - 1, masks);
}

/** A position with the ball under way. */
function flying(ball: Partial<PongState['ball']>, change: Partial<PongState> = {}): PongState {
  return { ...start(), wait: 0, ball: { x: 320, y: 180, vx: 4, vy: 0, ...ball }, ...change };
}

test('[G-PONG] the ball waits 45 ticks, then it goes to seat 0', () => {
  const served = run(start(), 45);
  expect([served.wait, served.ball.x]).toEqual([0, 320]);
  expect(step(served, none).ball).toEqual({ x: 316, y: 178, vx: -4, vy: -2 });
});

test('[G-PONG] a paddle moves while something is held down, both together are nothing, up to the edge', () => {
  const both = HELD.up | HELD.down;
  expect(step(start(), [HELD.up, HELD.down]).paddles).toEqual([175, 185]);
  expect(step(start(), [both, 0]).paddles).toEqual([180, 180]);
  const { paddles } = run(start(), 44, [HELD.up, HELD.down]);
  expect(paddles).toEqual([FIELD.paddleHalf, FIELD.height - FIELD.paddleHalf]);
});

test('[G-PONG] the upper and the lower edge send the ball back', () => {
  expect(step(flying({ y: 7, vy: -4 }), none).ball).toEqual({ x: 324, y: 7, vx: 4, vy: 4 });
  expect(step(flying({ y: 353, vy: 4 }), none).ball).toEqual({ x: 324, y: 353, vx: 4, vy: -4 });
  expect(step(flying({ y: 9, vy: -4 }), none).ball).toEqual({ x: 324, y: 5, vx: 4, vy: -4 });
});

test('[G-PONG] a paddle sends it back faster, up or down by where it was met', () => {
  const met = (y: number, vx = -6) => step(flying({ x: 22, y, vx }), none).ball;
  expect(met(180)).toEqual({ x: 20, y: 180, vx: 7, vy: 0 });
  expect(met(180 + 30)).toMatchObject({ vx: 7, vy: 4 });
  expect(met(180 - 37)).toMatchObject({ vx: 7, vy: -5 });
  expect(met(180 - 38)).toMatchObject({ x: 16, vx: -6 });
  expect(met(180, -12)).toMatchObject({ vx: 12 });
  expect(step(flying({ x: 619, vx: 5 }), none).ball).toEqual({ x: 620, y: 180, vx: -6, vy: 0 });
  // A hair above the middle is no -0.
  expect(Object.is(met(179).vy, 0)).toBe(true);
});

test('[G-PONG] a ball that is missed scores for the other, and is served to whoever missed it', () => {
  const before = flying({ x: 2, y: 20, vx: -4 });
  const after = step(before, none);
  expect(after).toMatchObject({
    scores: [0, 1],
    wait: 45,
    ball: { x: 320, y: 180, vx: -4, vy: 0 },
  });
  const data = { seat: 1, scores: [0, 1] };
  expect(game.ticks.eventsOf(before, after)).toEqual([{ type: 'pong.scored', data }]);
  expect(game.ticks.eventsOf(after, run(after, 15))).toEqual([]);
  expect(step(flying({ x: 639, y: 20 }), none)).toMatchObject({ scores: [1, 0], ball: { vx: 4 } });
});

test('[G-PONG] whoever has the goal has won; after five minutes whoever is ahead', () => {
  const won = step(flying({ x: 639, y: 20 }, { scores: [4, 4] }), none);
  expect(game.outcome(won)).toMatchObject({ winners: [0], reason: 'goal_reached', scores: [5, 4] });
  const late = (scores: readonly number[]) =>
    game.outcome(step(flying({}, { tick: 17_999, scores }), none));
  expect(late([1, 2])).toMatchObject({ winners: [1], places: [2, 1], reason: 'time_up' });
  expect(late([2, 2])).toMatchObject({ winners: [], places: [1, 1] });
});

test(`[G-PONG] a tick taken back and played again comes to the same state (seed ${TEST_SEED})`, () => {
  const chance = random('rollback');
  let state = start(11);
  while (game.outcome(state) === null) {
    const masks = [chance.integer(4), chance.integer(4)];
    // As a browser does that guessed wrong: it goes back to what it was shown, and on with what was held down.
    const shown = JSON.parse(JSON.stringify(state)) as PongState;
    step(shown, [masks[0]!, chance.integer(4)]);
    const next = step(state, masks);
    expect(hashJson(step(shown, masks))).toBe(hashJson(next));
    state = next;
  }
});

test(`[G-PONG] paddles and ball stay on the field, whole numbers all (seed ${TEST_SEED})`, () => {
  const chance = random('field');
  let state = start(11);
  while (game.outcome(state) === null) {
    // Paddles that follow the ball, so that rallies get long and fast.
    const masks = state.paddles.map((y) =>
      chance.integer(3) === 0 ? chance.integer(4) : y < state.ball.y ? HELD.down : HELD.up,
    );
    state = step(state, masks);
    const { x, y, vx, vy } = state.ball;
    const isWithin = x >= 0 && x <= FIELD.width && y >= 5 && y <= FIELD.height - 5;
    const isWhole = [x, y, vx, vy, ...state.paddles].every(Number.isInteger);
    if (!isWithin || !isWhole) throw new Error(JSON.stringify(state));
  }
  // It went on until its time was up.
  expect(state.tick).toBe(18_000);
});
