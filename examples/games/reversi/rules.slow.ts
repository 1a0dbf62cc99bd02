/** Reversi's published count of nine plies, the first depth at which somebody has to pass. */

import { expect, test } from 'bun:test';
import { PERFT, perft } from './perft.test-kit.ts';
import { game } from './rules.ts';

const TEST_MS_MAX = 300_000;

test(
  `[G-REVERSI] ${PERFT[8]} sequences of nine plies`,
  () => {
    const start = game.initial({ variant: 'standard', seats: 2, options: {} });
    expect(perft(start, 9)).toBe(PERFT[8]);
  },
  TEST_MS_MAX,
);
