/** The time in which no node served (rule P6), as each of several nodes finds it and tells the others. */

import { type Downtimes, makeDowntimes, makeNodeDowntimes } from '../runtime/downtimes.ts';
import type { HeartbeatStore } from '../runtime/lifetime.ts';
import type { Clock } from '../runtime/ports.ts';
import type { LeaseRow, MemberStore } from '../store/cluster.ts';
import type { Downtime } from '../store/store.ts';

export interface SharedDowntimes {
  /** As this node charges it: what all know of, and its own stalls besides. */
  readonly ofNode: Downtimes;
  /** Learns what others have found, and what became of the nodes that had a lease as this one began. */
  look(): Promise<void>;
}

type Stores = HeartbeatStore & Pick<MemberStore, 'listLeases'>;

/**
 * Time since the last sign of life, while the leases hold of nodes that may be dead. Whatever is a
 * matter of this node is not charged for it meanwhile.
 */
interface Doubt {
  /** Ends no later than the first sign of life since: the clock of this node may be ahead of the store's. */
  stretch: Downtime;
  readonly holders: readonly LeaseRow[];
}

/** Where no node has a lease, nobody has served since the last sign of life. */
export async function openSharedDowntimes(
  store: Stores,
  clock: Pick<Clock, 'now'>,
): Promise<SharedDowntimes> {
  await store.pruneHeartbeats(clock.now());
  const holders = (await store.listLeases()).filter(({ isValid }) => isValid);
  const now = clock.now();
  const lastAlive = await store.lastHeartbeat();
  const stretch = lastAlive !== null && lastAlive < now ? { from: lastAlive, to: now } : null;
  if (stretch !== null && holders.length === 0) await store.addDowntime(stretch);
  const all = makeDowntimes(await store.listDowntimes());
  const ofNode = makeNodeDowntimes(all);
  // Also where the store believes that it ended earlier, as this node's clock is ahead of it.
  if (stretch !== null) ofNode.add(stretch);
  let doubt: Doubt | null = stretch !== null && holders.length > 0 ? { stretch, holders } : null;
  return {
    ofNode,
    async look() {
      if (doubt !== null) {
        const rows = await store.listLeases();
        const state = stateOf(doubt, rows);
        doubt.stretch = cutAtFirst(doubt.stretch, rows);
        if (state === 'dead') await store.addDowntime(doubt.stretch);
        if (state !== 'unknown') doubt = null;
      }
      for (const each of await store.listDowntimes()) all.add(each);
    },
  };
}

/** The stretch, until the first of the signs of life in it. */
function cutAtFirst({ from, to }: Downtime, rows: readonly LeaseRow[]): Downtime {
  const heard = rows.map(({ aliveAt }) => aliveAt).filter((at) => at > from);
  return { from, to: Math.min(to, ...heard) };
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
