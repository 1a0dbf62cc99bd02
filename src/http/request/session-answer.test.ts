/** The faster computation of a commitment equals the one that verifies replays. */

import { expect, test } from 'bun:test';
import { makeFairness } from '../../match/replay/replay.ts';
import { follow, makeTestSetup, openTrace, T0 } from '../../testing/matches/session-trace.ts';
import { presentFairness } from './session-answer.ts';

test('[S9] the response commits to the seed as the replay does', () => {
  const pending = openTrace(makeTestSetup());
  const ended = follow(pending, { kind: 'abort' }, T0 + 1);
  for (const { session } of [pending, ended]) {
    expect(presentFairness(session)).toEqual(makeFairness(session));
  }
});
