/** Readiness with a store that answers late or never. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeReadiness, READY_MS } from './readiness.ts';

function stage() {
  const clock = makeManualClock();
  const pings: PromiseWithResolvers<boolean>[] = [];
  const isReady = makeReadiness(() => {
    pings.push(Promise.withResolvers<boolean>());
    return pings.at(-1)!.promise;
  }, clock);
  return { clock, pings, isReady };
}

test('[F4] parallel checks share one probe, and its result', async () => {
  const { pings, isReady } = stage();
  const answers = [isReady(), isReady(), isReady()];
  expect(pings).toHaveLength(1);
  pings[0]!.resolve(true);
  expect(await Promise.all(answers)).toEqual([true, true, true]);
  const next = isReady();
  expect(pings).toHaveLength(2);
  pings[1]!.resolve(false);
  expect(await next).toBe(false);
  const last = isReady();
  pings[2]!.reject(new Error('away'));
  expect(await last).toBe(false);
});

test('[F4] a late probe means not ready, and delays no later check', async () => {
  const { clock, pings, isReady } = stage();
  const first = isReady();
  clock.advance(READY_MS - 1);
  const second = isReady();
  expect(pings).toHaveLength(1);
  clock.advance(1);
  expect(await Promise.all([first, second])).toEqual([false, false]);
  const third = isReady();
  expect(pings).toHaveLength(2);
  pings[1]!.resolve(true);
  expect(await third).toBe(true);
  // The first gets its answer much later: it is ignored.
  pings[0]!.resolve(true);
  const fourth = isReady();
  expect(pings).toHaveLength(3);
  pings[2]!.resolve(true);
  expect(await fourth).toBe(true);
});
