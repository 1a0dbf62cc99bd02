/** The machine's own clock and randomness. */

import { randomBytes } from 'node:crypto';
import type { Clock, Randomness } from './ports.ts';

/**
 * The speed of our clock, of 1, while the machine's clock is behind the last time returned: it was set back, and
 * catches up. If our clock stood still until then, so would every deadline.
 */
const CATCH_UP_PACE = 0.9;

/** Never goes back, because returned times are in logs. Whole milliseconds since 1970. */
export function makeSystemClock(): Clock {
  let latest = 0;
  let lookedAt = performance.now();
  return {
    now() {
      const before = lookedAt;
      lookedAt = performance.now();
      latest = Math.max(Date.now(), latest + (lookedAt - before) * CATCH_UP_PACE);
      return Math.floor(latest);
    },
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Processor time that this process has used, all its threads, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export const systemRandomness: Randomness = { bytes: (count) => randomBytes(count) };

/** A stopwatch: milliseconds since an arbitrary moment, with fractions. */
export function stopwatchMs(): number {
  return performance.now();
}
