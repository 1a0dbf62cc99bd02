/** What nodes share beside the store: leases, mail, limits and who serves which webhook. */

import type { ClusterStore, WebhookClaimStore } from '../../src/store/cluster.ts';
import type { LimitStore } from '../../src/store/limits.ts';
import type { ServiceStore } from '../../src/store/store.ts';
import type { SharedPresenceStore } from '../../src/store/tickets.ts';
import { type MemoryCluster, makeMemoryCluster } from '../../src/testing/memory-cluster.ts';
import { pruneHeartbeats } from '../../src/testing/memory-heartbeats.ts';
import { makeMemoryLimits } from '../../src/testing/memory-limits.ts';
import type { Timeline } from '../kernel/timeline.ts';
import { makeErasures } from './erasing.ts';
import { isPresent } from './players.ts';
import type { Tables } from './tables.ts';
import * as webhooks from './webhooks.ts';
import type { Wire } from './wire.ts';

/** In the database, whose clock is the true time. */
export interface Shared {
  readonly members: MemoryCluster;
  readonly limits: LimitStore;
  /** When a node's last sign of life was written, ms since 1970: it may have died on its way. */
  readonly signs: ReadonlyMap<string, number>;
  /** By the database's own clock, as over PostgreSQL. */
  pruneHeartbeats(): void;
}

/** Makes leases count for the rows of `tables`. */
export function shareTables(tables: Tables, timeline: Timeline): Shared {
  const clock = { now: () => Math.floor(timeline.now()) };
  const holder = (session: string) => tables.sessions.get(session)?.holder ?? null;
  const hold = (session: string, node: string): void => {
    const kept = tables.sessions.get(session);
    if (kept === undefined || kept.row.status === 'ended') return;
    Object.assign(kept, { holder: node, dueNode: null, claimedBy: node });
    kept.takers.add(node);
  };
  const hasEnded = (session: string) => tables.sessions.get(session)?.row.status === 'ended';
  const heldBy = (node: string): readonly string[] =>
    [...tables.sessions].flatMap(([id, kept]) => (kept.holder === node ? [id] : []));
  const rows = { holder, hasEnded, heldBy, hold, ...makeErasures(tables) };
  const members = makeMemoryCluster(clock, rows);
  tables.isNodeValid = members.isValid;
  tables.isPresenceValid = members.isValid;
  const signs = new Map<string, number>();
  const renewLease: MemoryCluster['renewLease'] = (node, ...lease) => {
    const owesTime = lease[2] === true;
    if (!owesTime) signs.set(node, clock.now());
    tables.heartbeats.set(node, clock.now());
    return members.renewLease(node, ...lease);
  };
  const limits = makeMemoryLimits(members.isValid);
  return {
    ...{ members: { ...members, renewLease }, limits, signs },
    pruneHeartbeats: () => pruneHeartbeats(tables.heartbeats, clock.now()),
  };
}

export type SharedStore = ClusterStore &
  LimitStore &
  Pick<ServiceStore, 'pruneHeartbeats'> &
  WebhookClaimStore &
  Pick<SharedPresenceStore, 'isPresent'>;

/** The same as one node has it, behind its wire. */
export function makeSharedStore(
  { members, limits, pruneHeartbeats: prune }: Shared,
  tables: Tables,
  wire: Wire,
): SharedStore {
  const { isValid: _, ...rows } = members;
  return {
    ...behind(wire, rows),
    ...behind(wire, limits),
    pruneHeartbeats: () => wire.call(prune),
    // Shares are of the nodes that live and stay, whom only the rows of members know.
    claimWebhooks: async (node) => {
      const leases = await members.listLeases();
      const staying = leases.filter(({ isValid, isDraining }) => isValid && !isDraining);
      const part = staying.some((each) => each.node === node) ? 1 / staying.length : 0;
      return wire.call(() => webhooks.claimWebhooks(tables, node, part));
    },
    isPresent: (...player) => wire.call(() => isPresent(tables, ...player)),
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
