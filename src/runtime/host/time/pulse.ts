/** Detects stretches in which the process stood still. */

import type { Cancel, Clock } from '../../ports.ts';
import { INTERRUPTION_MS } from './lost-time.ts';

/** How often it beats, in milliseconds. A stall counts from the last beat on. */
const BEAT_MS = 250;
/**
 * A process that used the processor this much during a stall was working: a client may have caused it. A stopped
 * or suspended process uses it for one beat at most.
 */
const BUSY_SHARE = 0.5;
/**
 * Stalls from work that are charged to nobody, in an hour: a limit on what clients can gain from causing them.
 * Milliseconds.
 */
export const BUSY_LOST_MS_MAX = 10_000;
const HOUR_MS = 3_600_000;

export interface Pulse {
  /** Starts beating. Does nothing when it is beating already, or has been stopped. */
  start(): void;
  /**
   * The process is running at time `now`: to be called before anything is decided by the clock, because timers
   * fire before sockets are read when a process resumes.
   */
  check(now: number): void;
  /** Calls the listener at the same moments, so that other sources of lost time can report it. */
  onLook(listener: () => void): void;
  /** The end of the last charged stall, in which clocks went on, ms since 1970; 0 for never. */
  chargedUntil(): number;
  /** Stops: no timer is left, and nothing is reported any more. */
  stop(): void;
}

export interface PulseDeps {
  readonly clock: Clock;
  /** Processor time that the process has used, ms; always 0 where it is not available. */
  busyMs(): number;
  /**
   * Called at once for each stretch without a beat, times in ms since 1970. A clock that leaps forward counts as a
   * stall: nobody could move in the skipped time.
   */
  onStall(from: number, to: number): void;
  /** The same for charged stalls: the process was working, and the hour's allowance was used up. */
  onCharged(from: number, to: number): void;
}

export function makePulse({ clock, busyMs, onStall, onCharged }: PulseDeps): Pulse {
  let state: 'new' | 'beats' | 'stopped' = 'new';
  let seenAt = 0;
  let busyAt = 0;
  let chargedUntil = 0;
  let [leftMs, hourFrom] = [BUSY_LOST_MS_MAX, 0];
  let cancel: Cancel = () => {};
  const listeners: (() => void)[] = [];
  const isCharged = (from: number, to: number): boolean => {
    if (busyMs() - busyAt < (to - from) * BUSY_SHARE) return false;
    if (to - hourFrom >= HOUR_MS) [leftMs, hourFrom] = [BUSY_LOST_MS_MAX, to];
    if (to - from > leftMs) return true;
    leftMs -= to - from;
    return false;
  };
  const check = (now: number): void => {
    if (state !== 'beats') return;
    const from = seenAt;
    seenAt = now;
    if (now - from >= INTERRUPTION_MS) {
      if (isCharged(from, now)) {
        chargedUntil = now;
        onCharged(from, now);
      } else onStall(from, now);
    }
    for (const tell of listeners) tell();
  };
  const beat = (): void => {
    check(clock.now());
    busyAt = busyMs();
    cancel = clock.after(BEAT_MS, beat);
  };
  return {
    start() {
      if (state !== 'new') return;
      state = 'beats';
      seenAt = clock.now();
      busyAt = busyMs();
      cancel = clock.after(BEAT_MS, beat);
    },
    check,
    onLook: (listener) => void listeners.push(listener),
    chargedUntil: () => chargedUntil,
    stop() {
      state = 'stopped';
      cancel();
    },
  };
}
