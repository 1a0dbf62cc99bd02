/** Games with one thing wrong each, and the check that has to find it. */

import { describe, expect, test } from 'bun:test';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { Game } from '../game.ts';
import type { Contract } from './contract-checks.ts';
import { gameContractChecks } from './contract-checks.ts';

/** What the checks say that a game fails, each after its title; of those whose title begins like that. */
export function failuresOf<State, Action>(
  game: Game<State, Action>,
  contract: Contract<State, Action> = {},
  beginning = '',
): readonly string[] {
  const checks = gameContractChecks(game, { seed: TEST_SEED, ...contract });
  return checks.flatMap(({ what, run }) => {
    if (!what.startsWith(beginning)) return [];
    try {
      run();
      return [];
    } catch (error) {
      return [`${what}: ${error}`];
    }
  });
}

/** One thing wrong, the beginning of the title of the check that has to find it, and what that says. */
type Broken<State, Action> = readonly (readonly [
  what: string,
  change: Partial<Game<State, Action>>,
  check: string,
  says: RegExp,
])[];

export function describeBroken<State, Action>(
  game: Game<State, Action>,
  broken: Broken<State, Action>,
  contract: Contract<State, Action> = {},
): void {
  describe(`broken ${game.id}`, () => {
    test.each(broken)(`[G-CONTRACT] %s (seed ${TEST_SEED})`, (_, change, check, says) => {
      const [failure] = failuresOf({ ...game, ...change }, contract, check);
      expect(failure).toMatch(says);
    });
  });
}
