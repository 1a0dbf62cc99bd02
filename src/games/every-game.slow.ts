/**
 * Long tests of every game: ten thousand random games each, over all variants, numbers of seats and
 * combinations of options, and a hundred thousand inputs that must be refused. One game only: `-t
 * 'ludo:'`. `MATCHD_TEST_GAMES` sets another number of games, `MATCHD_TEST_GAMES_FROM` the first
 * one's number.
 */

import { describe, expect, test } from 'bun:test';
import { playMany, throwHostileInput } from '../../game/src/testing/many-games.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { playOf } from './plays.test-kit.ts';
import { findGame, GAME_IDS } from './registry.ts';

const GAMES = Number(process.env['MATCHD_TEST_GAMES'] ?? 10_000);
const FROM = Number(process.env['MATCHD_TEST_GAMES_FROM'] ?? 0);
/** Each has thousands of ticks, with all arguments frozen; `random-fights.slow.ts` has the rest. */
const TICK_GAMES_MAX = 250;
const REFUSED = 100_000;
const TEST_MS_MAX = 1_800_000;

describe.each(GAME_IDS.filter((id) => findGame(id) !== null))('%s', (id) => {
  const game = findGame(id)!;
  const many = { seed: TEST_SEED, play: playOf(game.id) };
  const games = game.ticks === undefined ? GAMES : Math.min(GAMES, TICK_GAMES_MAX);

  test(
    `[G-CONTRACT] ${id}: ${games} random games end, and their replays have the same hashes (seed ${TEST_SEED})`,
    () => {
      const played = playMany(game, { ...many, games, from: FROM });
      console.log(JSON.stringify({ game: id, from: FROM, ...played }));
    },
    TEST_MS_MAX,
  );

  test(
    `[G-CONTRACT] ${id}: ${REFUSED} hostile inputs are refused and change nothing (seed ${TEST_SEED})`,
    () => {
      const tally = throwHostileInput(game, { ...many, count: REFUSED });
      console.log(JSON.stringify({ game: id, refused: tally }));
      const refused = Object.values(tally).reduce((sum, each) => sum + each, 0);
      expect(refused).toBeGreaterThanOrEqual(REFUSED);
      for (const each of Object.values(tally)) expect(each).toBeGreaterThan(1_000);
    },
    TEST_MS_MAX,
  );
});
