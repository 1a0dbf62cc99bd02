/** The pool bot: legal in every situation, sensible in easy ones, and consistent within its budget. */

import { describe, expect, test } from 'bun:test';
import { BOT_LEVELS } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { deepFreeze } from '../../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playOff } from '../play-off.ts';
import { poolBot } from './bot.ts';
import { shake } from './hand.ts';
import { refuseAction } from './legality.ts';
import { randomStrike } from './physics/shots.test-kit.ts';
import { pool } from './pool.ts';
import { laid, play, shotOf } from './positions.test-kit.ts';
import type { PoolState } from './state.ts';
import { ownBalls } from './targets.ts';

const game: AnyGame = pool;
const NODES = 600_000;

function chance(name: string) {
  return makeRandom(`${TEST_SEED}`, () => name, 0);
}

function choose(state: PoolState, name: string, level: (typeof BOT_LEVELS)[number] = 'hard') {
  const question = deepFreeze({ state, seat: state.seat, level, nodesMax: NODES });
  return poolBot.makeMind().choose(question, chance(name));
}

describe('one shot', () => {
  const SITUATIONS: readonly PoolState[] = [
    laid({ 0: [0, 0.1], 1: [0.3, 0.3], 8: [-0.5, 0], 9: [0.5, 0] }),
    laid({ 1: [-0.8, 0.3], 8: [-0.5, 0], 9: [-0.6, 0.2] }, { inHand: 'behind_head_string' }),
    laid({ 8: [-0.5, 0], 9: [-0.6, 0.2] }, { inHand: 'anywhere', groups: ['solids', 'stripes'] }),
    laid({ 0: [0, 0], 1: [0.3, 0.3], 8: [0.5, 0] }, { callPocket: 'none' }),
    laid({ 0: [0, 0], 3: [0.3, 0.3], 9: [0.5, 0] }, { variant: 'nineball', mayPushOut: true }),
    laid({ 0: [0, 0], 1: [0.3, 0.3], 8: [0.5, 0] }, { choices: ['accept', 'rerack', 'pass'] }),
    laid({ 1: [0.3, 0.3] }, { choices: ['spot', 'rerack'], inHand: 'behind_head_string' }),
    laid({ 0: [0, 0], 3: [0.3, 0.3] }, { variant: 'nineball', choices: ['accept', 'pass'] }),
  ];
  test(`[G-POOL-18] it is legal, whatever the situation and the budget (seed ${TEST_SEED})`, () => {
    for (const [index, state] of SITUATIONS.entries()) {
      for (const level of BOT_LEVELS) {
        for (const nodesMax of [0, 200, 5_000]) {
          const question = deepFreeze({ state, seat: state.seat, level, nodesMax });
          const action = poolBot.makeMind().choose(question, chance(`${index}`));
          expect([index, refuseAction(state, action)]).toEqual([index, null]);
          expect(pool.parseAction(action)).toEqual(action);
        }
      }
    }
  });

  test(`[G-POOL-18] hard pockets a hanging 8 at least nine times in ten (seed ${TEST_SEED})`, () => {
    const state = laid(
      { 0: [0.3, 0.1], 8: [0.9, 0.42], 12: [-0.5, 0.2] },
      { groups: ['solids', 'stripes'] },
    );
    let won = 0;
    for (let n = 0; n < 20; n += 1) {
      const { result } = play(state, choose(state, `eight ${n}`));
      if (result?.winner === 0) won += 1;
    }
    expect(won).toBeGreaterThanOrEqual(18);
  });

  test('[G-POOL-18] it knows its own balls', () => {
    const table = { 0: [0, 0], 2: [0.1, 0.2], 8: [0.2, 0], 11: [0.3, 0.1], 13: [0.4, 0] } as const;
    const own = (changes: Partial<PoolState>) => ownBalls(laid(table, changes));
    expect(own({})).toEqual([2, 11, 13]);
    expect(own({ groups: ['solids', 'stripes'] })).toEqual([2]);
    expect(own({ groups: ['solids', 'stripes'], seat: 1 })).toEqual([11, 13]);
    const { 2: _two, ...rest } = table;
    expect(ownBalls(laid(rest, { groups: ['solids', 'stripes'] }))).toEqual([8]);
    expect(
      ownBalls(laid({ 0: [0, 0], 4: [0.1, 0.2], 9: [0.2, 0] }, { variant: 'nineball' })),
    ).toEqual([4]);
  });

  test(`[G-POOL-18] an unsteady hand keeps a shot within its bounds (seed ${TEST_SEED})`, () => {
    const random = chance('hand');
    for (let n = 0; n < 2_000; n += 1) {
      const state = laid({ 0: [0, 0], 1: [0.3, 0.3] });
      const action = shotOf(randomStrike(random), { safety: true });
      expect(refuseAction(state, shake(action, 10, random))).toBeNull();
    }
    const still = shotOf({});
    expect(shake(still, 0, random)).toBe(still);
  });
});

/** On a busy machine. */
const TEST_MS_MAX = 60_000;

test(
  `[G-POOL-18] medium beats easy (seed ${TEST_SEED})`,
  () => {
    const levels = ['medium', 'easy'] as const;
    const match = { game, bot: poolBot, levels, games: 40, nodesMax: NODES };
    expect(playOff(match, chance('medium against easy'))).toBeGreaterThanOrEqual(0.6);
  },
  TEST_MS_MAX,
);
