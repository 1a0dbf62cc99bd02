/** The time a check may take (rule I2), as something to wait for and as something that aborts. */

import type { Clock } from '../ports.ts';

/** What a check may add to the creation of a session, all of it together. */
export const CHECK_MS = 2_500;

export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Fulfils when the time is up, after what listens to `signal` has been told. */
  readonly passed: Promise<void>;
  /** Ends the wait; harmless when it is over. */
  close(): void;
}

export function openDeadline(clock: Pick<Clock, 'after'>, ms: number): Deadline {
  const controller = new AbortController();
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const close = clock.after(ms, () => {
    controller.abort();
    resolve();
  });
  return { signal: controller.signal, passed, close };
}
