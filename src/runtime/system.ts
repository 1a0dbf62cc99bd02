/** The machine's own clock and randomness. */

import { randomBytes } from 'node:crypto';
import type { Clock, Randomness } from './ports.ts';

/**
 * How fast time goes on while the machine's clock is behind what was last told, of 1: it was set back,
 * and catches up. Were time to stand still until then, so would every deadline.
 */
const CATCH_UP_PACE = 0.9;

/** Never goes back: what was told once is in logs. Whole milliseconds since 1970. */
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

/** A stopwatch: milliseconds from some moment on, with fractions. */
export function stopwatchMs(): number {
  return performance.now();
}
