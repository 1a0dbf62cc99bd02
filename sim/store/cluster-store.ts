/** What nodes share beside the store: leases, mail, limits and who serves which webhook. */

import type { ClusterStore, WebhookClaimStore } from '../../src/store/cluster.ts';
import type { LimitStore } from '../../src/store/limits.ts';
import { type MemoryCluster, makeMemoryCluster } from '../../src/testing/memory-cluster.ts';
import { makeMemoryLimits } from '../../src/testing/memory-limits.ts';
import type { Timeline } from '../kernel/timeline.ts';
import type { Tables } from './tables.ts';
import * as webhooks from './webhooks.ts';
import type { Wire } from './wire.ts';

/** In the database, whose clock is the true time. */
export interface Shared {
  readonly members: MemoryCluster;
  readonly limits: LimitStore;
}

/** Makes leases count for the rows of `tables`. */
export function shareTables(tables: Tables, timeline: Timeline): Shared {
  const clock = { now: () => Math.floor(timeline.now()) };
  const holder = (session: string) => tables.sessions.get(session)?.holder ?? null;
  const members = makeMemoryCluster(clock, holder);
  tables.isNodeValid = members.isValid;
  tables.isPresenceValid = members.isValid;
  return { members, limits: makeMemoryLimits(members.isValid) };
}

export type SharedStore = ClusterStore & LimitStore & WebhookClaimStore;

/** The same as one node has it, behind its wire. */
export function makeSharedStore(
  { members, limits }: Shared,
  tables: Tables,
  wire: Wire,
): SharedStore {
  const { isValid: _, ...rows } = members;
  return {
    ...behind(wire, rows),
    ...behind(wire, limits),
    // Shares are of the nodes that live, whom only the rows of members know.
    claimWebhooks: async (node) => {
      const nodes = (await members.listLeases()).filter(({ isValid }) => isValid).length;
      return wire.call(() => webhooks.claimWebhooks(tables, node, nodes));
    },
    releaseWebhooks: (node, ids) => wire.call(() => webhooks.releaseWebhooks(tables, node, ids)),
  };
}

/** Every call of a port, each one step at the other end. */
function behind<T extends object>(wire: Wire, port: T): T {
  const calls = Object.entries(port).map(([name, act]) => [
    name,
    async (...args: unknown[]) => wire.call(() => act(...args)),
  ]);
  return Object.fromEntries(calls) as T;
}
