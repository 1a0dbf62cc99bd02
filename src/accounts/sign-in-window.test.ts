/** Right passwords, so many in a minute. */

import { expect, test } from 'bun:test';
import { makeSignInWindow } from './sign-in-window.ts';

test('[D2] of 20 right passwords in a minute the next waits for its end, and nobody else', () => {
  const window = makeSignInWindow();
  for (let i = 0; i < 20; i++) {
    expect(window.waitMs('ann', 1_000 + i)).toBe(0);
    window.count('ann', 1_000 + i);
  }
  expect(window.waitMs('ann', 2_000)).toBe(59_000);
  expect(window.waitMs('ben', 2_000)).toBe(0);
  expect(window.waitMs('ann', 61_000)).toBe(0);
  window.count('ann', 61_000);
  expect(window.waitMs('ann', 61_001)).toBe(0);
});

test('[D2] no more names are counted than may be: the one counted longest is forgotten', () => {
  const window = makeSignInWindow({ namesMax: 2 });
  for (const name of ['ann', 'ben', 'cleo']) {
    for (let i = 0; i < 20; i++) window.count(name, 0);
  }
  const waits = ['ann', 'ben', 'cleo'].map((name) => window.waitMs(name, 0) > 0);
  expect(waits).toEqual([false, true, true]);
});
