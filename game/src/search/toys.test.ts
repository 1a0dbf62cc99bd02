/** The example games of the search tests fulfil the contract of games. */

import { describe, test } from 'bun:test';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyGame } from '../game.ts';
import { gameContractChecks } from '../testing/contract-checks.ts';
import { hideAndSeek, pig, rockPaperScissors, threeCardPoker } from './toys.test-kit.ts';

const TOYS: readonly AnyGame[] = [hideAndSeek, pig, rockPaperScissors, threeCardPoker];

describe.each(TOYS)('$id', (game) => {
  for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED })) {
    test(`[G-SEARCH] ${what}`, run);
  }
});
