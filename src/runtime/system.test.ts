/** Time never goes back and never stops, whatever happens to the machine's clock. */

import { afterEach, beforeEach, expect, mock, spyOn, test } from 'bun:test';
import type { Clock } from './ports.ts';
import { makeSystemClock } from './system.ts';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

let wall: number;
let passed: number;
let clock: Clock;
beforeEach(() => {
  wall = START;
  passed = 0;
  spyOn(Date, 'now').mockImplementation(() => wall);
  spyOn(performance, 'now').mockImplementation(() => passed);
  clock = makeSystemClock();
});
afterEach(() => mock.restore());

function pass(ms: number): number {
  wall += ms;
  passed += ms;
  return clock.now();
}

test('[P6] it is the time of the machine, in whole milliseconds', () => {
  expect(clock.now()).toBe(START);
  expect(pass(0.25)).toBe(START);
  for (let n = 1; n <= 1_000; n++) expect(pass(1)).toBe(START + n);
  // Set forward.
  wall += HOUR_MS;
  expect(clock.now()).toBe(Math.floor(wall));
});

test('[P6] set back, it advances a little more slowly, and never goes back', () => {
  const before = clock.now();
  wall -= HOUR_MS;
  expect(clock.now()).toBe(before);
  expect(pass(60_000)).toBe(before + 54_000);
  // It catches up a tenth of the time that passes.
  expect(pass(9.9 * HOUR_MS)).toBeGreaterThan(wall);
  expect(pass(0.2 * HOUR_MS)).toBe(wall);
});

test('[P6] set back repeatedly, however often it is read, it never goes back', () => {
  let last = clock.now();
  for (let n = 0; n < 2_000; n++) {
    if (n % 100 === 0) wall -= 5_000;
    const now = pass(n % 7);
    expect(now).toBeGreaterThanOrEqual(last);
    expect(Number.isInteger(now)).toBe(true);
    last = now;
  }
});
