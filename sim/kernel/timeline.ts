/** Virtual time: one heap of events, sorted by time and then by order of request. */

import { drainMicrotasks } from 'bun:jsc';
import type { Cancel } from '../../src/runtime/ports.ts';

export interface Timeline {
  /** Milliseconds since 1970, with fractions. */
  now(): number;
  /** Calls `run` once, `ms` from now; everything that it starts is finished before the next event. */
  after(ms: number, run: () => void): Cancel;
  /** Lets events happen until the time `end`, or until `isOver` says so. */
  runUntil(end: number, isOver?: () => boolean): void;
  /** Finishes what was started outside of any event. */
  settle(): void;
  /** Events that have happened. */
  events(): number;
}

/** 14 November 2026, 12:00 UTC. */
export const SIMULATION_START = Date.UTC(2026, 10, 14, 12);

interface Slot {
  readonly at: number;
  readonly order: number;
  /** Null when it was cancelled. */
  run: (() => void) | null;
}

/**
 * Promises settle between two events and nowhere else: the runtime's own queue of them is emptied
 * after each event, so that code with `await` is as repeatable as code with callbacks.
 */
export function makeTimeline(start: number = SIMULATION_START): Timeline {
  const heap: Slot[] = [];
  let now = start;
  let order = 0;
  let events = 0;
  return {
    now: () => now,
    after(ms, run) {
      order += 1;
      const slot: Slot = { at: now + Math.max(0, ms), order, run };
      push(heap, slot);
      return () => {
        slot.run = null;
      };
    },
    runUntil(end, isOver = () => false) {
      drainMicrotasks();
      while (heap.length > 0 && heap[0]!.at <= end && !isOver()) {
        const { at, run } = pop(heap);
        if (run === null) continue;
        now = at;
        events += 1;
        run();
        drainMicrotasks();
      }
      now = Math.max(now, end);
    },
    settle: drainMicrotasks,
    events: () => events,
  };
}

function isBefore(a: Slot, b: Slot): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Slot[], slot: Slot): void {
  let i = heap.length;
  heap.push(slot);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(slot, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = slot;
}

function pop(heap: Slot[]): Slot {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return first;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = last;
  return first;
}
