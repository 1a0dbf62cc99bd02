/** Serialized use of one connection. */

import { expect, test } from 'bun:test';
import { makeGate } from './gate.ts';

const pause = () => new Promise(setImmediate);

test('[STORE-SQ6] writes are serialized, and no read sees one half done', async () => {
  const gate = makeGate();
  const steps: string[] = [];
  const write = (name: string) =>
    gate.write(async () => {
      steps.push(`${name} begins`);
      await pause();
      steps.push(`${name} ends`);
    });
  const read = (name: string) => gate.read(() => void steps.push(name));
  await Promise.all([read('early'), write('one'), read('late'), write('two')]);
  expect(steps).toEqual(['early', 'one begins', 'one ends', 'two begins', 'two ends', 'late']);
});

test('[STORE-SQ6] a failed write does not block the next', async () => {
  const gate = makeGate();
  const failed = gate.write(() => Promise.reject(new Error('refused')));
  await expect(failed).rejects.toThrow('refused');
  expect(await gate.read(() => 1)).toBe(1);
  expect(await gate.write(async () => 2)).toBe(2);
});
