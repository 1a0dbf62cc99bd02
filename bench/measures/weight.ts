/** The size of matchd, in memory and on disk, and when it is idle. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '../kernel.ts';
import { cpuNs, memoryOf } from '../kernel.ts';
import type { MatchdServer } from '../matchd-server.ts';

export interface Weight extends Memory {
  /** All files of the data directory: the database and its write-ahead log. */
  readonly diskBytes: number;
}

/**
 * A server is idle if it used almost no CPU and kept its size in several consecutive samples. Idle
 * matches leave memory some time after their last socket, so this takes a while.
 */
const LOOK_EVERY_MS = 5_000;
const POLLS_MAX = 60;
const LOOKS_AT_REST = 4;
const CPU_SHARE_MAX = 0.02;
const GROWTH_SHARE_MAX = 0.01;
const NS_PER_MS = 1e6;

export function weigh({ pid, dataDir }: MatchdServer): Weight {
  return { ...memoryOf(pid), diskBytes: folderBytes(dataDir) };
}

/** Weighs when the server is at rest, at the latest after five minutes. */
export async function weighAtRest(server: MatchdServer): Promise<Weight> {
  let weight = weigh(server);
  let cpu = cpuNs(server.pid);
  for (let look = 0, calm = 0; look < POLLS_MAX && calm < LOOKS_AT_REST; look++) {
    await Bun.sleep(LOOK_EVERY_MS);
    const next = weigh(server);
    const nextCpu = cpuNs(server.pid);
    const grown = Math.abs(next.residentBytes - weight.residentBytes) / weight.residentBytes;
    const share = (nextCpu - cpu) / (LOOK_EVERY_MS * NS_PER_MS);
    calm = share < CPU_SHARE_MAX && grown < GROWTH_SHARE_MAX ? calm + 1 : 0;
    weight = next;
    cpu = nextCpu;
  }
  return weight;
}

function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
