/** How often a line is written, and what it counts. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeLogThrottle } from './log-throttle.ts';

test('[LOG] the first occurrence is written, then at most once a minute with the number since', () => {
  const clock = makeManualClock();
  const take = makeLogThrottle(clock, 60_000);
  expect([take(), take(), take()]).toEqual([1, null, null]);
  clock.advance(59_999);
  expect(take()).toBeNull();
  clock.advance(1);
  expect([take(), take()]).toEqual([4, null]);
});
