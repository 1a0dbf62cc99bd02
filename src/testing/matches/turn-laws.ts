/** The laws of every session with turns, as tests of one game. */

import { test } from 'bun:test';
import fc from 'fast-check';
import type { AnyGame } from '../../../game/src/game.ts';
import { TEST_SEED } from '../test-seed.ts';
import { checkFrames } from './frame-laws.ts';
import { anySession, playSession } from './random-session.ts';
import { checkReplays } from './replay-laws.ts';
import { checkLateTurns, checkLostTime, checkTrace } from './session-laws.ts';
import { checkTimes } from './session-time.ts';
import type { Trace } from './session-trace.ts';

const LAWS: readonly (readonly [string, (trace: Trace) => void])[] = [
  ['[P7] any commands at any times keep the laws of a session', checkTrace],
  ['[P6] nobody times out early, plays on late or pays for lost time', checkTimes],
  ['[P6] a late check costs at most one turn, and the next is a whole one', checkLateTurns],
  ['[P3] every frame follows the one before and shows no secret', checkFrames],
  ['[S7] a replay verifies at any point of the match', checkReplays],
];

/** `runs`: random sessions for each law. */
export function testTurnLaws(game: AnyGame, runs: number): void {
  for (const [what, law] of LAWS) {
    test(`${what}, in ${game.id} (seed ${TEST_SEED})`, () => {
      const property = fc.property(anySession(game), (random) => law(playSession(random)));
      fc.assert(property, { seed: TEST_SEED, numRuns: runs });
    });
  }
}

/** `runs`: random sessions, each played again with a downtime somewhere. */
export function testLostTime(game: AnyGame, runs: number): void {
  test(`[P6] in ${game.id} a session with a downtime is the same without it, but later (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), fc.nat(), (random, where) =>
      checkLostTime(random, playSession(random), where),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: runs });
  });
}
