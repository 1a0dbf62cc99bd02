/** What a process before this one left to be delivered is taken up, however often the store fails first. */

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { systemRandomness } from '../system.ts';
import { type DispatcherDeps, makeDispatcher } from './dispatcher.ts';

test('[E2] webhooks that could not be listed at the start are listed again', async () => {
  const clock = makeManualClock();
  const errors: unknown[] = [];
  let lists = 0;
  const store = {
    onEvents() {},
    async listActiveWebhooks() {
      lists += 1;
      if (lists < 3) throw new Error('the store is away');
      return [];
    },
  };
  const dispatcher = makeDispatcher({
    ...{ store, clock, randomness: systemRandomness, courier: {} },
    onError: (_: unknown, error: unknown) => void errors.push(error),
  } as unknown as DispatcherDeps);
  await dispatcher.start();
  for (const wanted of [2, 3, 3]) {
    clock.advance(1_000);
    await setImmediate();
    expect(lists).toBe(wanted);
  }
  expect(errors).toHaveLength(2);
});
