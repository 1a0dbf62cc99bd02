/** Request bodies that keep a server waiting. */

import { expect, test } from 'bun:test';
import { BODY_TIMEOUT_S, watchBodies } from './bodies-under-way.ts';

const ROUND_MS = 2;
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('[PLAT] when too many bodies are awaited the oldest is given up', () => {
  const bodies = watchBodies(2);
  const given: string[] = [];
  const [first] = ['a', 'b'].map((name) => bodies.add(() => given.push(name)));
  bodies.delete(first!);
  for (const name of ['c', 'd', 'e']) bodies.add(() => given.push(name));
  expect(given).toEqual(['b', 'c']);
  bodies.stop();
});

test('[PLAT] a body that does not arrive in time is given up, once', async () => {
  const bodies = watchBodies(10, ROUND_MS);
  const given: string[] = [];
  const here = bodies.add(() => given.push('here'));
  bodies.add(() => given.push('slow'));
  bodies.delete(here);
  expect(given).toEqual([]);
  // Rounds that a busy machine skips are not repeated.
  for (let n = 0; given.length === 0 && n < 200; n++) await pass(BODY_TIMEOUT_S * ROUND_MS);
  await pass(BODY_TIMEOUT_S * ROUND_MS * 2);
  expect(given).toEqual(['slow']);
  bodies.stop();
});
