/** The published counts of American checkers that take too long for a quick test. */

import { expect, test } from 'bun:test';
import { START } from './board.ts';
import { perft } from './perft.ts';

test('[G-CHK] sequences of 9, 10 and 11: 3963680 18391564 85242128', () => {
  expect([9, 10, 11].map((depth) => perft(START, depth))).toEqual([
    3_963_680, 18_391_564, 85_242_128,
  ]);
}, 120_000);
