/**
 * The cost of tenants' metrics (rule D14): `bun bench/stores/tenant-metrics.ts`. Noting a move, in turns with the
 * same loop without it, and writing a minute of many tenants to SQLite.
 */

import { join } from 'node:path';
import { makeTenantMetrics } from '../../src/runtime/measures/tenant-metrics.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { TenantMetricStore } from '../../src/store/tenant-metrics.ts';
import { makeManualClock } from '../../src/testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { median } from '../report.ts';

const MOVES = 5_000_000;
const ROUNDS = 9;
const TENANTS = [1, 100, 1_000];
const MINUTE_MS = 60_000;

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `ten_${i}`);
const noPlayers = () => [];

/** Nanoseconds of CPU of one call. */
function cpuOf(work: (i: number) => void): number {
  const before = process.cpuUsage();
  for (let i = 0; i < MOVES; i += 1) work(i);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / MOVES;
}

/** What noting a move costs beyond a call that only reads the tenant and the time. Nanoseconds. */
function costOfMove(store: TenantMetricStore, count: number): number {
  const metrics = makeTenantMetrics({ store, clock: makeManualClock(), node: 'node_bench' });
  const ids = idsOf(count);
  let sum = 0;
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = cpuOf((i) => {
      sum += ids[i % count]!.length + (i % 97);
    });
    const noted = cpuOf((i) => metrics.observe(ids[i % count]!, 'live', 'moves', i % 97));
    costs.push(noted - bare);
  }
  if (sum === 0) throw new Error('the bare loop was optimized away');
  return median(costs);
}

/** Milliseconds until a minute of that many tenants is in the store. */
async function timeOfMinute(store: TenantMetricStore, count: number): Promise<number> {
  const clock = makeManualClock();
  const metrics = makeTenantMetrics({ store, clock, node: `node_${count}` });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const id of idsOf(count)) {
      metrics.observe(id, 'live', 'moves', round);
      metrics.request(id, 'live', 200, round);
    }
    clock.advance(MINUTE_MS);
    const began = performance.now();
    await metrics.flush(noPlayers);
    times.push(performance.now() - began);
  }
  return median(times);
}

const folder = makeTempFolder();
const store = await openSqliteStore(join(folder, 'bench.db'));
for (const count of TENANTS) {
  const cost = costOfMove(store, count);
  const minute = await timeOfMinute(store, count);
  console.log(
    `${count} tenants: a move ${cost.toFixed(1)} ns, a minute written in ${minute.toFixed(1)} ms`,
  );
}
await store.close();
removeFolder(folder);
