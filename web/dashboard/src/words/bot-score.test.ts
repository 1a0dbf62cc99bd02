/** A bot's score in words. */

import { expect, test } from 'bun:test';
import { type BotScore, scoreLines, winPercent } from './bot-score.ts';

const score = (change: Partial<BotScore>): BotScore => ({
  mode: 'test',
  difficulty: 'hard',
  matches: 4,
  wins: 3,
  losses: 1,
  draws: 0,
  ...change,
});

test('[D11] a bot has a line for each level of the shown mode', () => {
  const scores = [
    score({}),
    score({ difficulty: 'easy', matches: 3, wins: 0, losses: 2, draws: 1 }),
    score({ mode: 'live', difficulty: null }),
  ];
  expect(scoreLines(scores, 'test')).toEqual([
    'hard: 3 won, 1 lost, 0 drawn (75\u00a0%)',
    'easy: 0 won, 2 lost, 1 drawn (0\u00a0%)',
  ]);
  expect(scoreLines(scores, 'live')).toEqual(['3 won, 1 lost, 0 drawn (75\u00a0%)']);
  expect(winPercent(scores, 'test')).toBe(43);
  expect(winPercent([], 'test')).toBeNull();
});
