/**
 * Long runs of every example game: ten thousand random games and a hundred thousand hostile inputs.
 * `MATCHD_TEST_GAMES` sets another number of games.
 */

import { describe, expect, test } from 'bun:test';
import type { AnyGame } from '@matchd/game';
import { playMany, throwHostileInput } from '@matchd/game/testing';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { game as crazyEights } from './crazy-eights/rules.ts';
import { game as pong } from './pong/rules.ts';
import { game as reversi } from './reversi/rules.ts';
import { game as rps } from './rps-tournament/rules.ts';

const GAMES = Number(process.env['MATCHD_TEST_GAMES'] ?? 10_000);
/** Tick games have thousands of ticks each. */
const TICK_GAMES_MAX = 500;
const REFUSED = 100_000;
const TEST_MS_MAX = 1_800_000;

// No cast: states and actions are type aliases, which are JSON to the compiler; interfaces are not.
const EXAMPLES: readonly AnyGame[] = [crazyEights, pong, reversi, rps];

describe.each(EXAMPLES.map((game) => [game.id, game] as const))('%s', (id, game) => {
  const games = game.ticks === undefined ? GAMES : Math.min(GAMES, TICK_GAMES_MAX);

  test(
    `[G-CONTRACT] ${id}: ${games} random games end, and their replays have the same hashes (seed ${TEST_SEED})`,
    () => {
      const played = playMany(game, { seed: TEST_SEED, games });
      console.log(JSON.stringify({ game: id, ...played }));
    },
    TEST_MS_MAX,
  );

  test(
    `[G-CONTRACT] ${id}: ${REFUSED} hostile inputs are refused and change nothing (seed ${TEST_SEED})`,
    () => {
      const tally = throwHostileInput(game, { seed: TEST_SEED, count: REFUSED });
      console.log(JSON.stringify({ game: id, refused: tally }));
      const refused = Object.values(tally).reduce((sum, each) => sum + each, 0);
      expect(refused).toBeGreaterThanOrEqual(REFUSED);
      for (const each of Object.values(tally)) expect(each).toBeGreaterThan(1_000);
    },
    TEST_MS_MAX,
  );
});
