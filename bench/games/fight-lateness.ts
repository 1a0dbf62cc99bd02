/** How late ticks are played, and what share of the processor that took: figures of the fight benchmarks. */

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** Milliseconds since 1970, with fractions. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Measured values by the thousand, without a list that grows while it is measured. */
export interface Samples {
  add(value: number): void;
  /** Percentiles of what came since the last call, rounded to two digits. */
  take(): Readonly<Record<'p50' | 'p90' | 'p99' | 'p999' | 'max' | 'count', number>>;
}

export function makeSamples(countMax: number): Samples {
  const values = new Float64Array(countMax);
  let count = 0;
  return {
    add(value) {
      if (count < countMax) values[count++] = value;
    },
    take() {
      const sorted = values.slice(0, count).sort();
      count = 0;
      const at = (part: number): number =>
        hundredths(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
      return {
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        p999: at(0.999),
        max: at(1),
        count: sorted.length,
      };
    },
  };
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Processor time in ms: of the whole process, of its main thread, and what that thread had to wait for a processor. */
export interface Spent {
  readonly processMs: number;
  readonly mainMs: number;
  readonly waitedMs: number;
}

export function spentNow(pid: number = process.pid): Spent {
  const ofThread = (path: string): readonly number[] =>
    readFileSync(path, 'utf8')
      .split(' ')
      .map((field) => Number(field) / 1e6);
  const [mainMs = 0, waitedMs = 0] = ofThread(`/proc/${pid}/task/${pid}/schedstat`);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name, which may have spaces: the 14th and 15th field, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { processMs: (Number(fields[11]) + Number(fields[12])) * 10, mainMs, waitedMs };
}

/** Ms in a second of wall time. */
export function spentSince(before: Spent, after: Spent, seconds: number): Readonly<Spent> {
  return {
    processMs: Math.round((after.processMs - before.processMs) / seconds),
    mainMs: Math.round((after.mainMs - before.mainMs) / seconds),
    waitedMs: Math.round((after.waitedMs - before.waitedMs) / seconds),
  };
}

export function loadNow(): string {
  return loadavg()[0]!.toFixed(1);
}
