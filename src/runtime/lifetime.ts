/** The process's own heartbeat, and the time in which no process lived (rule P6). */

import type { ServiceStore } from '../store/store.ts';
import type { Downtimes } from './downtimes.ts';
import { makeDowntimes } from './downtimes.ts';

export type HeartbeatStore = Pick<
  ServiceStore,
  'lastHeartbeat' | 'pruneHeartbeats' | 'listDowntimes' | 'addDowntime'
>;

/** Every downtime the store knows, with the one that ends now. */
export async function openDowntimes(store: HeartbeatStore, now: number): Promise<Downtimes> {
  await store.pruneHeartbeats(now);
  const lastAlive = await store.lastHeartbeat();
  if (lastAlive !== null && lastAlive < now) await store.addDowntime({ from: lastAlive, to: now });
  return makeDowntimes(await store.listDowntimes());
}
