/** All nodes of a run: started, restarted when they die, and found by clients. */

import {
  type BusFaults,
  type LocalNetwork,
  makeLocalNetwork,
} from '../../src/bus/local/local-bus.ts';
import type { History } from '../check/history.ts';
import { makeOwners, type Owners } from '../check/owners.ts';
import type { Lives } from '../check/past.ts';
import type { Chance } from '../kernel/chance.ts';
import { makeLife } from '../kernel/life.ts';
import type { Timeline } from '../kernel/timeline.ts';
import type { Trace } from '../kernel/trace.ts';
import type { Mutant } from '../mutants/mutant.ts';
import type { Plan } from '../plan.ts';
import type { SimDatabase } from '../store/database.ts';
import { makeSimStore } from '../store/node-store.ts';
import { makeWire, makeWireFaults, type WireFaults } from '../store/wire.ts';
import type { BusSwitches } from './nemesis.ts';
import { type SimNode, startNode } from './node.ts';
import type { Receiver } from './receiver.ts';

export interface CrewDeps {
  readonly plan: Plan;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly trace: Trace;
  readonly database: SimDatabase;
  readonly history: History;
  readonly receiver: Receiver;
  readonly mutant: Mutant | null;
  /** True while no fault separates a node from the store or from the others, or did so recently. */
  readonly isCalm: () => boolean;
}

export interface Crew {
  /** The faults of the connection between each node and the database. */
  readonly wires: readonly WireFaults[];
  readonly bus: BusSwitches | null;
  start(): void;
  nodeAt(place: number): SimNode | null;
  /** A node that listens, by chance. */
  balance(chance: Chance): SimNode | null;
  /** Whether the id belongs to a running process. */
  isUp(id: string): boolean;
  /** Whether a process has a session in its memory. */
  has(id: string, session: string): boolean;
  readonly lives: Lives;
  /** I3 as players see it; notified of each session's owner by its log. */
  readonly owners: Owners;
  /** Players connected to a single process; null if tables have them. */
  present(): ReadonlySet<string> | null;
  /** Faults are over: every connection is good again. */
  heal(): void;
}

/** A process that died is started again within this, ms. */
const RESTART_MS_MAX = 8_000;
/** Some nodes of a cluster are away for so long that the others must continue without them. */
const LONG_GONE_MS = 90_000;
const EXPECTED = /the store did not answer|this node has no lease/;
const SKEW_MS_MAX = 3_000;
const GOOD_BUS: BusFaults = { drop: 0, repeat: 0, delayMinMs: 0, delayMaxMs: 2 };
const BAD_BUS: BusFaults = { drop: 0.2, repeat: 0.1, delayMinMs: 0, delayMaxMs: 300 };

export function makeCrew(deps: CrewDeps): Crew {
  const { plan, chance, timeline, database } = deps;
  const busChance = chance.fork('bus');
  const network = makeLocalNetwork({ after: timeline.after, chance: busChance.fraction });
  network.setFaults(GOOD_BUS);
  const wires = Array.from({ length: plan.nodes }, makeWireFaults);
  const lives = {
    births: new Map<string, number>(),
    deaths: new Map<string, number>(),
    places: new Map<string, number>(),
    ups: new Map<string, number>(),
    ends: new Map<string, number>(),
    signs: database.watch.signs,
  };
  const nodes: (SimNode | null)[] = wires.map(() => null);
  const owners = watchOwners(deps, nodes);
  const begin = (place: number, life: number): void => {
    const again = (): void => {
      nodes[place] = null;
      const by = chance.fork(`restart ${place}/${life}`);
      const hasOthers = nodes.some((node) => node?.isListening() === true);
      const isLong = hasOthers && by.hit(0.3);
      const wait = by.fraction() * RESTART_MS_MAX + (isLong ? LONG_GONE_MS : 0);
      deps.timeline.after(wait, () => begin(place, life + 1));
    };
    lives.births.set(nodeId(place, life), deps.timeline.now());
    lives.places.set(nodeId(place, life), place);
    launch(deps, owners, place, life, wires[place]!, plan.isCluster ? network : null).then(
      (node) => {
        nodes[place] = node;
        deps.trace.note('up', node.id);
        lives.ups.set(node.id, deps.timeline.now());
        node.onDeath((isSudden) => {
          lives.ends.set(node.id, deps.timeline.now());
          if (isSudden) lives.deaths.set(node.id, deps.timeline.now());
          again();
        });
      },
      () => again(),
    );
  };
  return {
    wires,
    lives,
    owners,
    present: () => (plan.isCluster ? null : (nodes[0]?.present ?? new Set())),
    bus: {
      setBad: (isBad) => network.setFaults(isBad ? BAD_BUS : GOOD_BUS),
      setUp(place, isUp) {
        const id = nodes[place]?.id;
        if (id !== undefined) network.setUp(id, isUp);
      },
      setCut(from, to, isCut) {
        const [a, b] = [nodes[from]?.id, nodes[to]?.id];
        if (a !== undefined && b !== undefined) network.setCut(a, b, isCut);
      },
    },
    start() {
      for (const place of wires.keys()) begin(place, 0);
    },
    nodeAt: (place) => nodes[place] ?? null,
    balance(by) {
      const listening = nodes.filter((node) => node?.isListening() === true);
      return listening.length === 0 ? null : by.pick(listening);
    },
    has: (id, session) => nodes.some((node) => node?.id === id && node.has(session)),
    isUp: (id) => nodes.some((node) => node?.id === id && node.life.isAlive()),
    heal() {
      for (const faults of wires) Object.assign(faults, makeWireFaults());
    },
  };
}

/** Each session's owner by its log, compared with what the nodes show. */
function watchOwners(
  { plan, timeline, database: { watch }, history, isCalm }: CrewDeps,
  nodes: readonly (SimNode | null)[],
): Owners {
  const { now } = timeline;
  const nodeOf = (id: string) => nodes.find((node) => node?.id === id) ?? null;
  const isLeased = (id: string) => !plan.isCluster || (watch.leases.get(id) ?? 0) > now();
  return makeOwners({
    now,
    history,
    isCalm,
    isReachable: (id) => isLeased(id) && nodeOf(id)?.isListening() === true,
    hasEnded: (session) => watch.sessions.get(session)?.status === 'ended',
    awakeSince: (id) => nodeOf(id)?.life.awakeSince() ?? now(),
  });
}

function nodeId(place: number, life: number): string {
  return `nod_${place}_${life}`;
}

function launch(
  { plan, timeline, chance, database, history, receiver, mutant }: CrewDeps,
  owners: Owners,
  place: number,
  lifeNumber: number,
  faults: WireFaults,
  network: LocalNetwork | null,
): Promise<SimNode> {
  const id = nodeId(place, lifeNumber);
  const mine = chance.fork(id);
  const skew = plan.faults.includes('skew') ? mine.between(-1, 1) * SKEW_MS_MAX : 0;
  const life = makeLife(timeline, mine.fork('life'), skew);
  const outlivesSender = plan.isCluster;
  const wire = makeWire({ timeline, life, chance: mine.fork('wire'), faults, outlivesSender });
  const clock = plan.isCluster ? life.clock : null;
  const { store, shared, present } = makeSimStore({ database, wire, node: id, clock });
  return startNode({
    place,
    id,
    life,
    randomness: mine.fork('randomness'),
    store: mutant?.store?.(store) ?? store,
    present,
    fleet: network && shared && { shared, network },
    wrapHost: mutant?.host ?? ((host) => host),
    shown: (session, text) => owners.shown(id, session, text),
    sender: receiver.senderOf(life),
    failed(what, error) {
      const text = String((error as Error | undefined)?.message ?? error);
      // A store failure, and a refusal of a node without its lease, is expected; everything else is
      // a bug of ours.
      if (!EXPECTED.test(text)) history.found(`X: ${what}: ${text}`);
    },
  });
}
