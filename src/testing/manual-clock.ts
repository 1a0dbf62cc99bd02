/** A clock that stands still until a test advances it. */

import type { Clock } from '../runtime/ports.ts';

export interface ManualClock extends Clock {
  /** Advances the time; timers on the way fire at their own times, in order. */
  advance(ms: number): void;
  /** When the next timer fires, ms since 1970; null if none is set. */
  nextAt(): number | null;
  /** Advances the time without firing, as in a process that was paused. */
  skip(ms: number): void;
}

/** 14 November 2026, 12:00 UTC: any time will do, as long as it is always the same. */
export const MANUAL_CLOCK_START = Date.UTC(2026, 10, 14, 12);

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export function makeManualClock(start: number = MANUAL_CLOCK_START): ManualClock {
  let now = start;
  const timers = new Set<Timer>();
  /** Of simultaneous timers the one set first fires first, because the set keeps their order. */
  const earliest = (): Timer | null => {
    let first: Timer | null = null;
    for (const timer of timers) if (first === null || timer.at < first.at) first = timer;
    return first;
  };
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + Math.max(0, ms), run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    nextAt: () => earliest()?.at ?? null,
    skip(ms) {
      now += ms;
    },
    advance(ms) {
      const end = now + ms;
      for (let next = earliest(); next !== null && next.at <= end; next = earliest()) {
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = Math.max(now, end);
    },
  };
}
