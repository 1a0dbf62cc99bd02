/** The laws of every shot, over more random shots than `npm test` has time for. */

import { expect, test } from 'bun:test';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { EVENTS_MAX } from './parameters.ts';
import { checkRandomShots } from './shots.test-kit.ts';

const SHOTS = 100_000;
const TEST_MS_MAX = 600_000;

test(
  `[G-POOL-7] energy never rises and no ball is lost in ${SHOTS} random shots (seed ${TEST_SEED})`,
  () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'many pool shots', 0);
    expect(checkRandomShots(SHOTS, random)).toBeLessThan(EVENTS_MAX);
  },
  TEST_MS_MAX,
);
