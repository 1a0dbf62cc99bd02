/** Limits on what a flood of refused requests writes to the log. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeLogLimiter, type SuppressionReport } from './log-limiter.ts';

function open() {
  const clock = makeManualClock();
  const reports: SuppressionReport[] = [];
  const limiter = makeLogLimiter(clock, (entry) => void reports.push(entry));
  const write = (count: number, address: string, kind = 'invalid_api_key'): number =>
    Array.from({ length: count }).filter(() => limiter.take(address, kind)).length;
  return { clock, reports, limiter, write };
}

test('[LOG] 20 lines of an address and kind are written in a window, the rest are counted', () => {
  const { clock, reports, limiter, write } = open();
  expect(write(5_000, '192.0.2.1')).toBe(20);
  expect(write(3, '192.0.2.2')).toBe(3);
  expect(write(21, '192.0.2.1', 'not_found')).toBe(20);
  clock.advance(59_999);
  limiter.sweep();
  expect(reports).toEqual([]);
  clock.advance(1);
  limiter.sweep();
  expect(reports).toEqual([
    { address: '192.0.2.1', kind: 'invalid_api_key', suppressed: 4_980 },
    { address: '192.0.2.1', kind: 'not_found', suppressed: 1 },
  ]);
  expect(write(1, '192.0.2.1')).toBe(1);
});

test('[LOG] a flood from many addresses writes 1,000 lines and 21 reports that count every line', () => {
  const { reports, limiter, write } = open();
  let written = 0;
  for (let n = 0; n < 10_000; n++) written += write(3, `10.0.${n >> 8}.${n & 255}`);
  expect(written).toBe(1_000);
  limiter.flush();
  expect(reports.length).toBe(21);
  expect(reports.at(-1)!.address).toBe('others');
  expect(reports.reduce((sum, { suppressed }) => sum + suppressed, 0)).toBe(30_000 - 1_000);
});

test('[LOG] what a window suppressed is reported once', () => {
  const { reports, limiter, write } = open();
  write(30, '192.0.2.1');
  limiter.flush();
  limiter.flush();
  expect(reports.length).toBe(1);
});
