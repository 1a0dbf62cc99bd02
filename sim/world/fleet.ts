/**
 * The parts of a node in a cluster: its membership, its links to the others, and the host on both.
 */

import type { LocalNetwork } from '../../src/bus/local/local-bus.ts';
import { type Cluster, makeCluster } from '../../src/cluster/cluster.ts';
import { makeGathering } from '../../src/cluster/links/gathering.ts';
import { makeLinks } from '../../src/cluster/links/links.ts';
import { makeMembers } from '../../src/cluster/membership/members.ts';
import type { LocalHost } from '../../src/runtime/host/match-host.ts';
import type { Store } from '../../src/store/whole-store.ts';
import type { Life } from '../kernel/life.ts';
import type { SharedStore } from '../store/node-store.ts';
import { simulatedGames } from './games.ts';

/** Requirements of a node in a cluster. */
export interface Fleet {
  readonly shared: SharedStore;
  readonly network: LocalNetwork;
}

export interface FleetDeps extends Fleet {
  readonly id: string;
  readonly life: Life;
  readonly local: LocalHost;
  readonly store: Store;
  readonly failed: (what: string, error: unknown) => void;
}

export interface FleetParts {
  readonly cluster: Cluster;
  /** Nodes that live, this one among them. */
  readonly nodes: () => number;
  readonly isHeld: () => boolean;
}

export function joinFleet(deps: FleetDeps): FleetParts {
  const { id: node, life, local, store, shared, failed } = deps;
  const { clock } = life;
  const onError = (error: unknown): void => failed('cluster', error);
  let suspect: (other: string) => void = () => {};
  const bus = openBus(deps);
  const links = makeLinks({
    node,
    bus,
    mail: shared,
    clock,
    onMailError: onError,
    soon: makeGathering(clock, queueMicrotask),
    onNobody: (other) => suspect(other),
  });
  const members = makeMembers({
    node,
    store: shared,
    clock,
    onError,
    isLostTimeDue: local.isLostTimeDue,
  });
  suspect = members.suspect;
  const cluster = makeCluster({
    node,
    local,
    links,
    members,
    store,
    shared,
    clock,
    onError,
    games: simulatedGames,
    onTakeover() {},
  });
  return { cluster, nodes: () => 1 + members.others().length, isHeld: members.isHeld };
}

/** Bus messages reach a process like everything else: late when it is paused, never when dead. */
function openBus({ id, life, network }: FleetDeps) {
  const bus = network.open(id);
  return {
    ...bus,
    onMessage: (listener: (text: string) => void) =>
      bus.onMessage((text) => life.enter(() => listener(text))),
    onNobody: (listener: (node: string) => void) =>
      bus.onNobody((node) => life.enter(() => listener(node))),
  };
}
