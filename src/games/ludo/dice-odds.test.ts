/** Thousands of turns of ludo have the calculated averages. */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { EXPERIMENTS, OPTION_SETS, playTurns } from './dice-odds.test-kit.ts';

/** For each experiment and set; `dice-odds.slow.ts` plays millions. */
const TURNS = 600;
/** By chance, 208 experiments exceed this many standard errors once in some ten thousand runs. */
const ERRORS_MAX = 5;

test.each(EXPERIMENTS)(`[G-LUDO] $what, by every set of options (seed ${TEST_SEED})`, (each) => {
  for (const options of OPTION_SETS) {
    const seed = `${TEST_SEED} ${each.what} ${JSON.stringify(options)}`;
    const { average, mean, errors } = playTurns(each, options, TURNS, seed);
    const said = `${average} for ${mean}, ${JSON.stringify(options)}`;
    // A variance of zero is no evidence against a rare event.
    if (Number.isFinite(errors)) expect(errors, said).toBeLessThan(ERRORS_MAX);
    else expect(mean * TURNS, said).toBeLessThan(10);
  }
});
