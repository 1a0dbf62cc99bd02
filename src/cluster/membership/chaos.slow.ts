/**
 * Links and leases over three real NATS servers and a real PostgreSQL, all of which are killed and
 * restarted at random, as the nodes are. Links deliver a prefix of the messages sent, in order and
 * each once. Once the faults are over everything arrives, and every node sees all others.
 */

import { afterAll, describe, expect, test } from 'bun:test';
import type { Bus } from '../../bus/bus.ts';
import { openNatsBus } from '../../bus/nats/nats-bus.ts';
import { makeSystemClock } from '../../runtime/system.ts';
import { openPostgresStore, type PostgresStore } from '../../store/postgres/postgres-store.ts';
import { makeSeededChance } from '../../testing/seeded-chance.ts';
import { isNatsHere, type NatsServers, startNats } from '../../testing/servers/nats.ts';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../testing/servers/postgres.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { makeGathering } from '../links/gathering.ts';
import { makeTalker, type Talker } from '../links/links.test-kit.ts';
import { makeLinks } from '../links/links.ts';
import { LEASE_MS, type Members, makeMembers } from './members.ts';

const isHere = [isNatsHere(), isPostgresHere()].every((each) => each);
const CHAOS_MS = 60_000;
const HEAL_MS = 15_000;
const NODES = 4;

interface Node {
  readonly talker: Talker;
  readonly members: Members;
  readonly bus: Bus;
  readonly store: PostgresStore;
  /** The node whose death was reported, and when. */
  readonly dead: Map<string, number>;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean, maxMs: number): Promise<number> {
  const began = performance.now();
  while (!isSo() && performance.now() - began < maxMs) await sleep(10);
  expect(isSo()).toBe(true);
  return performance.now() - began;
}

describe.skipIf(!isHere)('links and leases over real servers', () => {
  let brokers: NatsServers;
  let database: PostgresServer;
  let url = '';
  let count = 0;
  const wrongs: string[] = [];
  const all: Node[] = [];

  afterAll(async () => {
    await Promise.all(all.map((node) => kill(node)));
    await brokers.stop();
    await database.stop();
  });

  async function open(): Promise<Node> {
    count += 1;
    const name = `n${count}`;
    const clock = makeSystemClock();
    const store = await openPostgresStore({ url, node: name });
    const bus = openNatsBus({
      node: name,
      servers: brokers.urls.join(),
      onChange: () => undefined,
    });
    const members = makeMembers({
      node: name,
      store,
      clock,
      isLostTimeDue: () => false,
      onError: () => undefined,
    });
    const links = makeLinks({
      node: name,
      bus,
      mail: store,
      clock,
      soon: makeGathering(clock, setImmediate),
      onNobody: members.suspect,
      onMailError: () => undefined,
    });
    const dead = new Map<string, number>();
    await members.join({
      onDead(node) {
        dead.set(node, performance.now());
        links.drop(node);
      },
      onLapsed: () => undefined,
      onRegained: () => undefined,
    });
    const node = { talker: makeTalker(name, links, wrongs), members, bus, store, dead };
    all.push(node);
    return node;
  }

  /** As others see it: it sends and receives nothing, and its lease expires. */
  async function kill({ talker, bus, store }: Node): Promise<void> {
    talker.links.close();
    await Promise.all([bus.close(), store.close().catch(() => undefined)]);
  }

  test(`[LINK] servers and nodes are killed at random for a minute (seed ${TEST_SEED})`, async () => {
    brokers = await startNats(3);
    database = await startPostgres();
    url = await database.createDatabase();
    const chance = makeSeededChance(TEST_SEED);
    const pick = (below: number): number => Math.floor(chance() * below);
    const nodes = await Promise.all(Array.from({ length: NODES }, open));
    const counts = { messages: 0, brokers: 0, databases: 0, nodes: 0 };

    const talk = (): void => {
      for (const { talker } of nodes) {
        const { talker: to } = nodes[pick(nodes.length)]!;
        if (to === talker) continue;
        const messages = 1 + pick(20);
        counts.messages += messages;
        talker.say(to.node, messages);
      }
    };
    const talking = setInterval(talk, 10);
    const end = performance.now() + CHAOS_MS;
    while (performance.now() < end) {
      await sleep(200 + pick(1_500));
      const act = pick(10);
      if (act < 5) {
        counts.brokers += 1;
        const which = act < 3 ? [pick(3)] : [0, 1, 2];
        for (const at of which) await brokers.kill(at);
        await sleep(pick(6_000));
        for (const at of which) await brokers.start(at);
      } else if (act < 7) {
        counts.databases += 1;
        await database.kill();
        await sleep(pick(3_000));
        await database.restart();
      } else {
        counts.nodes += 1;
        const at = pick(nodes.length);
        const gone = nodes[at]!;
        nodes[at] = await open();
        await kill(gone);
      }
    }
    clearInterval(talking);
    console.log(JSON.stringify(counts));

    await sleep(HEAL_MS);
    for (const { members, talker, dead } of nodes) {
      const others = nodes.map((each) => each.talker.node).filter((name) => name !== talker.node);
      expect(members.others().map(({ node }) => node)).toEqual(others.sort());
      expect(members.isHeld()).toBe(true);
      for (const each of others)
        expect(dead.get(each) ?? 0).toBeLessThan(performance.now() - 5_000);
    }
    const came = nodes.map(({ talker }) => new Map(talker.came));
    for (const { talker } of nodes)
      for (const other of nodes) if (other.talker !== talker) talker.say(other.talker.node, 100);
    const isAllThere = (): boolean =>
      nodes.every(({ talker }, at) =>
        nodes.every(
          (other) =>
            other.talker === talker ||
            talker.came.get(other.talker.node)! - (came[at]!.get(other.talker.node) ?? 0) === 100,
        ),
      );
    const ms = await until(isAllThere, 20_000);
    holdBar(`all of ${NODES * (NODES - 1) * 100} messages there, ms`, ms, 2_000);
    expect(wrongs).toEqual([]);
  }, 150_000);

  test('[LEASE] a dead node is noticed long before its lease expires', async () => {
    const nodes = all.slice(-1);
    const times: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const victim = await open();
      const survivor = nodes[0]!;
      await until(
        () => survivor.members.others().some(({ node }) => node === victim.talker.node),
        3_000,
      );
      survivor.talker.say(victim.talker.node, 1);
      await sleep(300 + round * 77);
      const began = performance.now();
      await kill(victim);
      survivor.talker.say(victim.talker.node, 1);
      await until(() => survivor.dead.has(victim.talker.node), LEASE_MS + 3_000);
      times.push(survivor.dead.get(victim.talker.node)! - began);
    }
    times.sort((a, b) => a - b);
    console.log(`dead after ${times.map((each) => each.toFixed(0)).join(', ')} ms`);
    // The median, because the machine may be busy. Waiting for the lease takes as long as the
    // lease.
    expect(times[times.length >> 1]!).toBeLessThan(LEASE_MS / 2);
  }, 120_000);
});
