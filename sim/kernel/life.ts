/** The life of one process: all inputs of its code go through here. */

import type { Clock } from '../../src/runtime/ports.ts';
import type { Chance } from './chance.ts';
import type { Timeline } from './timeline.ts';

export interface Life {
  /** The process's own clock, which may be wrong, and may be set while it runs. */
  readonly clock: Clock;
  /** Runs some code of the process: now, or when it is no longer paused, or never if it is dead. */
  enter(run: () => void): void;
  /** Its memory is lost, and nothing pending happens any more. */
  kill(): void;
  /** Is paused for that long, then processes everything that arrived meanwhile. */
  pause(ms: number): void;
  /** Sets the machine's clock forward by this much, or back if negative; ms. */
  jump(ms: number): void;
  /** When its last pause ended, ms since 1970; 0 for never. */
  awakeSince(): number;
  isAlive(): boolean;
  isPaused(): boolean;
}

/**
 * Like the service's own clock: after being set back it runs more slowly until it is right, and
 * never goes back.
 */
export const CATCH_UP_PACE = 0.9;

/** `skewMs` is how much its clock is ahead of the true time. */
export function makeLife(timeline: Timeline, chance: Chance, skewMs: number): Life {
  let isDead = false;
  let pausedUntil = 0;
  let aheadMs = skewMs;
  let latest = 0;
  let lookedAt = timeline.now();
  const enter = (run: () => void): void => {
    if (isDead) return;
    const wait = pausedUntil - timeline.now();
    if (wait > 0) timeline.after(wait, () => enter(run));
    else run();
  };
  return {
    clock: {
      now() {
        const before = lookedAt;
        lookedAt = timeline.now();
        latest = Math.max(lookedAt + aheadMs, latest + (lookedAt - before) * CATCH_UP_PACE);
        return Math.floor(latest);
      },
      after(ms, run) {
        let isOff = false;
        const ring = (): void => {
          if (!isOff) run();
        };
        // Timers are never early and rarely exact.
        const cancel = timeline.after(ms + chance.fraction(), () => enter(ring));
        return () => {
          isOff = true;
          cancel();
        };
      },
    },
    enter,
    kill() {
      isDead = true;
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, timeline.now() + ms);
    },
    jump(ms) {
      aheadMs += ms;
    },
    awakeSince: () => Math.min(pausedUntil, timeline.now()),
    isAlive: () => !isDead,
    isPaused: () => timeline.now() < pausedUntil,
  };
}
