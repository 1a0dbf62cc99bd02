/** What a node that begins makes of leases that hold while their nodes may be dead. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeMemoryCluster } from '../testing/memory-cluster.ts';
import { makeMemoryStore } from '../testing/memory-store.ts';
import { LEASE_MS } from './members.ts';
import { openSharedDowntimes } from './shared-downtimes.ts';

function makeWorld() {
  const clock = makeManualClock();
  const cluster = makeMemoryCluster(clock);
  const store = { ...makeMemoryStore(), ...cluster };
  const t0 = clock.now();
  return {
    ...{ clock, store, t0 },
    beat: async (node: string): Promise<void> => {
      await cluster.renewLease(node, LEASE_MS, false);
      await store.heartbeat(node, clock.now());
    },
    open: () => openSharedDowntimes(store, clock),
    known: async () =>
      (await store.listDowntimes()).map(({ from, to }) => [from - t0, to - t0] as const),
  };
}

test('[P6] where nobody has a lease, nobody served since the last sign of life', async () => {
  const { clock, t0, beat, open, known } = makeWorld();
  await beat('a');
  clock.advance(LEASE_MS + 2_000);
  const { ofNode } = await open();
  expect(await known()).toEqual([[0, LEASE_MS + 2_000]]);
  expect(ofNode.lostBetween(t0, clock.now())).toBe(LEASE_MS + 2_000);
});

test('[P6] a node that begins while the lease of a dead one holds charges nobody for the time between, and tells the others once that is sure', async () => {
  const { clock, t0, beat, open, known } = makeWorld();
  await beat('a');
  clock.advance(3_000);
  const b = await open();
  await beat('b');
  expect(b.ofNode.lostBetween(t0, clock.now())).toBe(3_000);
  clock.advance(1_000);
  await b.look();
  // By all that is known the first may have served all the time.
  expect(await known()).toEqual([]);
  expect(b.ofNode.lostBetween(t0, clock.now())).toBe(3_000);
  clock.advance(1_000);
  await b.look();
  expect(await known()).toEqual([[0, 3_000]]);
  expect(b.ofNode.lostBetween(t0, clock.now())).toBe(3_000);
  expect(b.ofNode.serviceTime(clock.now())).toBe(clock.now() - 3_000);
  const c = await open();
  expect(c.ofNode.lostBetween(t0, t0 + 3_000)).toBe(3_000);
});

test('[P6] a node that is heard of again has served: nothing was lost for others', async () => {
  const { clock, t0, beat, open, known } = makeWorld();
  await beat('a');
  await beat('dead');
  clock.advance(400);
  const b = await open();
  clock.advance(100);
  await beat('a');
  await b.look();
  clock.advance(2 * LEASE_MS);
  await b.look();
  expect(await known()).toEqual([]);
  expect(b.ofNode.serviceTime(clock.now())).toBe(clock.now());
  // Of this node's own matters it is not known who could have had them before it came.
  expect(b.ofNode.lostBetween(t0, clock.now())).toBe(400);
});

test('[P6] where the store cannot be asked, it is found out later', async () => {
  const { clock, store, beat, known } = makeWorld();
  await beat('a');
  clock.advance(3_000);
  let isAway = false;
  const b = await openSharedDowntimes(
    {
      ...store,
      async addDowntime(stretch) {
        if (isAway) throw new Error('away');
        await store.addDowntime(stretch);
      },
    },
    clock,
  );
  clock.advance(LEASE_MS);
  isAway = true;
  expect(await b.look().catch(String)).toBe('Error: away');
  isAway = false;
  await b.look();
  expect(await known()).toEqual([[0, 3_000]]);
});

test('[P6] what the store takes for later than now is this node’s alone: its clock is ahead', async () => {
  const { clock, store, t0, beat, known } = makeWorld();
  await beat('a');
  clock.advance(LEASE_MS + 60_000);
  const { ofNode } = await openSharedDowntimes(
    {
      ...store,
      addDowntime: ({ from, to }) => store.addDowntime({ from, to: Math.min(to, t0 + 10_000) }),
    },
    clock,
  );
  expect(await known()).toEqual([[0, 10_000]]);
  expect(ofNode.lostBetween(t0, clock.now())).toBe(LEASE_MS + 60_000);
  expect(ofNode.serviceTime(clock.now())).toBe(clock.now() - 10_000);
});

test('[P6] a node whose clock is two seconds ahead, and that begins while a lease holds: the time it served itself is not lost', async () => {
  const { clock, store, beat, known } = makeWorld();
  await beat('a');
  clock.advance(3_000);
  // As postgres/service.ts: no downtime ends in the database's future.
  const capped = {
    ...store,
    addDowntime: ({ from, to }: { from: number; to: number }) =>
      store.addDowntime({ from, to: Math.min(to, clock.now()) }),
  };
  const b = await openSharedDowntimes(capped, { now: () => clock.now() + 2_000 });
  await beat('b');
  clock.advance(2_500);
  await b.look();
  expect(await known()).toEqual([[0, 3_000]]);
});
