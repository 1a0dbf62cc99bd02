/** Tells the time in which a process stood still from that in which it served. */

import type { Downtimes } from './downtimes.ts';
import type { Cancel, Clock } from './ports.ts';

/** Whoever was not served for so long is not charged for it. Milliseconds. */
export const STALL_MS = 1_000;
/** How often it beats, in milliseconds. A standstill counts from the last beat on. */
const BEAT_MS = 250;
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
  /** The end: no timer is left, and nothing is noted any more. */
  stop(): void;
}

/**
 * `onStood` is told at once of each stretch in which it should have beaten and did not, times in ms
 * since 1970. A clock that leaps forward is the same to it: nobody could move in what it left out.
 */
export function makePulse(clock: Clock, onStood: (from: number, to: number) => void): Pulse {
  let state: 'new' | 'beats' | 'stopped' = 'new';
  let seenAt = 0;
  let cancel: Cancel = () => {};
  const listeners: (() => void)[] = [];
  const look = (now: number): void => {
    if (state !== 'beats') return;
    const from = seenAt;
    seenAt = now;
    if (now - from >= STALL_MS) onStood(from, now);
    for (const tell of listeners) tell();
  };
  const beat = (): void => {
    look(clock.now());
    cancel = clock.after(BEAT_MS, beat);
  };
  return {
    start() {
      if (state !== 'new') return;
      state = 'beats';
      seenAt = clock.now();
      cancel = clock.after(BEAT_MS, beat);
    },
    look,
    onLook: (listener) => void listeners.push(listener),
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
 * times in ms since 1970. What is answered together, after such a stretch, may come in any order.
 */
export function makeAnswers(onSilent: (from: number, to: number) => void): Answers {
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
      const since = Math.max(from, askedAt);
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
