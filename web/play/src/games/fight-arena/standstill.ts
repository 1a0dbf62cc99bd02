/** Notices when a fight stands still although it should go on. */

import type { Standstill } from './banner.ts';

export interface Watch {
  /** A picture is due. Answers why nothing moves; null while all is well. */
  look(tick: number, resumesInMs: number | null, now: number): Standstill | null;
}

/** A fight that has not moved for so long waits for somebody. Milliseconds. */
const STALLED_MS = 280;
/** What goes on within this is no standstill: the start, or a server a little ahead of the clock. Milliseconds. */
const SOON_MS = 400;

/** `awayName` tells who is missing, as far as that is known. */
export function makeWatch(awayName: () => string | null): Watch {
  let last = -1;
  let movedAt = 0;
  return {
    look(tick, resumesInMs, now) {
      if (tick !== last || movedAt === 0) {
        last = tick;
        movedAt = now;
      }
      if (resumesInMs !== null && resumesInMs > 0) {
        movedAt = now;
        return resumesInMs > SOON_MS ? { resumesInMs, name: null } : null;
      }
      return now - movedAt > STALLED_MS ? { resumesInMs: null, name: awayName() } : null;
    },
  };
}
