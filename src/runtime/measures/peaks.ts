/** The most that was open at once, by day: sampled every few seconds (rule D9). */

import { makeDay } from '../../match/frames/frames.ts';
import type { JournalStore, PeakSample } from '../../store/journal.ts';
import type { Clock } from '../ports.ts';

/** The sampling interval, in milliseconds. Shorter peaks are missed. */
export const PEAK_MS = 10_000;
/** A node's sample counts for this long: it may be slow, and is gone after that. */
const STALE_MS = 3 * PEAK_MS;

export interface Peaks {
  /** To be called every `PEAK_MS`. Rejects when the store fails. */
  sample(): Promise<void>;
}

export function makePeaks(
  store: Pick<JournalStore, 'samplePeaks'>,
  sockets: { counts(): PeakSample['sockets'] },
  clock: Pick<Clock, 'now'>,
  node: string,
): Peaks {
  return {
    async sample() {
      const at = clock.now();
      const day = makeDay(at);
      await store.samplePeaks({
        node,
        at,
        day,
        sockets: sockets.counts(),
        staleBefore: at - STALE_MS,
      });
    },
  };
}
