/** Detects stretches in which the process stood still. */

import type { Cancel, Clock } from '../ports.ts';
import { INTERRUPTION_MS } from './lost-time.ts';

/** How often it beats, in milliseconds. A standstill counts from the last beat on. */
const BEAT_MS = 250;
/**
 * A process that used the processor for so much of a standstill was at work: a client may have caused it.
 * One that was stopped or suspended used it for a beat at most.
 */
const BUSY_SHARE = 0.5;
/** Of standstills at work, in an hour, as much is charged to nobody: what a client can have of them. Milliseconds. */
export const BUSY_LOST_MS_MAX = 10_000;
const HOUR_MS = 3_600_000;

export interface Pulse {
  /** Beats from now on. Does nothing when it beats already, or has been stopped. */
  start(): void;
  /**
   * The process is at work at time `now`: to be called before anything is decided by the clock, as
   * timers ring before sockets are read when a process goes on.
   */
  check(now: number): void;
  /** Calls at the same moments: who else knows of time that is lost says so then. */
  onLook(listener: () => void): void;
  /** Until when clocks went on in the last standstill that was charged, ms since 1970; 0 for never. */
  chargedUntil(): number;
  /** The end: no timer is left, and nothing is noted any more. */
  stop(): void;
}

export interface PulseDeps {
  readonly clock: Clock;
  /** Processor time that the process has used, ms; always 0 where it cannot be told. */
  busyMs(): number;
  /**
   * Told at once of each stretch in which the pulse should have beaten and did not, times in ms since
   * 1970. A clock that leaps forward is the same to it: nobody could move in what it left out.
   */
  onStall(from: number, to: number): void;
  /** The same for those that are charged: the process was at work, and the hour's share was used up. */
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
