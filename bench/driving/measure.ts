/** Measures the cost of a span of work: the server's CPU, the driver's own, and the time. */

import { cpuNs } from '../kernel.ts';

const NS_PER_US = 1_000;
const US_PER_MS = 1_000;
const MS_PER_S = 1_000;
/** Work that the server does just after the last response is counted with its cause. */
const SETTLE_MS = 20;

export interface Cost {
  readonly cpuUs: number;
  readonly wallMs: number;
  readonly driverCpuUs: number;
}

export const NO_COST: Cost = { cpuUs: 0, wallMs: 0, driverCpuUs: 0 };

export async function costOf(pid: number, work: () => Promise<void>): Promise<Cost> {
  const driverBefore = process.cpuUsage();
  const cpuBefore = cpuNs(pid);
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const driver = process.cpuUsage(driverBefore);
  await Bun.sleep(SETTLE_MS);
  const cpuUs = (cpuNs(pid) - cpuBefore) / NS_PER_US;
  return { cpuUs, wallMs, driverCpuUs: driver.user + driver.system };
}

export function addCosts(a: Cost, b: Cost): Cost {
  return {
    cpuUs: a.cpuUs + b.cpuUs,
    wallMs: a.wallMs + b.wallMs,
    driverCpuUs: a.driverCpuUs + b.driverCpuUs,
  };
}

export function perSecond(count: number, cost: Cost): number {
  return (count / cost.wallMs) * MS_PER_S;
}

export function coresOf(cost: Cost): { serverCores: number; driverCores: number } {
  const wallUs = cost.wallMs * US_PER_MS;
  return { serverCores: cost.cpuUs / wallUs, driverCores: cost.driverCpuUs / wallUs };
}

/** `share` of the values are at most this. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs `work` for 0 to `count` - 1, at most `atOnce` at a time; stops at the first failure. */
export async function runMany<T>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results = new Array<T>(count);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return results;
}
