/** Alarms of many matches on one timer. Setting a later one than before costs nothing. */

import type { Cancel, Clock } from '../../ports.ts';

/** An object with an alarm. Only this file changes `alarmAt`. */
export interface Sleeper {
  alarmAt: number;
}

export interface Alarms<T extends Sleeper> {
  /**
   * Rings for the sleeper at `at` or earlier: an alarm that is already set for an earlier time stays, and the
   * sleeper checks again. Null sets nothing.
   */
  set(sleeper: T, at: number | null): void;
  /** Cancels the sleeper's alarm, so that nothing here holds a reference to it. */
  clear(sleeper: T): void;
  /** The clock leapt forward: alarms are due before the timer fires. */
  leapt(): void;
  /** No alarm rings any more, nor can one be set. */
  stop(): void;
}

/** The `alarmAt` of a sleeper without an alarm. */
export const NO_ALARM = Infinity;
/** The longest wait that a timer of the runtime supports; longer ones are taken in steps. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** Cancelled slots above which the heap is cleaned. */
const STALE_MIN = 64;

interface Slot<T> {
  readonly at: number;
  readonly sleeper: T;
}

/** `ring` must not throw. */
export function makeAlarms<T extends Sleeper>(clock: Clock, ring: (sleeper: T) => void): Alarms<T> {
  let heap: Slot<T>[] = [];
  /** Slots in the heap whose alarm was cancelled or replaced by an earlier one. */
  let stale = 0;
  let timer: { readonly at: number; readonly cancel: Cancel } | null = null;
  let isStopped = false;

  const arm = (): void => {
    const at = heap[0]?.at ?? null;
    if (at === null || isStopped || (timer !== null && timer.at <= at)) return;
    timer?.cancel();
    const wait = Math.min(TIMER_MS_MAX, Math.max(0, at - clock.now()));
    timer = { at, cancel: clock.after(wait, ringDue) };
  };

  const takeDue = (): T[] => {
    const due: T[] = [];
    const now = clock.now();
    for (let head = heap[0]; head !== undefined && head.at <= now; head = heap[0]) {
      pop(heap);
      if (head.sleeper.alarmAt === head.at) {
        head.sleeper.alarmAt = NO_ALARM;
        due.push(head.sleeper);
      } else stale -= 1;
    }
    return due;
  };

  const ringDue = (): void => {
    timer = null;
    // Removed before ringing: a sleeper that sets an alarm for now rings in a later turn. One that cannot be served
    // yet would otherwise ring forever.
    for (const sleeper of takeDue()) ring(sleeper);
    arm();
  };

  /** The sleeper's slot stays in the heap, and too many of them would use too much memory. */
  const leaveSlot = (sleeper: T): void => {
    if (sleeper.alarmAt === NO_ALARM) return;
    sleeper.alarmAt = NO_ALARM;
    stale += 1;
    if (stale < STALE_MIN || stale * 2 < heap.length) return;
    const kept = heap.filter((slot) => slot.sleeper.alarmAt === slot.at);
    heap = [];
    for (const slot of kept) push(heap, slot);
    stale = 0;
  };

  return {
    set(sleeper, at) {
      if (at === null || at >= sleeper.alarmAt || isStopped) return;
      leaveSlot(sleeper);
      sleeper.alarmAt = at;
      push(heap, { at, sleeper });
      arm();
    },
    clear: leaveSlot,
    leapt() {
      timer?.cancel();
      timer = null;
      arm();
    },
    stop() {
      isStopped = true;
      timer?.cancel();
      heap = [];
    },
  };
}

function push<T>(heap: Slot<T>[], slot: Slot<T>): void {
  let i = heap.length;
  heap.push(slot);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (heap[parent]!.at <= slot.at) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = slot;
}

function pop<T>(heap: Slot<T>[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child += 1;
    if (heap[child]!.at >= last.at) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = last;
}
