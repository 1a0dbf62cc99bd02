/** Nodes together never hold more than the number of places, and can use all of them. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LimitStore } from '../../store/limits.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { openLimits } from '../../testing/service/limit-store.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { type LeavePlace, makeLeasedPlaces, makeLocalPlaces, type Places } from './places.ts';

const KEY = 'streams:live ten_a';
const NODES = 4;

describe('places of one process', () => {
  test('[H6][N20] are limited in number, and free again when released', async () => {
    const places = makeLocalPlaces();
    const first = await places.take(KEY, 2);
    await places.take(KEY, 2);
    expect(await places.take(KEY, 2)).toBeNull();
    expect(await places.take('streams:test ten_a', 2)).not.toBeNull();
    first!();
    first!();
    expect(await places.take(KEY, 2)).not.toBeNull();
    expect(await places.take(KEY, 2)).toBeNull();
    expect(await places.take(KEY, 3)).not.toBeNull();
  });
});

/** Nodes over one store, whose calls take a few turns, or fail before or after they were done. */
function makeWorld() {
  const clock = makeManualClock();
  const alive = new Set(Array.from({ length: NODES }, (_, n) => `nod_${n}`));
  const { limits, setAlive } = openLimits(alive);
  const faults: ('before' | 'after')[] = [];
  let opened = 0;
  const open = (node: string): Places =>
    makeLeasedPlaces({
      store: {
        async holdPlaces(ask) {
          for (let turn = 0; turn < 3; turn++) await Promise.resolve();
          const fault = faults.shift();
          if (fault === 'before') throw new Error('not done');
          const held = await limits.holdPlaces(ask);
          if (fault === 'after') throw new Error('done, but nobody knows');
          return held;
        },
      },
      clock,
      node,
      nodes: () => alive.size,
      isHeld: () => alive.has(node),
      onError: () => {},
    });
  const nodes = [...alive].map((id) => ({ id, places: open(id), left: [] as LeavePlace[] }));
  return {
    clock,
    nodes,
    faults,
    count: () => nodes.reduce((sum, { left }) => sum + left.length, 0),
    async take(n: number, max: number) {
      const node = nodes[n]!;
      const leave = await node.places.take(KEY, max).catch(() => null);
      if (leave !== null) node.left.push(leave);
      return leave !== null;
    },
    /** The process is gone with all it held; another replaces it. */
    crash(n: number) {
      alive.delete(nodes[n]!.id);
      setAlive(nodes[n]!.id, false);
      opened += 1;
      const id = `nod_new_${opened}`;
      alive.add(id);
      setAlive(id, true);
      nodes[n] = { id, places: open(id), left: [] };
    },
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 250) {
        clock.advance(250);
        if (passed % 1_000 === 750) for (const { places } of nodes) places.maintain();
        await new Promise(setImmediate);
      }
    },
  };
}

const node = fc.nat({ max: NODES - 1 });
const anyStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('take'), node, n: fc.nat({ max: 20 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('leave'), node, n: fc.nat({ max: 20 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass'), node, n: fc.nat({ max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), node, n: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fault'), node, n: fc.nat() }) },
);

describe('places that nodes share', () => {
  test(`[H6][N20] never exceed their number, whatever happens (seed ${TEST_SEED})`, async () => {
    const seen = { full: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 80, size: 'max' }),
        fc.constantFrom(1, 2, 10, 100),
        async (steps, max) => {
          const world = makeWorld();
          for (const step of steps) {
            const { left } = world.nodes[step.node]!;
            if (step.do === 'take') {
              const takes = Array.from({ length: step.n }, () => world.take(step.node, max));
              for (const isTaken of await Promise.all(takes)) if (!isTaken) seen.refused += 1;
            } else if (step.do === 'leave') for (const leave of left.splice(0, step.n)) leave();
            else if (step.do === 'pass') await world.pass(step.n * 500);
            else if (step.do === 'crash') world.crash(step.node);
            else world.faults.push(step.n % 2 === 0 ? 'before' : 'after');
            expect(world.count()).toBeLessThanOrEqual(max);
            if (world.count() === max) seen.full += 1;
          }
          // Without further faults one node gets all that is left.
          world.faults.length = 0;
          for (let tries = 0; tries < 200 && world.count() < max; tries++) {
            await world.take(0, max);
            await world.pass(tries % 5 === 0 ? 1_000 : 250);
          }
          expect(world.count()).toBe(max);
        },
      ),
      { seed: TEST_SEED, numRuns: 100 },
    );
    expect(seen.full).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(100);
  }, 60_000);

  test('[H6][N20] of a node that was unreachable for long count again when it is back', async () => {
    const clock = makeManualClock();
    const { limits, setAlive } = openLimits(['nod_a', 'nod_b']);
    const open = (id: string): Places =>
      makeLeasedPlaces({
        store: limits,
        clock,
        node: id,
        nodes: () => 2,
        isHeld: () => true,
        onError: () => {},
      });
    const [ofA, ofB] = [open('nod_a'), open('nod_b')];
    for (let n = 0; n < 4; n++) expect(await ofA.take(KEY, 64)).not.toBeNull();
    setAlive('nod_a', false);
    await limits.removeLeftovers(0);
    // Another node has taken all but two of them: those leased in advance are no longer its own.
    const left: (LeavePlace | null)[] = [];
    for (let n = 0; n < 62; n++) left.push(await ofB.take(KEY, 64));
    setAlive('nod_a', true);
    ofA.catchUp();
    expect(await ofA.take(KEY, 64)).toBeNull();
    for (let n = 0; n < 6; n++) left[n]!();
    for (const places of [ofA, ofB, ofB]) {
      places.maintain();
      await new Promise(setImmediate);
    }
    // 56 are B's, and A never released its four.
    let free = 0;
    while ((await ofB.take(KEY, 64)) !== null) free += 1;
    expect(free).toBe(4);
  });

  test('[H6][N20] a node that stalled past its lease hands out nothing from that lease', async () => {
    const [leaseMs, max] = [5_000, 128];
    const clock = makeManualClock();
    const { limits, setAlive } = openLimits(['nod_a', 'nod_b']);
    let heldUntil = clock.now() + leaseMs;
    const [granted, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    const store: Pick<LimitStore, 'holdPlaces'> = {
      async holdPlaces(ask) {
        calls += 1;
        const held = await limits.holdPlaces(ask);
        // This answer arrives while the node stalls.
        if (calls === 2) {
          granted.resolve();
          await heard.promise;
        }
        return held;
      },
    };
    const shared = { clock, nodes: () => 2, onError: () => {} };
    const isHeld = () => clock.now() < heldUntil;
    const ofA = makeLeasedPlaces({ ...shared, store, node: 'nod_a', isHeld });
    const ofB = makeLeasedPlaces({ ...shared, store: limits, node: 'nod_b', isHeld: () => true });
    // Eight more are leased in advance, which the next nine use up.
    const left = [await ofA.take(KEY, max)];
    for (let n = 0; n < 8; n++) left.push(await ofA.take(KEY, max));
    const late = ofA.take(KEY, max);
    await granted.promise;
    for (const leave of left) leave!();

    clock.advance(leaseMs);
    setAlive('nod_a', false);
    for (let n = 0; n < max; n++) expect(await ofB.take(KEY, max)).not.toBeNull();
    // After the stall it has not noticed yet that its lease has expired.
    expect(await ofA.take(KEY, max).catch(String)).toContain('no lease');
    setAlive('nod_a', true);
    heldUntil = clock.now() + leaseMs;
    ofA.catchUp();
    heard.resolve();
    expect(await late).toBeNull();
    expect(await ofA.take(KEY, max)).toBeNull();
  });

  test('[H6][N20] most are taken without asking the store', async () => {
    const clock = makeManualClock();
    let calls = 0;
    const { limits } = openLimits(['nod_a']);
    const places = makeLeasedPlaces({
      store: {
        holdPlaces(ask) {
          calls += 1;
          return limits.holdPlaces(ask);
        },
      },
      clock,
      node: 'nod_a',
      nodes: () => 4,
      isHeld: () => true,
      onError: () => {},
    });
    for (let n = 0; n < 6_500; n++) expect(await places.take(KEY, 100_000)).not.toBeNull();
    expect(calls).toBe(100);
  });
});
