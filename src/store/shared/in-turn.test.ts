/** Serialized calls: their order, their failures, and that finished calls leave nothing behind. */

import { expect, test } from 'bun:test';
import { makeInTurn } from './in-turn.ts';

test('calls about the same go one after another, also after one that failed; others go on', async () => {
  const turns = makeInTurn();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.run('a', async () => {
    told.push('a1 begins');
    await gate.promise;
    throw new Error('a1');
  });
  const second = turns.run('a', async () => {
    told.push('a2');
    return 2;
  });
  let isSettled = false;
  const settled = turns.settled('a').then(() => {
    isSettled = true;
  });
  expect(await turns.run('b', async () => 'b')).toBe('b');
  expect([told, isSettled]).toEqual([['a1 begins'], false]);
  gate.resolve();
  expect(await first.catch(String)).toBe('Error: a1');
  expect(await second).toBe(2);
  await settled;
  expect(told).toEqual(['a1 begins', 'a2']);
  // A new call does not wait.
  await turns.settled('a');
  expect(await turns.run('a', async () => 3)).toBe(3);
});
