/** When the process before this one was last alive. */

import type { ServiceStore } from '../store/store.ts';

export type HeartbeatStore = Pick<ServiceStore, 'lastHeartbeat' | 'pruneHeartbeats'>;

/**
 * The last sign of life of any process before `now`, ms since 1970; null on the first start. What a clock
 * left that ran ahead is removed.
 */
export async function readLastSign(store: HeartbeatStore, now: number): Promise<number | null> {
  await store.pruneHeartbeats(now);
  return store.lastHeartbeat();
}
