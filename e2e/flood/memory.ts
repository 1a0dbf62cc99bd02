/** The service's memory under a flood, by the system and by its own heap. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1_024 * 1_024;
const PRELOAD = join(import.meta.dirname, 'heap-report.ts');

/** Options with which the service writes its heap into `file`. */
export function heapEnv(file: string): Record<string, string> {
  return { BUN_OPTIONS: `--preload=${PRELOAD}`, FLOOD_HEAP_FILE: file };
}

export interface MemorySample {
  /** Resident, MiB. */
  readonly rssMib: number;
  /** Live objects of JavaScript after a collection, MiB; null before the first report. */
  readonly heapMib: number | null;
  /** Their memory outside the heap, MiB. */
  readonly extraMib: number | null;
  readonly objects: number | null;
}

/** Now, of process `pid`; its last report of its heap is some seconds old at most. */
export function sampleMemory(pid: number, heapFile: string): MemorySample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rssMib = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
  const text = existsSync(heapFile) ? readFileSync(heapFile, 'utf8').trimEnd() : '';
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (last === '') return { rssMib, heapMib: null, extraMib: null, objects: null };
  const { heapSize, extraMemorySize, objectCount } = JSON.parse(last) as Record<string, number>;
  return {
    rssMib,
    heapMib: Math.round(heapSize! / MIB),
    extraMib: Math.round(extraMemorySize! / MIB),
    objects: objectCount!,
  };
}
