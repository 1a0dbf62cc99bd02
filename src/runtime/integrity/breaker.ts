/** A circuit breaker: blocks calls after repeated failures, then lets one through as a probe. */

import type { Clock } from '../ports.ts';

/** Failures in a row that open it. */
const FAILURES_MAX = 5;
/** Open for this long, then one call is let through. */
const OPEN_MS = 30_000;

export interface Breaker {
  /** May a call be made now? After true the caller must report the result. */
  enter(): boolean;
  /** The call ended: did the other side fail? Null when no call was made. */
  leave(hasFailed: boolean | null): void;
}

export function makeBreaker(clock: Pick<Clock, 'now'>): Breaker {
  let failures = 0;
  let openUntil = 0;
  let isProbing = false;
  return {
    enter() {
      if (failures < FAILURES_MAX) return true;
      if (isProbing || clock.now() < openUntil) return false;
      isProbing = true;
      return true;
    },
    leave(hasFailed) {
      isProbing = false;
      if (hasFailed === null) return;
      failures = hasFailed ? failures + 1 : 0;
      if (failures >= FAILURES_MAX) openUntil = clock.now() + OPEN_MS;
    },
  };
}
