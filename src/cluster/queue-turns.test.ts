/** Turns at the queues: one node at a time, and no player waits without end. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ManualClock, makeManualClock } from '../testing/manual-clock.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { ForQueueTurns } from './messages.ts';
import { type ClusterQueueTurns, makeClusterQueueTurns } from './queue-turns.ts';

const NODES = ['nod_a', 'nod_b', 'nod_c'];

interface World {
  readonly clock: ManualClock;
  readonly desks: Map<string, ClusterQueueTurns>;
  /** Nodes that have a turn, by queue, each as often as it has one. */
  readonly inside: Map<string, string[]>;
  /** How many newcomers have had their turn. */
  served: number;
  pass(ms: number): Promise<void>;
  come(node: string, line: string, forMs: number): void;
  kill(node: string): void;
}

function open(delayMs: number): World {
  const clock = makeManualClock();
  const desks = new Map<string, ClusterQueueTurns>();
  const inside = new Map<string, string[]>();
  const put = (from: string) => (to: string, item: ForQueueTurns) =>
    void clock.after(delayMs, () => desks.get(to)?.receive(from, item));
  for (const node of NODES) {
    const others = () => [...desks.keys()].filter((name) => name !== node);
    desks.set(node, makeClusterQueueTurns({ node, clock, others, put: put(node) }));
  }
  const world: World = {
    clock,
    desks,
    inside,
    served: 0,
    async pass(ms) {
      for (let left = ms; left > 0; left -= 5) {
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
        clock.advance(Math.min(5, left));
      }
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
    come(node, line, forMs) {
      void desks
        .get(node)!
        .enter(line)
        .then(({ leave }) => {
          const there = inside.get(line) ?? [];
          inside.set(line, there);
          there.push(node);
          clock.after(forMs, () => {
            there.splice(there.indexOf(node), 1);
            world.served += 1;
            leave();
          });
        });
    },
    kill(node) {
      desks.delete(node);
      for (const desk of desks.values()) desk.linkLost(node);
    },
  };
  return world;
}

test(`[N7][S2] one node at a time serves a queue, and every player gets a turn (seed ${TEST_SEED})`, async () => {
  const arrival = fc.record({
    node: fc.constantFrom(...NODES),
    line: fc.constantFrom('x', 'y'),
    forMs: fc.integer({ min: 0, max: 60 }),
    thenMs: fc.integer({ min: 0, max: 40 }),
  });
  const property = fc.asyncProperty(
    fc.array(arrival, { maxLength: 40 }),
    fc.nat(20),
    async (arrivals, delayMs) => {
      const world = open(delayMs);
      for (const { node, line, forMs, thenMs } of arrivals) {
        world.come(node, line, forMs);
        for (let ms = 0; ms < thenMs; ms += 5) {
          await world.pass(5);
          for (const there of world.inside.values()) expect(new Set(there).size).toBeLessThan(2);
        }
      }
      await world.pass(10_000);
      expect(world.served).toBe(arrivals.length);
    },
  );
  await fc.assert(property, { seed: TEST_SEED, numRuns: 30 });
}, 60_000);

test('[N7][S2] no player waits for a dead node, whether it grants the turns or has one', async () => {
  for (const victim of NODES) {
    const world = open(5);
    for (const node of NODES) world.come(node, 'x', 400);
    await world.pass(50);
    world.kill(victim);
    for (const node of NODES) if (node !== victim) world.come(node, 'x', 10);
    await world.pass(8_000);
    // The dead node's own newcomer is gone with it, unless they were done.
    expect(world.served).toBeGreaterThanOrEqual(4);
  }
});

test('[N5][S2] a turn that is returned leaves no timer, and neither does a desk that closes', async () => {
  const clock = makeManualClock();
  const desk = makeClusterQueueTurns({ node: 'nod_a', clock, others: () => [], put: () => {} });
  const { leave } = await desk.enter('x');
  leave();
  expect(clock.nextAt()).toBeNull();
  await desk.enter('x');
  // Another node's turn, and a caller that waits for its own.
  desk.receive('nod_b', { t: 'turn', line: 'y', n: 1 });
  desk.receive('nod_b', { t: 'turn', line: 'y', n: 2 });
  expect(clock.nextAt()).not.toBeNull();
  desk.close();
  expect(clock.nextAt()).toBeNull();
});

test('[N5][S2] a call that waits for another node stops waiting at the shutdown', async () => {
  const clock = makeManualClock();
  const others = Array.from({ length: 50 }, (_, n) => `nod_${n}`);
  const desk = makeClusterQueueTurns({ node: 'nod_a', clock, others: () => others, put: () => {} });
  const entered = desk.enter('x');
  desk.close();
  (await entered).leave();
  expect(clock.nextAt()).toBeNull();
});
