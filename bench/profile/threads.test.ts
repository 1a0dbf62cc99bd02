/** From readings of /proc to costs by kind of thread. */

import { expect, test } from 'bun:test';
import type { ThreadReading } from './threads.ts';
import { readThreads, threadCosts } from './threads.ts';

const PID = 10;
const idle = { cpuNs: 0, userTicks: 0, kernelTicks: 0, waits: 0, interruptions: 0 };

function reading(id: number, name: string, more: Partial<ThreadReading> = {}): ThreadReading {
  return { id, name, ...idle, ...more };
}

test('[BENCH] CPU is summed by kind of thread, and parted by the ticks in the kernel', () => {
  const before = [reading(PID, 'bun', { cpuNs: 500 }), reading(11, 'JITWorker')];
  const after = [
    reading(PID, 'bun', { cpuNs: 4_500, userTicks: 3, kernelTicks: 1, waits: 2 }),
    reading(11, 'JITWorker', { cpuNs: 1_000 }),
    reading(12, 'JITWorker', { cpuNs: 2_000, userTicks: 1 }),
  ];
  expect(threadCosts(PID, before, after)).toEqual([
    { kind: 'main', cpuUs: 4, kernelUs: 1, waits: 2, interruptions: 0 },
    { kind: 'compilers', cpuUs: 3, kernelUs: 0, waits: 0, interruptions: 0 },
  ]);
});

test('[BENCH] the threads of this process are read with its CPU', () => {
  const main = readThreads(process.pid).find(({ id }) => id === process.pid);
  expect(main?.cpuNs).toBeGreaterThan(0);
  expect(main?.waits).toBeGreaterThanOrEqual(0);
});
