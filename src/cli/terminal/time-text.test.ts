/** Accepted times and durations. */

import { expect, test } from 'bun:test';
import { parseDuration, parseMoment, printTime } from './time-text.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

test('[CLI] durations are a number and a unit', () => {
  const right: readonly (readonly [string, number])[] = [
    ['0', 0] as const,
    ['0s', 0] as const,
    ['45s', 45_000] as const,
    ['30m', 1_800_000] as const,
    ['24h', 86_400_000] as const,
    ['7d', 604_800_000] as const,
    ['3650d', 315_360_000_000] as const,
  ];
  for (const [text, ms] of right) expect(parseDuration(text)).toBe(ms);
  for (const text of [
    '',
    '1',
    '-1h',
    '1.5h',
    '1 h',
    '1w',
    '1H',
    'h',
    '3651d',
    '1h30m',
    '١h',
    '1h\n',
  ]) {
    expect([text, parseDuration(text)]).toEqual([text, null]);
  }
});

test('[CLI] moments are dates, times with a zone, or durations from now', () => {
  const right: readonly (readonly [string, string])[] = [
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:30Z', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:15Z', '2027-01-31T12:30:15.000Z'],
    ['2027-01-31T12:30:15.5+02:00', '2027-01-31T10:30:15.500Z'],
    ['90d', '2027-02-18T12:00:00.000Z'],
  ];
  for (const [text, time] of right) expect(printTime(parseMoment(text, NOW))).toBe(time);
  const wrong = [
    '',
    'tomorrow',
    '2027',
    '2027-1-31',
    '2027-02-30',
    '2027-02-30T00:00Z',
    '2027-13-01',
    '2027-01-31T12:30',
    '2027-01-31T25:00Z',
    '2027-01-31 12:30Z',
    '31.01.2027',
    '1893456000',
  ];
  for (const text of wrong) expect([text, parseMoment(text, NOW)]).toEqual([text, null]);
});
