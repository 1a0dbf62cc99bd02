/** On a quiet node a message is sent at once, on a busy one with others. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { GATHER_MS, makeGathering } from './gathering.ts';

test('[LINK] the first message after a quiet time is sent at once, later ones wait for their batch', () => {
  const clock = makeManualClock();
  const sent: number[] = [];
  const soon = makeGathering(clock, (act) => act());
  const start = clock.now();
  const send = (): void => soon(() => void sent.push(clock.now() - start));
  send();
  expect(sent).toEqual([0]);
  send();
  expect(sent).toEqual([0]);
  clock.advance(GATHER_MS);
  expect(sent).toEqual([0, GATHER_MS]);
  clock.advance(1);
  send();
  clock.advance(GATHER_MS - 2);
  expect(sent.length).toBe(2);
  clock.advance(1);
  expect(sent).toEqual([0, GATHER_MS, 2 * GATHER_MS]);
  clock.advance(10);
  send();
  expect(sent.at(-1)).toBe(2 * GATHER_MS + 10);
});
