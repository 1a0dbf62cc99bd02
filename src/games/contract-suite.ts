/** Registers the contract checks of a game as tests of this repository. */

import { describe, test } from 'bun:test';
import type { Game } from '../../game/src/game.ts';
import type { Contract } from '../../game/src/testing/contract-checks.ts';
import { gameContractChecks } from '../../game/src/testing/contract-checks.ts';
import { TEST_SEED } from '../testing/test-seed.ts';

/** `rule` is the mark in the titles of the game's tests, e.g. `G-TTT`. */
export function gameContractSuite<State, Action>(
  rule: string,
  game: Game<State, Action>,
  contract: Contract<State, Action> = {},
): void {
  describe(`contract of ${game.id}`, () => {
    for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED, ...contract })) {
      test(`[${rule}] ${what}`, run);
    }
  });
}
