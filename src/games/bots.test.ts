/** The contract of every bot: legal actions, no changed positions, and levels that differ. */

import { describe, expect, test } from 'bun:test';
import { BOT_LEVELS, type BotLevel, type Question } from '../../game/src/bot.ts';
import type { AnyGame, Json } from '../../game/src/game.ts';
import { isRefusal } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import {
  deepFreeze,
  makeFirstPosition,
  makeSetups,
  playRandomly,
} from '../../game/src/testing/random-play.ts';
import { parseMasks } from '../../game/src/tick-game.ts';
import { testRuns } from '../testing/test-runs.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { playOff } from './play-off.ts';
import { findBot, findGame, GAME_IDS } from './registry.ts';

const built = GAME_IDS.filter((id) => findGame(id) !== null);

function chance(name: string) {
  return makeRandom(`${TEST_SEED}`, () => name, 0);
}

describe.each(built)('%s', (id) => {
  const game = findGame(id)!;
  const bot = findBot(id)!;

  test.each(BOT_LEVELS)(`[G-BOT] %s plays legal actions anywhere (seed ${TEST_SEED})`, (level) => {
    const chooser = chance(`${id} ${level}`);
    const mind = bot.makeMind();
    for (const setup of makeSetups(game)) {
      const played = playRandomly({
        game,
        // If the legal actions are not finite, the bot itself plays the game.
        play: {
          inputsMax: 10_000,
          randomAction: (state, random, seat) =>
            mind.choose({ state, seat, level: 'easy', nodesMax: 500 }, random),
        },
        setup,
        secret: `${TEST_SEED}`,
        chooser,
      });
      for (const { state } of played.positions.slice(0, -1)) {
        // With simultaneous actions, any seat.
        const seat = game.turn(state) ?? 0;
        // Frozen: a bot that changes its position throws.
        const question = deepFreeze({ state, seat, level, nodesMax: 500 });
        expectLegal(game, question, mind.choose(question, chooser));
      }
    }
  });

  test('[G-BOT] the same question, random numbers and memory give the same answer', () => {
    const { state } = makeFirstPosition(game, makeSetups(game)[0]!, `${TEST_SEED}`);
    for (const level of BOT_LEVELS) {
      const ask = () =>
        bot.makeMind().choose({ state, seat: 0, level, nodesMax: 5_000 }, chance(level));
      expect(ask()).toEqual(ask());
    }
  });
});

function expectLegal(game: AnyGame, { state, seat }: Question<Json>, action: Json): void {
  const legal = game.legalActions(state);
  if (game.ticks !== undefined) {
    const bounds = { maskMax: game.ticks.maskMax, ticksMax: 1 };
    expect(parseMasks([action], bounds)).toEqual([action as number]);
  } else if (legal !== null) expect(legal).toContainEqual(action);
  else expect(isRefusal(game.apply(state, seat, action, chance('apply')))).toBe(false);
}

/** On a busy machine. */
const TEST_MS_MAX = 30_000;

/** The least score of the stronger one, out of 1, and the number of games. */
const LADDER: readonly (readonly [string, BotLevel, BotLevel, number, number])[] = [
  ['tictactoe', 'medium', 'easy', testRuns(200), 0.6],
  ['tictactoe', 'hard', 'medium', testRuns(200), 0.55],
  ['connect4', 'medium', 'easy', testRuns(100), 0.8],
  ['connect4', 'hard', 'medium', testRuns(40), 0.85],
];

test.each(LADDER)(
  `[G-BOT] %s: %s against %s (seed ${TEST_SEED})`,
  (id, stronger, weaker, games, least) => {
    const game = findGame(id as (typeof GAME_IDS)[number])!;
    const bot = findBot(game.id)!;
    const levels = [stronger, weaker] as const;
    const part = playOff({ game, bot, levels, games, nodesMax: 100_000 }, chance(`${id} ladder`));
    expect(part).toBeGreaterThanOrEqual(least);
  },
  TEST_MS_MAX,
);
