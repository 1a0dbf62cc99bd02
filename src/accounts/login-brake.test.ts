/** The brake on guessing: free failures, waits that double, and what forgets them. */

import { expect, test } from 'bun:test';
import { makeLoginBrake } from './login-brake.ts';

const MINUTE = 60_000;

test('[D2] after the free failures each further one costs a wait that doubles, up to 15 minutes', () => {
  const brake = makeLoginBrake();
  let now = 0;
  for (let i = 0; i < 5; i++) expect(brake.begin('ann', 5, now)).toBe(0);
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    const wait = brake.begin('ann', 5, now);
    waits.push(wait / 1_000);
    now += wait;
    expect(brake.begin('ann', 5, now)).toBe(0);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  expect(brake.begin('ben', 5, now)).toBe(0);
});

test('[D2] many tries at the same moment are many all the same', () => {
  const brake = makeLoginBrake();
  const waits = Array.from({ length: 100 }, () => brake.begin('ann', 5, 1));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
});

test('[D2] success forgets the failures of an account, and one try of an address', () => {
  const brake = makeLoginBrake();
  for (let i = 0; i < 5; i++) brake.begin('ann', 5, 0);
  brake.succeeded('ann');
  expect(brake.begin('ann', 5, 0)).toBe(0);
  for (let i = 0; i < 20; i++) brake.begin('home', 20, 0);
  brake.uncount('home');
  expect(brake.begin('home', 20, 0)).toBe(0);
  expect(brake.begin('home', 20, 0)).toBeGreaterThan(0);
});

test('[D2] a day without a failure forgets them, and no more than so many names are counted', () => {
  const brake = makeLoginBrake({ namesMax: 3 });
  for (let i = 0; i < 5; i++) brake.begin('ann', 5, 0);
  expect(brake.begin('ann', 5, 25 * 60 * MINUTE)).toBe(0);
  for (let i = 0; i < 5; i++) brake.begin('ben', 5, 0);
  for (const name of ['c', 'd', 'e']) brake.begin(name, 5, 0);
  expect(brake.begin('ben', 5, 0)).toBe(0);
});

test('[D2] a name whose only tries were taken back takes no place: it pushes out nobody who guesses', () => {
  const brake = makeLoginBrake({ namesMax: 3 });
  for (let i = 0; i < 5; i++) brake.begin('ben', 5, 0);
  for (let i = 0; i < 100; i++) {
    brake.begin(`busy ${i}`, 5, 0);
    brake.uncount(`busy ${i}`);
  }
  expect(brake.waitMs('ben', 0)).toBe(30_000);
});
