/** Tells the time in which a process stood still from that in which it served. */

import type { Downtimes } from './downtimes.ts';
import type { Cancel, Clock } from './ports.ts';

/** Whoever was not served for so long is not charged for it. Milliseconds. */
export const STALL_MS = 1_000;
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
/** Answers so shortly after each other come together, ms. */
const TOGETHER_MS = 250;

export interface Pulse {
  /** Beats from now on. Does nothing when it beats already, or has been stopped. */
  start(): void;
  /**
   * The process is at work at time `now`: to be called before anything is decided by the clock, as
   * timers ring before sockets are read when a process goes on.
   */
  look(now: number): void;
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
  onStood(from: number, to: number): void;
  /** The same for those that are charged: the process was at work, and the hour's share was used up. */
  onCharged(from: number, to: number): void;
}

export function makePulse({ clock, busyMs, onStood, onCharged }: PulseDeps): Pulse {
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
  const look = (now: number): void => {
    if (state !== 'beats') return;
    const from = seenAt;
    seenAt = now;
    if (now - from >= STALL_MS) {
      if (isCharged(from, now)) {
        chargedUntil = now;
        onCharged(from, now);
      } else onStood(from, now);
    }
    for (const tell of listeners) tell();
  };
  const beat = (): void => {
    look(clock.now());
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
    look,
    onLook: (listener) => void listeners.push(listener),
    chargedUntil: () => chargedUntil,
    stop() {
      state = 'stopped';
      cancel();
    },
  };
}

/** Tells the time in which the store answered nobody from that in which it was slow to answer one. */
export interface Answers {
  /**
   * A commit that was sent at `askedAt` is answered `now`. `isSure`: the store has done it or refused
   * it, and so is in service.
   */
  answered(askedAt: number, now: number, isSure: boolean): void;
  /** When it was last sure to be in service, ms since 1970; 0 for never. */
  sureAt(): number;
}

/**
 * `onSilent` is told of each stretch of over a second in which somebody waited and nobody was answered,
 * times in ms since 1970. What is answered together, after such a stretch, may come in any order. Answers
 * that came in a standstill that is charged are heard after it: that is no silence.
 */
export function makeAnswers(
  pulse: Pick<Pulse, 'chargedUntil'>,
  onSilent: (from: number, to: number) => void,
): Answers {
  let lastAt = 0;
  /** The last stretch without an answer. */
  let silence = { from: 0, to: 0 };
  return {
    sureAt: () => lastAt,
    answered(askedAt, now, isSure) {
      const { from, to } = now - lastAt > TOGETHER_MS ? { from: lastAt, to: now } : silence;
      if (isSure) {
        silence = { from, to };
        lastAt = now;
      }
      const since = Math.max(from, askedAt, pulse.chargedUntil());
      if (to - since >= STALL_MS) onSilent(since, to);
    },
  };
}

export interface StallDeps {
  readonly downtimes: Pick<Downtimes, 'lostBetween'>;
  onStall(from: number, to: number): void;
}

/** Nobody was served between these times: where that is long and not known yet, it is told. */
export function noteStall({ downtimes, onStall }: StallDeps, from: number, to: number): void {
  if (to - from < STALL_MS) return;
  // Many wait for the same stall: it is told once.
  const newlyLost = to - from - downtimes.lostBetween(from, to);
  if (newlyLost >= STALL_MS) onStall(from, to);
}
