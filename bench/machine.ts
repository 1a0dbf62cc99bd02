/** The machine that the benchmark runs on: it belongs next to every figure. */

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

const GIB_BYTES = 1024 ** 3;

/** One line each, ready to be printed. */
export function machineFacts(
  dataDir: string,
  versions: Readonly<Record<string, string>>,
): string[] {
  const [first] = cpus();
  const load = loadavg().map((value) => value.toFixed(2));
  const runtimes = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Date: ${new Date().toISOString()}`,
    `Machine: ${availableParallelism()} cores (${first?.model ?? 'unknown'}), ${(totalmem() / GIB_BYTES).toFixed(1)} GiB, Linux ${release()}, data on ${fileSystemOf(dataDir)}`,
    `Runtimes: ${runtimes.join(', ')}`,
    `Load before the run: ${load.join(' ')}`,
    pinningFact(),
  ];
}

/** The cores for server and driver; null if they cannot be separated. */
export interface Cores {
  readonly server: number;
  readonly driver: number;
}

/** The first two cores this process may use, if `taskset` is there to hold others to them. */
export function pinnedCores(): Cores | null {
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const [server, driver] = parseCpuList(list ?? '');
  if (server === undefined || driver === undefined || Bun.which('taskset') === null) return null;
  return { server, driver };
}

function pinningFact(): string {
  const cores = pinnedCores();
  if (cores === null) return 'Not pinned: taskset or a second core is missing';
  return `Pinned: server to core ${cores.server}, driver to core ${cores.driver}`;
}

/** `0-2,5` is 0, 1, 2 and 5. */
function parseCpuList(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first, last] = range.split('-').map(Number);
    if (first === undefined || Number.isNaN(first)) return [];
    return Array.from({ length: (last ?? first) - first + 1 }, (_, i) => first + i);
  });
}

/** The type of the file system, which decides what a durable commit costs. */
function fileSystemOf(folder: string): string {
  const { stdout, success } = Bun.spawnSync(['stat', '-f', '-c', '%T', folder]);
  return success ? stdout.toString().trim() : 'an unknown file system';
}
