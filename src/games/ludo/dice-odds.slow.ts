/**
 * A million turns of ludo for each set of options, against values calculated by hand.
 * `MATCHD_TEST_GAMES` sets another number: two hundred turns per game.
 */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { EXPERIMENTS, OPTION_SETS, playTurns } from './dice-odds.test-kit.ts';

const TURNS = 200 * Number(process.env['MATCHD_TEST_GAMES'] ?? 5_000);
const ERRORS_MAX = 5;
const TEST_MS_MAX = 300_000;

test.each(OPTION_SETS)(
  `[G-LUDO] ${TURNS} turns by %o (seed ${TEST_SEED})`,
  (options) => {
    const turns = Math.ceil(TURNS / EXPERIMENTS.length);
    for (const each of EXPERIMENTS) {
      const seed = `${TEST_SEED} ${each.what} ${JSON.stringify(options)} slow`;
      const { average, mean, errors } = playTurns(each, options, turns, seed);
      expect(errors, `${each.what}: ${average} for ${mean}`).toBeLessThan(ERRORS_MAX);
    }
  },
  TEST_MS_MAX,
);
