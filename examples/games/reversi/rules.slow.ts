/** Reversi's published perft of depth 9, the first depth with passes. */

import { expect, test } from 'bun:test';
import { PERFT, perft } from './perft.test-kit.ts';
import { game } from './rules.ts';

const TEST_MS_MAX = 300_000;

test(
  `[G-REVERSI] ${PERFT[8]} move sequences of depth 9`,
  () => {
    const start = game.initial({ variant: 'standard', seats: 2, options: {} });
    expect(perft(start, 9)).toBe(PERFT[8]);
  },
  TEST_MS_MAX,
);
