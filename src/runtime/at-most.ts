/** Waiting with an end. */

import type { Clock } from './ports.ts';

/** Waits for something, and no longer than so many ms. */
export async function atMost(
  clock: Pick<Clock, 'after'>,
  ms: number,
  underWay: Promise<void>,
): Promise<void> {
  const timeUp = Promise.withResolvers<void>();
  const cancel = clock.after(ms, timeUp.resolve);
  // A timer that is left would hold the process.
  await Promise.race([underWay, timeUp.promise]).finally(cancel);
}
