/** How often the store is asked for its counts. */

import { expect, test } from 'bun:test';
import type { Census } from '../../store/census.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeCensusTaker } from './census.ts';

const countOf = (n: number): Census => ({
  sessions: [{ game: 'ludo', mode: 'live', status: 'active', n }],
  waiting: [],
});

test('[METRICS] counts are taken at most every 15 s, and take at most a hundredth of the time', async () => {
  const clock = makeManualClock();
  let asked = 0;
  let tookMs = 0;
  const taker = makeCensusTaker(
    {
      async takeCensus() {
        asked += 1;
        clock.skip(tookMs);
        return countOf(asked);
      },
    },
    clock,
  );
  expect(await taker.latest()).toEqual(countOf(1));
  clock.advance(14_999);
  expect(await taker.latest()).toEqual(countOf(1));
  tookMs = 1_000;
  clock.advance(1);
  expect(await taker.latest()).toEqual(countOf(2));
  // It took a second: the next one is due after a hundred seconds.
  clock.advance(99_999);
  expect(await taker.latest()).toEqual(countOf(2));
  clock.advance(1);
  expect(await taker.latest()).toEqual(countOf(3));
});

test('[METRICS] a scrape waits a second for a slow store, and not at all for a second concurrent scrape', async () => {
  const clock = makeManualClock();
  let asked = 0;
  const slow = Promise.withResolvers<Census>();
  const takeCensus = (): Promise<Census> => {
    asked += 1;
    return slow.promise;
  };
  const taker = makeCensusTaker({ takeCensus }, clock);
  const scrapes = [taker.latest(), taker.latest()];
  clock.advance(1_000);
  expect(await Promise.all(scrapes)).toEqual([null, null]);
  expect(asked).toBe(1);
  slow.resolve(countOf(7));
  await slow.promise;
  expect(await taker.latest()).toEqual(countOf(7));
});

test('[METRICS] while the store is unavailable the last counts remain', async () => {
  const clock = makeManualClock();
  let isAway = false;
  const takeCensus = async (): Promise<Census> => {
    if (isAway) throw new Error('away');
    return countOf(5);
  };
  const taker = makeCensusTaker({ takeCensus }, clock);
  expect(await taker.latest()).toEqual(countOf(5));
  isAway = true;
  clock.advance(20_000);
  expect(await taker.latest()).toEqual(countOf(5));
});
