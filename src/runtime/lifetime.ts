/** The process's own heartbeat, and the time in which no process lived (rule P6). */

import type { ServiceStore } from '../store/store.ts';
import type { Downtimes } from './downtimes.ts';
import { makeDowntimes } from './downtimes.ts';

/** Every downtime the store knows, with the one that ends now. */
export async function openDowntimes(
  store: Pick<ServiceStore, 'lastHeartbeat' | 'listDowntimes' | 'addDowntime'>,
  now: number,
): Promise<Downtimes> {
  const lastAlive = await store.lastHeartbeat();
  if (lastAlive !== null && lastAlive < now) await store.addDowntime({ from: lastAlive, to: now });
  return makeDowntimes(await store.listDowntimes());
}
