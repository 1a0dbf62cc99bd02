/** Log lines that are written rarely, each with the number of occurrences. */

import type { Clock } from '../ports.ts';

/**
 * To be called at every occurrence: returns how many there were since the last written line, this one included,
 * once in `everyMs`; null in between.
 */
export function makeLogThrottle(clock: Pick<Clock, 'now'>, everyMs: number): () => number | null {
  let nextAt = 0;
  let count = 0;
  return () => {
    count += 1;
    if (clock.now() < nextAt) return null;
    nextAt = clock.now() + everyMs;
    const counted = count;
    count = 0;
    return counted;
  };
}
