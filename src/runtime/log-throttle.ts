/** Lines of the log that are written seldom, each with how often their occasion came. */

import type { Clock } from './ports.ts';

/**
 * To be asked at every occasion: how many there were since the last line that was written, this one
 * included, once in `everyMs`; null in between.
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
