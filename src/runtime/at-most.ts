/** Waiting with a time limit. */

import type { Clock } from './ports.ts';

/** Waits for a promise, but no longer than `ms`. */
export async function atMost(
  clock: Pick<Clock, 'after'>,
  ms: number,
  underWay: Promise<void>,
): Promise<void> {
  const timeUp = Promise.withResolvers<void>();
  const cancel = clock.after(ms, timeUp.resolve);
  // A timer left behind would keep the process alive.
  await Promise.race([underWay, timeUp.promise]).finally(cancel);
}
