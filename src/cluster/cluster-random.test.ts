/**
 * Random histories of several nodes: the invariants hold, whatever the bus, the store and the
 * processes do.
 */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeRandom } from '../../game/src/random.ts';
import { NO_FAULTS } from '../bus/local/local-bus.ts';
import { shippedGames } from '../games/registry.ts';
import { foldSession } from '../match/evolve.ts';
import type { Entry } from '../match/record.ts';
import { withAnswer } from '../runtime/host/answers.ts';
import type { Subscriber } from '../runtime/host/work.ts';
import type { MatchCommit } from '../store/store.ts';
import {
  type ClusterNode,
  type ClusterWorld,
  openClusterWorld,
} from '../testing/cluster/cluster-world.ts';
import { type CommitFault, release } from '../testing/faulty-store.ts';
import { createSession, type SeenFrame, type World } from '../testing/matches/match-world.ts';
import { testRuns } from '../testing/test-runs.ts';
import { TEST_SEED } from '../testing/test-seed.ts';

const IDS = ['ses_random1', 'ses_random2'] as const;
const SETUP = { turnTimeoutMs: 20_000, disconnectGraceMs: 15_000 };
const PENDING_MS = 120_000;
const NODES_MAX = 3;
/** Broken links are given up, leases are renewed, and missed events are read again. */
const HEAL_MS = 12_000;

type Deed =
  | { readonly do: 'move'; readonly match: number; readonly seat: number; readonly pick: number }
  | { readonly do: 'repeat'; readonly match: number; readonly seat: number; readonly pick: number }
  | { readonly do: 'come'; readonly match: number; readonly viewer: number | null; node: number }
  | { readonly do: 'go'; readonly pick: number }
  | { readonly do: 'fault'; readonly fault: CommitFault; readonly node: number }
  | { readonly do: 'bus'; readonly drop: number; readonly repeat: number; readonly delayMs: number }
  | { readonly do: 'cut'; readonly node: number; readonly isUp: boolean }
  | { readonly do: 'kill' | 'stop' | 'goOn' | 'release' | 'drain'; readonly node: number }
  | { readonly do: 'pass'; readonly ms: number };

const anyNode = fc.nat(NODES_MAX - 1);
const anyMove = { match: fc.nat(IDS.length - 1), seat: fc.nat(1), pick: fc.nat(8) };
const deed = <K extends Deed['do']>(name: K, fields: object): fc.Arbitrary<Deed> =>
  fc.record({ do: fc.constant(name), ...fields }) as never;

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 30, arbitrary: deed('move', anyMove) },
  { weight: 8, arbitrary: deed('repeat', anyMove) },
  {
    weight: 12,
    arbitrary: deed('come', {
      match: anyMove.match,
      viewer: fc.constantFrom(0, 1, 0, 1, null),
      node: anyNode,
    }),
  },
  { weight: 4, arbitrary: deed('go', { pick: fc.nat(9) }) },
  {
    weight: 6,
    arbitrary: deed('fault', {
      fault: fc.constantFrom('unknown_committed', 'unknown_lost', 'conflict', 'held'),
      node: anyNode,
    }),
  },
  { weight: 4, arbitrary: deed('release', { node: anyNode }) },
  {
    weight: 5,
    arbitrary: deed('bus', {
      drop: fc.constantFrom(0, 0.1, 0.5),
      repeat: fc.constantFrom(0, 0.2),
      delayMs: fc.constantFrom(0, 5, 200),
    }),
  },
  { weight: 3, arbitrary: deed('cut', { node: anyNode, isUp: fc.boolean() }) },
  { weight: 2, arbitrary: deed('kill', { node: anyNode }) },
  { weight: 3, arbitrary: deed('stop', { node: anyNode }) },
  { weight: 5, arbitrary: deed('goOn', { node: anyNode }) },
  { weight: 1, arbitrary: deed('drain', { node: anyNode }) },
  { weight: 20, arbitrary: deed('pass', { ms: fc.constantFrom(10, 10, 50, 500, 3_000, 7_000) }) },
);

interface Client {
  readonly match: number;
  readonly node: ClusterNode;
  readonly subscriber: Subscriber;
  /** Version of the last frame it was shown; null until it is shown a whole state. */
  shown: number | null;
  isGone: boolean;
}

interface Sent {
  readonly seat: number;
  readonly id: string;
  readonly position: number;
}

interface Life {
  readonly world: ClusterWorld;
  readonly clients: Client[];
  readonly sent: Sent[][];
  readonly acks: { readonly match: number; readonly text: string; readonly v: number }[];
  /** Which node wrote each record, by session. */
  readonly writers: Map<string, string[]>;
  /** Nodes that are leaving. */
  readonly retired: Set<ClusterNode>;
  commands: number;
  started: number;
}

/** Notes who writes what, when it is written. */
function noteWriter(life: Life, name: string, { session, entries }: MatchCommit): void {
  const writers = life.writers.get(session) ?? [];
  life.writers.set(session, writers);
  for (const { v } of entries) writers[v] = name;
}

async function startNode(life: Life): Promise<ClusterNode> {
  life.started += 1;
  return life.world.start(`nod_${life.started}`);
}

async function begin(chance: () => number): Promise<Life> {
  const life: Life = {
    world: openClusterWorld(chance, (name, commit) => noteWriter(life, name, commit)),
    clients: [],
    sent: IDS.map(() => []),
    acks: [],
    writers: new Map(),
    retired: new Set(),
    commands: 0,
    started: 0,
  };
  for (let i = 0; i < NODES_MAX; i++) await startNode(life);
  await life.world.pass(1_000);
  for (const [match, id] of IDS.entries()) {
    const node = nodeOf(life, match);
    const asWorld = { clock: life.world.clock, kept: node.store, host: node.local };
    await createSession({ ...asWorld, node: node.name } as unknown as World, id, {
      setup: { ...SETUP, expiresAt: life.world.clock.now() + PENDING_MS },
    });
    life.writers.set(id, [node.name]);
  }
  return life;
}

function nodeOf({ world }: Life, pick: number): ClusterNode {
  return world.nodes[pick % world.nodes.length]!;
}

function come(life: Life, match: number, viewer: number | null, node: ClusterNode): void {
  const id = IDS[match]!;
  const show = (): void =>
    node.host.attach(id, subscriber, ({ kind }) => {
      if (client.isGone) node.host.detach(id, subscriber);
      // As in the socket service: the socket is closed, and the client reconnects.
      else if (kind !== 'done') client.isGone = true;
      else if (!node.host.askState(id, subscriber)) {
        subscriber.send(node.host.stateFor(id, viewer));
      }
    });
  const subscriber: Subscriber = {
    viewer,
    player: null,
    send(texts, answer) {
      for (const text of withAnswer(1, texts, answer))
        see(life, client, JSON.parse(text) as SeenFrame);
    },
    lost() {
      client.shown = null;
      if (!client.isGone) show();
    },
  };
  const client: Client = { match, node, subscriber, shown: null, isGone: false };
  life.clients.push(client);
  show();
}

/** What a client is shown is stored, and follows what it was shown before. */
function see(life: Life, client: Client, frame: SeenFrame): void {
  const id = IDS[client.match]!;
  if (frame.t === 'reject' || frame.t === 'warning' || frame.t === 'rematch') return;
  expect(frame.v!).toBeLessThan(life.world.lengthOf(id));
  if (frame.t === 'ack') {
    const text = `${client.subscriber.viewer} ${frame['id']}`;
    life.acks.push({ match: client.match, text, v: frame.v! });
    return;
  }
  if (client.isGone) return;
  if (frame.t === 'state' && (client.shown === null || frame['prev'] !== client.shown)) {
    // Of a subscriber that is shown it again, or has requested it.
    client.shown = frame.v!;
    return;
  }
  if (client.shown === null) return;
  expect(frame['prev']).toBe(client.shown);
  client.shown = frame.v!;
}

function send(life: Life, match: number, { seat, id, position }: Sent): void {
  const client = life.clients.find(
    (each) => !each.isGone && each.match === match && each.subscriber.viewer === seat,
  );
  if (client === undefined || client.node.clock.state !== 'runs') return;
  const command = { kind: 'act', id, action: { position } } as const;
  client.node.host.play(IDS[match]!, seat, command, client.subscriber);
}

async function live(life: Life, what: Deed): Promise<void> {
  const { world } = life;
  switch (what.do) {
    case 'move': {
      const sent = { seat: what.seat, id: `c${life.commands}`, position: what.pick };
      life.commands += 1;
      life.sent[what.match]!.push(sent);
      return send(life, what.match, sent);
    }
    case 'repeat': {
      const own = life.sent[what.match]!.filter(({ seat }) => seat === what.seat);
      if (own.length > 0) send(life, what.match, own[what.pick % own.length]!);
      return;
    }
    case 'come': {
      const node = nodeOf(life, what.node);
      if (node.clock.state === 'runs' && !life.retired.has(node))
        come(life, what.match, what.viewer, node);
      return;
    }
    case 'go': {
      const here = life.clients.filter((each) => !each.isGone && each.node.clock.state === 'runs');
      const client = here[what.pick % Math.max(1, here.length)];
      if (client === undefined) return;
      client.isGone = true;
      client.node.host.detach(IDS[client.match]!, client.subscriber);
      return;
    }
    case 'fault':
      nodeOf(life, what.node).faults.next.push(what.fault);
      return;
    case 'release':
      return release(nodeOf(life, what.node).faults);
    case 'bus':
      world.network.setFaults({
        drop: what.drop,
        repeat: what.repeat,
        delayMinMs: 0,
        delayMaxMs: what.delayMs,
      });
      return;
    case 'cut':
      world.network.setUp(nodeOf(life, what.node).name, what.isUp);
      return;
    case 'kill': {
      const node = nodeOf(life, what.node);
      world.kill(node);
      for (const client of life.clients) if (client.node === node) client.isGone = true;
      await startNode(life);
      return;
    }
    case 'stop':
      world.stop(nodeOf(life, what.node));
      return;
    case 'goOn':
      world.goOn(nodeOf(life, what.node));
      return;
    case 'drain': {
      const node = nodeOf(life, what.node);
      if (life.retired.size > 0 || node.clock.state !== 'runs') return;
      life.retired.add(node);
      // Its sockets are closed first, as the service does.
      for (const client of life.clients.filter((each) => each.node === node && !each.isGone)) {
        client.isGone = true;
        node.host.detach(IDS[client.match]!, client.subscriber);
      }
      void node.cluster.drain().then(() => node.cluster.leave());
      return;
    }
    case 'pass':
      await world.pass(what.ms);
  }
}

/** Once all faults are over, every match comes to its end. */
async function finish(life: Life): Promise<void> {
  const { world } = life;
  world.network.setFaults(NO_FAULTS);
  for (const node of world.nodes) {
    world.network.setUp(node.name, true);
    world.goOn(node);
    node.faults.next.length = 0;
    release(node.faults);
  }
  await world.pass(100);
  for (const node of world.nodes) release(node.faults);
  await world.pass(HEAL_MS, 50);
  checkShown(life);
  await world.pass(PENDING_MS + 60_000, 100);
  checkShown(life);
}

/**
 * Without further faults all subscribers are soon shown everything, without a request of theirs.
 */
function checkShown({ world, clients }: Life): void {
  for (const { match, node, isGone, shown } of clients) {
    if (isGone || !world.nodes.includes(node)) continue;
    expect([node.name, shown]).toEqual([node.name, world.lengthOf(IDS[match]!) - 1]);
  }
}

function commandOf({ record }: Entry): string | null {
  return record.k === 'action' ? `${record.seat} ${record.id}` : null;
}

async function check(life: Life): Promise<void> {
  for (const [match, id] of IDS.entries()) {
    const { entries, row } = (await life.world.kept.loadSession(id))!;
    expect(entries.map(({ v }) => v)).toEqual(entries.map((_, index) => index));
    expect(foldSession(shippedGames.findPlayed, id, entries).status).toBe('ended');
    expect(row.status).toBe('ended');
    expect(entries.filter(({ record }) => record.k === 'ended').length).toBe(1);
    const commands = entries.map(commandOf).filter((each) => each !== null);
    expect(new Set(commands).size).toBe(commands.length);
    for (const ack of life.acks.filter((each) => each.match === match)) {
      expect(commandOf(entries[ack.v]!)).toBe(ack.text);
    }
    checkEpochs(entries, life.writers.get(id)!);
    expect(life.world.holderOf(id)).toBeNull();
  }
  for (const node of life.world.nodes) expect(node.errors).toEqual([]);
}

/** Epochs rise by one, and all records of an epoch are written by the node that began it. */
function checkEpochs(entries: readonly Entry[], writers: readonly string[]): void {
  let epoch = 0;
  let owner = '';
  for (const { v, record } of entries) {
    if (record.k === 'created') owner = record.node;
    if (record.k === 'owned') {
      expect(record.epoch).toBe(epoch + 1);
      epoch = record.epoch;
      owner = record.node;
    }
    expect(writers[v]).toBe(owner);
  }
}

test(`[N1][N2][N3][N6] whatever nodes, bus and store do: one owner per epoch; acknowledged is stored, once; all matches end (seed ${TEST_SEED})`, async () => {
  const property = fc.asyncProperty(
    fc.array(anyDeed, { maxLength: 80, size: 'max' }),
    fc.nat(),
    async (deeds, seed) => {
      const random = makeRandom(String(seed), () => '', 0);
      const life = await begin(() => random.integer(1_000_000) / 1_000_000);
      for (const [match] of IDS.entries()) {
        for (const seat of [0, 1]) come(life, match, seat, nodeOf(life, match + seat));
      }
      for (const each of deeds) await live(life, each);
      await finish(life);
      await check(life);
    },
  );
  await fc.assert(property, {
    seed: TEST_SEED,
    numRuns: Number(process.env['MATCHD_TEST_RUNS'] ?? testRuns(20)),
  });
}, 600_000);
