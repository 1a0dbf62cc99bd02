/** Alarms of many matches on one timer. Setting a later one than before costs nothing. */

import type { Cancel, Clock } from './ports.ts';

/** What an alarm is kept on. `alarmAt` belongs to the alarms alone. */
export interface Sleeper {
  alarmAt: number;
}

export interface Alarms<T extends Sleeper> {
  /**
   * Rings for the sleeper at `at` or earlier: an alarm that is already set for an earlier time
   * stays, and whoever is rung looks again. Null asks for nothing new.
   */
  set(sleeper: T, at: number | null): void;
  stop(): void;
}

/** The `alarmAt` of a sleeper without an alarm. */
export const NO_ALARM = Infinity;
/** Longest wait a timer of the runtime can hold; longer ones are taken in steps. */
const TIMER_MS_MAX = 2 ** 31 - 1;

interface Slot<T> {
  readonly at: number;
  readonly sleeper: T;
}

export function makeAlarms<T extends Sleeper>(
  clock: Clock,
  ring: (sleeper: T) => void,
): Alarms<T> {
  const heap: Slot<T>[] = [];
  let timer: { readonly at: number; readonly cancel: Cancel } | null = null;

  const arm = (): void => {
    const at = heap[0]?.at ?? null;
    if (at === null || (timer !== null && timer.at <= at)) return;
    timer?.cancel();
    const wait = Math.min(TIMER_MS_MAX, Math.max(0, at - clock.now()));
    timer = { at, cancel: clock.after(wait, ringDue) };
  };

  const ringDue = (): void => {
    timer = null;
    const now = clock.now();
    for (let head = heap[0]; head !== undefined && head.at <= now; head = heap[0]) {
      pop(heap);
      // A slot that an earlier alarm has overtaken is not this sleeper's any more.
      if (head.sleeper.alarmAt !== head.at) continue;
      head.sleeper.alarmAt = NO_ALARM;
      ring(head.sleeper);
    }
    arm();
  };

  return {
    set(sleeper, at) {
      if (at === null || at >= sleeper.alarmAt) return;
      sleeper.alarmAt = at;
      push(heap, { at, sleeper });
      arm();
    },
    stop() {
      timer?.cancel();
      heap.length = 0;
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
