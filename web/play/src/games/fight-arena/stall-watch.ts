/** Detects when a fight stalls, and whose connection is the cause. */

import type { Stall } from './banner.ts';

export interface StallWatch {
  /** Called for each frame. Returns why the fight stalls; null if it does not. */
  check(tick: number, resumesInMs: number | null, now: number): Stall | null;
}

/** The state of the connections. */
export interface Lines {
  isConnected(): boolean;
  /** The disconnected opponent. */
  awayName(): string | null;
  /** Whether that player has never connected. */
  isAwaited(): boolean;
}

/** A fight that has not moved for this long waits for a player. Milliseconds. */
const STALLED_MS = 280;
/** A pause shorter than this is no stall: the start, or a server a little ahead of the clock. Milliseconds. */
const SOON_MS = 400;
/**
 * For this long a fight that continues without the other player says so; afterwards only the status line does.
 * Milliseconds.
 */
const NOTE_MS = 2_500;

export function makeStallWatch(lines: Lines): StallWatch {
  let last = -1;
  let movedAt = 0;
  let awayAt: number | null = null;
  return {
    check(tick, resumesInMs, now) {
      const name = lines.awayName();
      awayAt = name === null ? null : (awayAt ?? now);
      if (tick !== last || movedAt === 0) {
        last = tick;
        movedAt = now;
      }
      // Without the player's own connection no other cause can be known.
      if (!lines.isConnected()) return now - movedAt > STALLED_MS ? { kind: 'own' } : null;
      if (resumesInMs !== null && resumesInMs > 0) {
        movedAt = now;
        return resumesInMs > SOON_MS ? { kind: 'resumes', inMs: resumesInMs } : null;
      }
      const waits = now - movedAt > STALLED_MS;
      if (name !== null && (waits || now - awayAt! < NOTE_MS))
        return { kind: lines.isAwaited() ? 'awaited' : 'other', name, waits };
      return waits ? { kind: 'silent' } : null;
    },
  };
}
