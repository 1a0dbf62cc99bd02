/** Shots at balls frozen to one another, more of them than `npm test` has time for. */

import { expect, test } from 'bun:test';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { EVENTS_MAX } from './parameters.ts';
import { checkRowShots, SHAPE_NAMES } from './rows.test-kit.ts';

const SHOTS = 10_000;
const TEST_MS_MAX = 300_000;

for (const shape of SHAPE_NAMES) {
  test(
    `[G-POOL-7] ${shape}: ${SHOTS} shots come to rest on a valid table (seed ${TEST_SEED})`,
    () => {
      const random = makeRandom(`${TEST_SEED}`, () => `many: ${shape}`, 0);
      expect(checkRowShots(shape, SHOTS, random)).toBeLessThan(EVENTS_MAX);
    },
    TEST_MS_MAX,
  );
}
