/** The levels of the search bot, game by game, over enough games to tell them apart. */

import { describe, expect, test } from 'bun:test';
import { checkers } from '../../../src/games/checkers/checkers.ts';
import { connect4 } from '../../../src/games/connect4/connect4.ts';
import { ludo } from '../../../src/games/ludo/ludo.ts';
import { tictactoeBot } from '../../../src/games/tictactoe/bot.ts';
import { tictactoe } from '../../../src/games/tictactoe/tictactoe.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyBot, BotLevel } from '../bot.ts';
import type { AnyGame } from '../game.ts';
import type { Duel, Duelist } from './duel.test-kit.ts';
import { anyhow, playDuel, searching } from './duel.test-kit.ts';
import { pig, threeCardPoker } from './toys.test-kit.ts';

const TEST_MS_MAX = 30 * 60_000;

const own = (bot: AnyBot, level: BotLevel): Duelist => ({ mind: bot.makeMind(), level });

/** Plays, and prints the result. */
function duel(name: string, asked: Duel) {
  const result = playDuel(asked);
  const { value, low, high } = result.score;
  const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`;
  console.log(`${name}: ${value.toFixed(3)} (${interval}), ${2 * asked.rounds} games`);
  return result;
}

describe('tic-tac-toe', () => {
  const RIVALS = [
    ['random', anyhow(tictactoe)],
    ['perfect', own(tictactoeBot, 'perfect')],
  ] as const;
  test.each(RIVALS)(
    `[G-SEARCH] hard loses none of 200 games to %s (seed ${TEST_SEED})`,
    (name, rival) => {
      const sides = [searching(tictactoe, 'hard'), rival] as const;
      const asked = { game: tictactoe, sides, rounds: 100 };
      expect(duel(`tictactoe, hard - ${name}`, asked).lost).toBe(0);
    },
    TEST_MS_MAX,
  );
});

const QUICK_LUDO = { setup: { variant: 'quick', seats: 2 } } as const;

/** Rounds of two games: enough to tell the levels apart. */
const LEVELS: readonly (readonly [AnyGame, BotLevel, BotLevel, number])[] = [
  [connect4, 'medium', 'easy', 50],
  [connect4, 'hard', 'medium', 50],
  [checkers, 'medium', 'easy', 15],
  [checkers, 'hard', 'medium', 6],
  [ludo, 'medium', 'easy', 60],
  [ludo, 'hard', 'medium', 100],
  [pig, 'hard', 'easy', 40],
  [pig, 'hard', 'medium', 75],
  [threeCardPoker, 'medium', 'easy', 200],
];
for (const [game, stronger, weaker, rounds] of LEVELS) {
  test(
    `[G-SEARCH] ${game.id}: ${stronger} beats ${weaker} (seed ${TEST_SEED})`,
    () => {
      const sides = [searching(game, stronger), searching(game, weaker)] as const;
      const asked: Duel = { game, sides, rounds, ...(game.id === 'ludo' ? QUICK_LUDO : {}) };
      const { score } = duel(`${game.id}, ${stronger} - ${weaker}`, asked);
      expect(score.low).toBeGreaterThan(0.5);
    },
    TEST_MS_MAX,
  );
}
