/** How many nodes serve from a store: they have a key for its secrets (decision 0023). */

import type { MemberStore } from '../../store/cluster.ts';
import type { SecretStore, SharedSecretStore } from '../../store/secrets.ts';

/** A shared store lists its nodes; one in a data folder has the process that opened it. */
export type SharableStore = SecretStore &
  Partial<Pick<MemberStore, 'listLeases'> & SharedSecretStore>;

/** For `count` of at least one. */
export function nodesServe(count: number): string {
  return count === 1 ? 'a node serves' : `${count} nodes serve`;
}

/** Nodes with a valid lease. A starting node has none yet; a draining one still serves. */
export async function countServing(store: SharableStore): Promise<number> {
  const leases = (await store.listLeases?.()) ?? [];
  return leases.filter(({ isValid }) => isValid).length;
}
