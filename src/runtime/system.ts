/** The machine's own clock and randomness. */

import { randomBytes } from 'node:crypto';
import type { Clock, Randomness } from './ports.ts';

export function makeSystemClock(): Clock {
  let latest = 0;
  return {
    now() {
      latest = Math.max(latest, Date.now());
      return latest;
    },
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

export const systemRandomness: Randomness = { bytes: (count) => randomBytes(count) };
