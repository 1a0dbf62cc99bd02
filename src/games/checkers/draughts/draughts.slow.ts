/** Long tests of draughts: published counts in depth, ten thousand games, and the strength of the bot. */

import { expect, test } from 'bun:test';
import type { AnyBot } from '../../../../game/src/bot.ts';
import type { AnyGame } from '../../../../game/src/game.ts';
import { isRefusal } from '../../../../game/src/game.ts';
import { hashJson } from '../../../../game/src/json.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { playOff } from '../../play-off.ts';
import { checkersBot } from '../bot.ts';
import { initialOf } from '../checkers.test-kit.ts';
import { checkers } from '../checkers.ts';
import type { Variant } from '../dialect.ts';
import { VARIANTS } from '../dialect.ts';
import { RULE_SETS } from '../rule-sets.ts';

const COUNTS: readonly (readonly [Variant, number, number])[] = [
  ['russian', 10, 22_450_628],
  ['brazilian', 10, 21_566_606],
  ['international', 9, 41_022_614],
];
test.each(COUNTS)(
  '[G-CHK] sequences of %s with %d moves: %d',
  (variant, depth, count) => {
    expect(RULE_SETS[variant].perft(initialOf(variant), depth)).toBe(count);
  },
  300_000,
);

/** `MATCHD_TEST_GAMES` sets another number. */
const GAMES = Number(process.env['MATCHD_TEST_GAMES'] ?? 10_000);
/** Longer than any random game. */
const PLIES_MAX = 2_000;

test.each(VARIANTS)(
  `[G-CHK] ${GAMES} random games of %s end, and replay to the same hash (seed ${TEST_SEED})`,
  (variant) => {
    const random = makeRandom(`${TEST_SEED}`, () => `${variant} games`, 0);
    for (let number = 0; number < GAMES; number += 1) {
      const actions = [];
      let state = initialOf(variant);
      while (checkers.outcome(state) === null) {
        const legal = checkers.legalActions(state)!;
        const action = legal[random.integer(legal.length)]!;
        const applied = checkers.apply(state, state.turn, action, random);
        if (isRefusal(applied)) throw new Error(applied.error);
        state = applied.state;
        actions.push(JSON.stringify(action));
        if (actions.length > PLIES_MAX) throw new Error('No end');
      }
      let again = JSON.parse(JSON.stringify(initialOf(variant)));
      for (const text of actions) {
        const applied = checkers.apply(again, again.turn, JSON.parse(text), random);
        if (isRefusal(applied)) throw new Error(applied.error);
        again = JSON.parse(JSON.stringify(applied.state));
      }
      expect(hashJson(again)).toBe(hashJson(state));
    }
  },
  600_000,
);

const bot: AnyBot = checkersBot;
test.each(VARIANTS.slice(1))(
  `[G-CHK] in %s hard makes at least 0.9 of medium over 10 games (seed ${TEST_SEED})`,
  (variant) => {
    const game: AnyGame = { ...checkers, variants: [variant] };
    const random = makeRandom(`${TEST_SEED}`, () => `${variant} slow`, 0);
    const match = { game, bot, levels: ['hard', 'medium'] as const, games: 10, nodesMax: 600_000 };
    expect(playOff(match, random)).toBeGreaterThanOrEqual(0.9);
  },
  600_000,
);
