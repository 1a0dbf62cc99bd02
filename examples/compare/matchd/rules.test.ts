/** The rules of the sample of docs/guides/compare.md under the contract of all games. */

import { test } from 'bun:test';
import path from 'node:path';
import type { AnyGame } from '@matchd/game';
import { gameContractChecks } from '@matchd/game/testing';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';

// JavaScript, as the other servers' samples are: nothing says to the compiler what it exports.
const rules: string = path.join(import.meta.dirname, 'games/tic-tac-toe/rules.mjs');
const { game } = (await import(rules)) as { readonly game: AnyGame };

for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED, inputsMax: 9 })) {
  test(`[G-COMPARE] ${what}`, run);
}
