/** Tests of what matches did to a rating, in words. */

import { expect, test } from 'bun:test';
import type { RatedMatch } from '../types.ts';
import { changeWords, historyWords } from './rating.ts';

const match = (before: number, after: number): RatedMatch => ({
  at: '2026-11-27T14:02:00.000Z',
  sessionId: 'ses_1',
  before,
  after,
  outcome: 'win',
});

test('[L4] a change of a rating has its sign', () => {
  expect(changeWords({ before: 1500, after: 1512.4 })).toBe('+12.4');
  expect(changeWords({ before: 1512.4, after: 1500 })).toBe('−12.4');
  expect(changeWords({ before: 1500, after: 1500 })).toBe('0.0');
});

test('[L4] a history says where it began and ended, and how low and high it went', () => {
  const history = [match(1_450.2, 1_471.6), match(1_530, 1_450.2), match(1_500, 1_530)];
  expect(historyWords(history, false)).toBe(
    'from 1500 to 1472 in 3 matches, between 1450 and 1530',
  );
  expect(historyWords(history.slice(0, 1), true)).toBe(
    'from 1450 to 1472 in the newest match, between 1450 and 1472',
  );
  expect(historyWords(history.slice(0, 1), false)).toStartWith('from 1450 to 1472 in 1 match,');
  expect(historyWords(history, true)).toStartWith('from 1500 to 1472 in the newest 3 matches,');
});
