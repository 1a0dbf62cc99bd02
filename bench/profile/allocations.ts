/** Bytes allocated: JavaScriptCore's report at each collection, with `BUN_JSC_logGC=1`. */

import type { Span } from '../jobs.ts';
import { isWithin } from './functions.ts';

/** One heap; each thread that runs JavaScript has its own. */
export interface HeapCost {
  readonly bytes: number;
  readonly collections: number;
  /** Collections that did not report how much was allocated since the one before. */
  readonly uncounted: number;
}

interface Collection {
  readonly heap: string;
  readonly atMs: number;
  /** Allocated since the collection before; null where that is not said. */
  readonly bytes: number | null;
}

/** A heap is collected after this many bytes: what falls between a span's ends and a collection is lost. */
const CYCLE_BYTES = 1024 ** 2;

/**
 * Makes a server report its allocations. Nothing may be allocated during a collection, and no timer
 * may collect, because neither would be counted.
 */
export const ALLOCATION_ENV = {
  BUN_JSC_logGC: '1',
  BUN_JSC_gcMaxHeapSize: String(CYCLE_BYTES),
  BUN_JSC_useConcurrentGC: '0',
  BUN_GC_TIMER_DISABLE: '1',
} as const;

const REQUEST = /^Requesting GC because bytes allocated this cycle: (\d+) /;
const COLLECTED = /^\[GC<(0x[0-9a-f]+)>: START /;

export interface AllocationLog {
  /** Takes standard error as it comes. */
  take(text: string): void;
  /** Heaps, the one first that allocated most. */
  within(spans: readonly Span[]): HeapCost[];
}

export function makeAllocationLog(now: () => number): AllocationLog {
  const collections: Collection[] = [];
  let rest = '';
  let requested: number | null = null;
  const takeLine = (line: string): void => {
    const request = REQUEST.exec(line);
    if (request !== null) {
      requested = Number(request[1]);
      return;
    }
    const heap = COLLECTED.exec(line)?.[1];
    if (heap === undefined) return;
    collections.push({ heap, atMs: now(), bytes: requested });
    requested = null;
  };
  return {
    take(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) takeLine(line);
    },
    within: (spans) => heapsOf(collections.filter(({ atMs }) => isWithin(spans, atMs))),
  };
}

function heapsOf(collections: readonly Collection[]): HeapCost[] {
  return [...Map.groupBy(collections, ({ heap }) => heap).values()]
    .map((own) => ({
      bytes: sum(own.map(({ bytes }) => bytes ?? 0)),
      collections: own.length,
      uncounted: own.filter(({ bytes }) => bytes === null).length,
    }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
