/** The time limit of a check (rule I2), as a promise and as an abort signal. */

import type { Clock } from '../ports.ts';

/** The time that a check may add to the creation of a session, in all. */
export const CHECK_MS = 2_500;

export interface Deadline {
  /** Aborts at the time limit. */
  readonly signal: AbortSignal;
  /** Resolves at the time limit, after the listeners of `signal`. */
  readonly passed: Promise<void>;
  /** Ends the wait; harmless afterwards. */
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
