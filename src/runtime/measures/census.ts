/** The store's counts for metrics: cached for a while, and bounded in cost. */

import type { Census, CensusStore } from '../../store/census.ts';
import type { Clock } from '../ports.ts';

/** Counts are taken at most this often. Milliseconds. */
const FRESH_MS = 15_000;
/** Counting takes at most this part of the time. */
const SHARE = 0.01;
/** A scrape waits at most this long for new counts. Milliseconds. */
const WAIT_MS = 1_000;

export interface Taker<T> {
  /** The latest counts, refreshed if they are old; null before the first. Never rejects. */
  latest(): Promise<T | null>;
}

export type CensusTaker = Taker<Census>;

export function makeCensusTaker(store: CensusStore, clock: Clock): CensusTaker {
  return makeTaker(() => store.takeCensus(), clock);
}

export function makeTaker<T>(takeAll: () => Promise<T>, clock: Clock): Taker<T> {
  let latest: T | null = null;
  let nextAt = 0;
  let underWay: Promise<void> | null = null;
  const take = async (): Promise<void> => {
    const from = clock.now();
    try {
      latest = await takeAll();
    } catch {
      // The store is unavailable: the last counts stay until it is back.
    }
    const to = clock.now();
    nextAt = to + Math.max(FRESH_MS, (to - from) / SHARE);
    underWay = null;
  };
  return {
    async latest() {
      if (underWay === null && clock.now() >= nextAt) underWay = take();
      if (underWay !== null) {
        const timeUp = Promise.withResolvers<void>();
        const cancel = clock.after(WAIT_MS, timeUp.resolve);
        await Promise.race([underWay, timeUp.promise]).finally(cancel);
      }
      return latest;
    },
  };
}
