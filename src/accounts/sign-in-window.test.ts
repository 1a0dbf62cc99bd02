/** The number of passwords examined per minute. */

import { expect, test } from 'bun:test';
import { makeSignInWindow } from './sign-in-window.ts';

test("[D2] after 20 passwords in a minute the next one waits for the minute's end, and other names are not affected", () => {
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

test('[D2] the number of counted names is limited: the one counted longest is dropped', () => {
  const window = makeSignInWindow({ namesMax: 2 });
  for (const name of ['ann', 'ben', 'cleo']) {
    for (let i = 0; i < 20; i++) window.count(name, 0);
  }
  const waits = ['ann', 'ben', 'cleo'].map((name) => window.waitMs(name, 0) > 0);
  expect(waits).toEqual([false, true, true]);
});

test('[D2] a password that was not examined is taken back, and its name uses no slot', () => {
  const window = makeSignInWindow({ namesMax: 2 });
  const takeBacks = Array.from({ length: 20 }, () => window.count('ann', 0));
  for (let i = 0; i < 10; i++) window.count(`busy ${i}`, 0)();
  expect(window.waitMs('ann', 0)).toBe(60_000);
  takeBacks[0]!();
  expect(window.waitMs('ann', 0)).toBe(0);
  // It takes nothing back from the next window once its own is over.
  for (let i = 0; i < 20; i++) window.count('ann', 60_000);
  takeBacks[1]!();
  expect(window.waitMs('ann', 60_000)).toBe(60_000);
});
