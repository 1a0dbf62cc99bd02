/** The answer's quicker way to a commitment is the one that replays are checked by. */

import { expect, test } from 'bun:test';
import { makeFairness } from '../match/replay.ts';
import { follow, makeTestSetup, openTrace } from '../testing/session-trace.ts';
import { presentFairness } from './session-answer.ts';
