/** Runs contract checks on broken games. */

import { describe, expect, test } from 'bun:test';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { Game } from '../game.ts';
import type { Contract } from './contract-checks.ts';
import { gameContractChecks } from './contract-checks.ts';

/** The messages of the checks that a game fails, of those whose title has this beginning. */
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

/** A change that breaks a game, the beginning of the title of the check that finds it, and its message. */
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
