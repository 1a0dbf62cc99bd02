/** The time in which no node served (rule P6), as each of several nodes finds it and tells the others. */

import { type Downtimes, makeDowntimes, makeNodeDowntimes } from '../runtime/downtimes.ts';
import { openDowntimes } from '../runtime/lifetime.ts';
import type { Clock } from '../runtime/ports.ts';
import type { LeaseRow, MemberStore } from '../store/cluster.ts';
import type { Downtime, ServiceStore } from '../store/store.ts';

export interface SharedDowntimes {
  /** As this node charges it: what all know of, and its own stalls besides. */
  readonly ofNode: Downtimes;
  /** Learns what others have found, and what became of the nodes that had a lease as this one began. */
  look(): Promise<void>;
}

type Stores = Pick<ServiceStore, 'lastHeartbeat' | 'listDowntimes' | 'addDowntime'> &
  Pick<MemberStore, 'listLeases'>;

/**
 * Time since the last sign of life, while the leases hold of nodes that may be dead. Whatever is a
 * matter of this node is not charged for it meanwhile.
 */
interface Doubt {
  readonly stretch: Downtime;
  readonly holders: readonly LeaseRow[];
}

/** Where no node has a lease, nobody has served since the last sign of life. */
export async function openSharedDowntimes(
  store: Stores,
  clock: Pick<Clock, 'now'>,
): Promise<SharedDowntimes> {
  const holders = (await store.listLeases()).filter(({ isValid }) => isValid);
  const now = clock.now();
  const all =
    holders.length === 0
      ? await openDowntimes(store, now)
      : makeDowntimes(await store.listDowntimes());
  const ofNode = makeNodeDowntimes(all);
  const lastAlive = Math.max(...holders.map(({ aliveAt }) => aliveAt));
  let doubt: Doubt | null = null;
  if (holders.length > 0 && lastAlive < now) {
    doubt = { stretch: { from: lastAlive, to: now }, holders };
    ofNode.add(doubt.stretch);
  }
  return {
    ofNode,
    async look() {
      if (doubt !== null) {
        const state = stateOf(doubt, await store.listLeases());
        if (state === 'dead') await store.addDowntime(doubt.stretch);
        if (state !== 'unknown') doubt = null;
      }
      for (const each of await store.listDowntimes()) all.add(each);
    },
  };
}

/** One that was heard of again has served all the time; otherwise all are dead once their leases are over. */
function stateOf({ holders }: Doubt, rows: readonly LeaseRow[]): 'alive' | 'dead' | 'unknown' {
  const found = holders.map(({ node, aliveAt }) => {
    const row = rows.find((each) => each.node === node);
    return { isHeard: (row?.aliveAt ?? 0) > aliveAt, isValid: row?.isValid === true };
  });
  if (found.some(({ isHeard }) => isHeard)) return 'alive';
  return found.some(({ isValid }) => isValid) ? 'unknown' : 'dead';
}
