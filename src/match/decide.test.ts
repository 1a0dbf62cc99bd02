/** The laws of `decide` over random sessions, and its rules one by one. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { connect4 } from '../games/connect4/connect4.ts';
import type { AnyGame } from '../games/game.ts';
import { TEST_SEED } from '../games/test-seed.ts';
import { tictactoe } from '../games/tictactoe/tictactoe.ts';
import { anySession, playSession } from '../testing/random-session.ts';
import { checkLateLooks, checkLostTime, checkTrace } from '../testing/session-laws.ts';

const RUNS = 300;
const GAMES: readonly AnyGame[] = [tictactoe as AnyGame, connect4 as AnyGame];

describe.each(GAMES.map((game) => [game.id, game] as const))('%s', (_, game) => {
  test(`[P7] any commands at any times keep the laws of a session (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game), (random) => checkTrace(playSession(random)));
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });

  test(`[P6] time that is lost is charged to nobody (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), fc.nat(), (random, where) =>
      checkLostTime(random, playSession(random), where),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });

  test(`[P6] a late look finds what a prompt one would have (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), (random) =>
      checkLateLooks(random, playSession(random)),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });
});
