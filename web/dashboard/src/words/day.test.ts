/** Days as spans of time. */

import { afterEach, expect, test } from 'bun:test';
import { beginOfDay, endOfDay } from './day.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test("[D8] a day is one of the reader's time zone, whatever its hours", () => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(beginOfDay('2026-11-27')).toBe('2026-11-26T23:00:00.000Z');
  expect(endOfDay('2026-11-27')).toBe('2026-11-27T23:00:00.000Z');
  // Daylight saving time begins and ends.
  expect(beginOfDay('2026-03-29')).toBe('2026-03-28T23:00:00.000Z');
  expect(endOfDay('2026-03-29')).toBe('2026-03-29T22:00:00.000Z');
  expect(endOfDay('2026-10-25')).toBe('2026-10-25T23:00:00.000Z');
  expect(endOfDay('2026-12-31')).toBe('2026-12-31T23:00:00.000Z');
});

test('[D8] an invalid day gives null', () => {
  for (const text of ['', 'yesterday', '2026-02-30', '2026-13-01', '2026-1-1', '0050-01-01']) {
    expect([text, beginOfDay(text), endOfDay(text)]).toEqual([text, null, null]);
  }
});
