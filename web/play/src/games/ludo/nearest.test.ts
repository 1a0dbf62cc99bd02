/** Tests of which token a tap selects. */

import { expect, test } from 'bun:test';
import { nearestOf } from './nearest.ts';

const at = (name: string, x: number, isFree: boolean) => ({ name, x, y: 0, isFree });

test('[W3] a tap selects the nearest token that can move, within 22 pixels of it', () => {
  const tokens = [at('a', 0, true), at('b', 20, true), at('c', 26, false)];
  expect(nearestOf(tokens, 4, 0)?.name).toBe('a');
  expect(nearestOf(tokens, 12, 0)?.name).toBe('b');
  expect(nearestOf(tokens, 27, 0)?.name).toBe('b');
  expect(nearestOf(tokens, 45, 0)?.name).toBe('c');
  expect(nearestOf(tokens, 60, 0)).toBeNull();
});
