/** The kernel's figures for a process: CPU time of all its threads and its memory. */

import { readdirSync, readFileSync } from 'node:fs';

const KIB_BYTES = 1024;

/**
 * Nanoseconds of CPU, user and system, that the threads now alive in a process have used.
 * A thread that ends takes its time with it, so readings are compared only over short spans.
 */
export function cpuNs(pid: number): number {
  return sumOfThreads(pid, () => true);
}

/** Of that, the time of threads that compile JavaScript. */
export function compileNs(pid: number): number {
  return sumOfThreads(pid, (name) => name === 'JITWorker');
}

function sumOfThreads(pid: number, isMeant: (name: string) => boolean): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    if (!isMeant(readOrEmpty(`${folder}/comm`).trim())) continue;
    sum += Number(readOrEmpty(`${folder}/schedstat`).split(' ')[0]);
  }
  return sum;
}

/** A process's memory in bytes. */
export interface Memory {
  /** Everything resident: what tools show as RSS. */
  readonly residentBytes: number;
  /** The part of it that is the process's own, without mapped files. */
  readonly anonymousBytes: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * KIB_BYTES;
  return { residentBytes: field('VmRSS'), anonymousBytes: field('RssAnon') };
}

/** A thread may end between the listing and the reading. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
