/** Downtimes against a model that looks at every millisecond. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeMemoryStore } from '../testing/memory-store.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { makeDowntimes, makeNodeDowntimes } from './downtimes.ts';
import { openDowntimes } from './lifetime.ts';
import { makeUnserved } from './unserved.ts';

const END = 60;
const anyStretch = fc
  .tuple(fc.nat(END), fc.nat(END))
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const anyStretches = fc.array(anyStretch, { maxLength: 8 });
const options = { seed: TEST_SEED, numRuns: 500 };

describe('[P6] downtimes', () => {
  test('[P6] what is known already is added at no cost', () => {
    const known = Array.from({ length: 5_000 }, (_, n) => ({ from: n * 10, to: n * 10 + 5 }));
    const downtimes = makeDowntimes(known);
    let looks = 0;
    for (const { from, to } of known) {
      const each = {
        get from() {
          looks += 1;
          return from;
        },
        to,
      };
      downtimes.add(each);
    }
    expect(looks).toBe(known.length);
    expect(downtimes.lostBetween(0, 50_000)).toBe(25_000);
  });

  test(`[P6] no millisecond is counted twice or left out (seed ${TEST_SEED})`, () => {
    const property = fc.property(
      anyStretches,
      anyStretches,
      fc.nat(END),
      fc.nat(END),
      (known, later, a, b) => {
        const downtimes = makeDowntimes(known);
        for (const each of later) downtimes.add(each);
        const all = [...known, ...later];
        const isDown = (ms: number) => all.some(({ from, to }) => from <= ms && ms < to);
        const lost = (from: number, to: number): number => {
          let sum = 0;
          for (let ms = from; ms < to; ms++) if (isDown(ms)) sum += 1;
          return sum;
        };
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        expect(downtimes.lostBetween(from, to)).toBe(lost(from, to));
        expect(downtimes.lostBetween(to, from)).toBe(0);
        expect(downtimes.serviceTime(to)).toBe(to - lost(0, to));
        // Service time passes as fast as time without downtime does.
        const passed = downtimes.serviceTime(to) - downtimes.serviceTime(from);
        expect(passed).toBe(to - from - lost(from, to));
        // The first of the moments that have it: while all is down it stands still.
        let first = to;
        while (first > 0 && isDown(first - 1)) first -= 1;
        expect(downtimes.timeOf(downtimes.serviceTime(to))).toBe(first);
      },
    );
    fc.assert(property, options);
  });

  test(`[P6] what a node lost and what all lost, and what one match did, is the union (seed ${TEST_SEED})`, () => {
    const property = fc.property(
      ...([anyStretches, anyStretches, anyStretches, fc.nat(END), fc.nat(END)] as const),
      (shared, own, ofMatch, from, to) => {
        const downtimes = makeNodeDowntimes(makeDowntimes(shared));
        for (const each of own) downtimes.add(each);
        const unserved = makeUnserved(downtimes);
        for (const each of ofMatch) unserved.add('ses_a', each);
        const lostIn = (all: readonly { from: number; to: number }[], since: number): number => {
          let sum = 0;
          for (let ms = since; ms < to; ms++)
            if (all.some((each) => each.from <= ms && ms < each.to)) sum += 1;
          return sum;
        };
        const both = [...shared, ...own];
        expect(downtimes.lostBetween(from, to)).toBe(lostIn(both, from));
        expect(unserved.lostBetween('ses_b', from, to)).toBe(lostIn(both, from));
        expect(unserved.lostBetween('ses_a', from, to)).toBe(lostIn([...both, ...ofMatch], from));
        unserved.drop('ses_a', from);
        expect(unserved.lostBetween('ses_a', from, to)).toBe(lostIn([...both, ...ofMatch], from));
        unserved.drop('ses_a');
        expect(unserved.lostBetween('ses_a', from, to)).toBe(lostIn(both, from));
      },
    );
    fc.assert(property, options);
  });

  test('[P6] of one match so many stretches are kept, and none that is longer than it was', () => {
    const unserved = makeUnserved(makeDowntimes([]));
    for (let n = 0; n < 1_000; n++) unserved.add('ses_a', { from: n * 10, to: n * 10 + (n % 7) });
    expect(unserved.lostBetween('ses_a', 0, 10_000)).toBe(64 * 6);
  });

  test('[P6] the first start has no downtime, a later one that since the last heartbeat', async () => {
    const store = makeMemoryStore();
    const first = await openDowntimes(store, 1_000);
    expect(first.lostBetween(0, 5_000)).toBe(0);
    await store.heartbeat('nod_a', 2_000);
    const second = await openDowntimes(store, 7_000);
    expect(second.lostBetween(0, 10_000)).toBe(5_000);
    await store.heartbeat('nod_b', 8_000);
    const third = await openDowntimes(store, 9_000);
    expect(third.lostBetween(0, 10_000)).toBe(6_000);
    expect(third.serviceTime(10_000)).toBe(4_000);
  });

  test('[P6] a heartbeat from the future hides no later outage', async () => {
    const store = makeMemoryStore();
    const hour = 3_600_000;
    await openDowntimes(store, hour);
    await store.heartbeat('nod_ahead', hour + 5_000);
    // The clock is right again, and the process after this one dies 25 s before the next.
    expect((await openDowntimes(store, 6_000)).lostBetween(0, 2 * hour)).toBe(0);
    await store.heartbeat('nod_b', 10_000);
    const last = await openDowntimes(store, 35_000);
    expect(last.lostBetween(0, 2 * hour)).toBe(25_000);
  });

  test('[P6] an outage that a clock ahead reported ends when the next process starts', async () => {
    const store = makeMemoryStore();
    await store.addDowntime({ from: 4_000, to: 3_600_000 });
    const downtimes = await openDowntimes(store, 10_000);
    expect(downtimes.lostBetween(0, 60_000)).toBe(6_000);
  });

  test('[P6] a clock that is behind takes no time for lost in which others served', async () => {
    const store = makeMemoryStore();
    await store.heartbeat('nod_a', 1_000);
    await openDowntimes(store, 1_000);
    await store.heartbeat('nod_b', 100_000);
    await openDowntimes(store, 100_000);
    // A clock at 50 s would find `nod_a` last, had its row not been removed.
    const behind = await openDowntimes(store, 50_000);
    expect(behind.lostBetween(0, 50_000)).toBe(0);
  });

  test('[P6] a clock that was set back makes no downtime', async () => {
    const store = makeMemoryStore();
    await store.heartbeat('nod_a', 5_000);
    expect((await openDowntimes(store, 4_000)).lostBetween(0, 9_000)).toBe(0);
  });
});
