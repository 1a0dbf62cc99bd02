/** Fight arena as a match: any commands at any times, by the laws of every session. */

import { test } from 'bun:test';
import fc from 'fast-check';
import type { AnyGame } from '../../../game/src/game.ts';
import { checkFrames } from '../../testing/matches/frame-laws.ts';
import { anySession, playSession } from '../../testing/matches/random-session.ts';
import { checkReplays } from '../../testing/matches/replay-laws.ts';
import { checkLateLooks, checkLostTime, checkTrace } from '../../testing/matches/session-laws.ts';
import { checkTimes } from '../../testing/matches/session-time.ts';
import type { Trace } from '../../testing/matches/session-trace.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { fightArena } from './fight-arena.ts';

const game = fightArena as unknown as AnyGame;
const RUNS = 60;

const LAWS: readonly (readonly [string, (trace: Trace) => void])[] = [
  ['[P7][P10] any commands at any times keep the laws of a session', checkTrace],
  ['[P6] nobody times out early or pays for lost time', checkTimes],
  ['[P3] every frame follows the one before and shows no secret', checkFrames],
  ['[S7][P10] a replay verifies at any point of the match', checkReplays],
];

for (const [what, law] of LAWS) {
  test(`${what}, in fight arena (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game), (random) => law(playSession(random)));
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });
}

test(`[P6] in fight arena lost time is charged to nobody (seed ${TEST_SEED})`, () => {
  const property = fc.property(anySession(game, 40), fc.nat(), (random, where) =>
    checkLostTime(random, playSession(random), where),
  );
  fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
});

test(`[P6] in fight arena the end does not depend on how soon it is checked (seed ${TEST_SEED})`, () => {
  const property = fc.property(anySession(game, 40), (random) =>
    checkLateLooks(random, playSession(random)),
  );
  fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
});
