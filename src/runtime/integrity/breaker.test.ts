/** Opens after consecutive failures, lets one call through after a while, and closes when that one succeeds. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeBreaker } from './breaker.ts';

function failing(count: number) {
  const clock = makeManualClock();
  const breaker = makeBreaker(clock);
  for (let n = 0; n < count; n++) {
    expect(breaker.enter()).toBe(true);
    breaker.leave(true);
  }
  return { clock, breaker };
}

test('[I3] five failures in a row open it, four and a success do not', () => {
  expect(failing(5).breaker.enter()).toBe(false);
  const { breaker } = failing(4);
  breaker.leave(false);
  for (let n = 0; n < 4; n++) breaker.leave(true);
  expect(breaker.enter()).toBe(true);
});

test('[I3] cancelled calls count neither as failures nor as successes', () => {
  const { breaker } = failing(4);
  breaker.leave(null);
  expect(breaker.enter()).toBe(true);
  breaker.leave(true);
  expect(breaker.enter()).toBe(false);
});

test('[I3] after 30 s one call is let through, and its outcome decides', () => {
  const { clock, breaker } = failing(5);
  clock.advance(29_999);
  expect(breaker.enter()).toBe(false);
  clock.advance(1);
  expect([breaker.enter(), breaker.enter()]).toEqual([true, false]);
  breaker.leave(true);
  clock.advance(29_999);
  expect(breaker.enter()).toBe(false);
  clock.advance(1);
  expect(breaker.enter()).toBe(true);
  // It was cancelled: the next one may try.
  breaker.leave(null);
  expect(breaker.enter()).toBe(true);
  breaker.leave(false);
  expect([breaker.enter(), breaker.enter()]).toEqual([true, true]);
});
