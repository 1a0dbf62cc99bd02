/** Nodes together never allow more than a limit, can use all of it, and fail closed. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LimitStore } from '../../store/limits.ts';
import { WINDOW_MS } from '../../tenancy/limiter.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { openLimits } from '../../testing/service/limit-store.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { type LeasedWindows, makeLeasedWindows } from './leased-windows.ts';

const KEY = 'ten_a:live';
/**
 * The outcome of a call: answered, refused, done but the answer lost, done and answered too late.
 */
type Fault = 'none' | 'refused' | 'answer lost' | 'late';

/** Nodes on one store whose answers are slow and fail on demand. */
function makeWorld(nodeCount: number) {
  const clock = makeManualClock();
  const { limits } = openLimits();
  const faults: Fault[] = [];
  const told: unknown[] = [];
  let latencyMs = 1;
  let isDown = false;
  const call = <T>(act: () => Promise<T>): Promise<T> => {
    const fault = isDown ? 'refused' : (faults.shift() ?? 'none');
    const after = fault === 'late' ? 1_500 : latencyMs;
    return new Promise((resolve, reject) => {
      clock.after(after, () => {
        if (fault === 'refused') reject(new Error('the store is away'));
        else act().then((done) => (fault === 'answer lost' ? undefined : resolve(done)), reject);
      });
    });
  };
  const store: Pick<LimitStore, 'takeTokens' | 'returnTokens'> = {
    takeTokens: (ask) => call(() => limits.takeTokens(ask)),
    returnTokens: (window, count) => call(() => limits.returnTokens(window, count)),
  };
  const open = (): LeasedWindows =>
    makeLeasedWindows({
      store,
      clock,
      nodes: () => nodeCount,
      onAway: (error) => void told.push(error),
    });
  const nodes = Array.from({ length: nodeCount }, open);
  /** Allowed requests, by the end of the window. */
  const allowed = new Map<number, number>();
  let answered = 0;
  return {
    clock,
    nodes,
    faults,
    told,
    allowed,
    answers: () => answered,
    setDown: (down: boolean) => {
      isDown = down;
    },
    setLatency: (ms: number) => {
      latencyMs = ms;
    },
    crash(node: number) {
      nodes[node] = open();
    },
    /** Stops a node, and starts another in its place. */
    leave(node: number): Promise<string> {
      const closing = nodes[node]!.close();
      nodes[node] = open();
      return closing.then(
        () => 'closed',
        (error: Error) => error.message,
      );
    },
    /** What the store still leases of a window to a caller that asks for all of it. */
    async left(endsAt: number, limit: number): Promise<number> {
      const ask = { key: KEY, endsAt, limit, wanted: limit, part: 1 };
      return (await limits.takeTokens(ask)).granted;
    },
    ask(node: number, limit: number): void {
      const taken = nodes[node]!.take(KEY, limit, clock.now());
      void Promise.resolve(taken).then((take) => {
        answered += 1;
        if (take?.allowed) allowed.set(take.resetAt, (allowed.get(take.resetAt) ?? 0) + 1);
      });
    },
    /** Moves time on in small steps, with maintenance each second as the service does. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        clock.advance(STEP_MS);
        for (let i = 0; i < TURNS; i++) await new Promise(setImmediate);
        if (clock.now() % 1_000 < STEP_MS) for (const node of nodes) node.maintain();
      }
    },
  };
}

const STEP_MS = 20;
/** More turns of the event loop than a store call takes. */
const TURNS = 3;

/** Moves time to the beginning of a window. */
async function enterWindow(world: ReturnType<typeof makeWorld>): Promise<number> {
  const { clock, nodes } = world;
  const taking = Promise.resolve(nodes[0]!.take(KEY, 1_000_000, clock.now()));
  await world.pass(40);
  const { resetAt } = (await taking)!;
  await world.pass(resetAt - clock.now());
  return resetAt + WINDOW_MS;
}

type Step =
  | { readonly do: 'ask'; readonly node: number; readonly times: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'crash'; readonly node: number }
  | { readonly do: 'leave'; readonly node: number }
  | { readonly do: 'fault'; readonly fault: Fault }
  | { readonly do: 'latency'; readonly ms: number }
  | { readonly do: 'down'; readonly isDown: boolean };

const node = fc.nat({ max: 3 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      node,
      times: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat({ max: 8_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), node }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constantFrom<Fault>('refused', 'answer lost', 'late'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('latency' as const), ms: fc.nat({ max: 900 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('down' as const), isDown: fc.boolean() }),
  },
);

describe('nodes together', () => {
  test(`[H6][N20] never allow more than the limit, whatever the store and the nodes do (seed ${TEST_SEED})`, async () => {
    const seen = { allowed: 0, full: 0, asked: 0, unanswered: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 10, maxLength: 80, size: 'max' }),
        fc.constantFrom(1, 5, 60, 300),
        async (steps, limit) => {
          const world = makeWorld(4);
          let asked = 0;
          for (const step of steps) {
            if (step.do === 'ask') {
              for (let i = 0; i < step.times; i++) world.ask(step.node, limit);
              asked += step.times;
            } else if (step.do === 'pass') await world.pass(step.ms);
            else if (step.do === 'crash') world.crash(step.node);
            else if (step.do === 'leave') void world.leave(step.node);
            else if (step.do === 'fault') world.faults.push(step.fault);
            else if (step.do === 'latency') world.setLatency(step.ms);
            else world.setDown(step.isDown);
          }
          // Every request is answered in bounded time.
          await world.pass(60_000);
          seen.unanswered += asked - world.answers();
          seen.asked += asked;
          for (const count of world.allowed.values()) {
            expect(count).toBeLessThanOrEqual(limit);
            seen.allowed += count;
            if (count === limit) seen.full += 1;
          }
        },
      ),
      { seed: TEST_SEED, numRuns: 60 },
    );
    expect(seen.unanswered).toBe(0);
    // There were enough requests, and not all were refused.
    expect(seen.full).toBeGreaterThan(20);
    expect(seen.allowed).toBeGreaterThan(2_000);
    expect(seen.asked).toBeGreaterThan(seen.allowed);
  }, 60_000);

  for (const limit of [1, 7, 60, 300, 1_000]) {
    for (const [how, pick] of [
      ['evenly over four nodes', (i: number) => i % 4],
      ['to one node of four', () => 0],
      ['to one node, then to another', (i: number) => (i < limit / 2 ? 0 : 1)],
      ['in bursts of ten to each', (i: number) => Math.floor(i / 10) % 4],
    ] as const) {
      test(`[H6][N20] a limit of ${limit} requested ${how} is used in full`, async () => {
        const world = makeWorld(4);
        const resetAt = await enterWindow(world);
        // All of it in the first 30 s, and a few more from each node until the end of the window.
        for (let i = 0; i < limit; i++) {
          world.ask(pick(i), limit);
          if (i % Math.ceil(limit / 100) === 0) await world.pass(300);
        }
        while (world.clock.now() < resetAt - 2_000) {
          world.ask(pick(limit), limit);
          await world.pass(500);
        }
        await world.pass(1_000);
        expect(world.allowed.get(resetAt)).toBe(limit);
      });
    }
  }

  test('[H6][N20] the store gets one call for many requests: chunks double up to 64', async () => {
    const world = makeWorld(2);
    let calls = 0;
    const { takeTokens } = openLimits().limits;
    const busy = makeLeasedWindows({
      store: {
        takeTokens(ask) {
          calls += 1;
          return takeTokens(ask);
        },
        returnTokens: async () => {},
      },
      clock: world.clock,
      nodes: () => 2,
      onAway: () => {},
    });
    for (let i = 0; i < 10_000; i++) await busy.take(KEY, 1_000_000, world.clock.now());
    expect(calls).toBeLessThan(10_000 / 64 + 12);
  });
});

describe('a node without its store', () => {
  test('[H6][N20] spends what it has leased, also for the next window; then it allows nothing', async () => {
    const world = makeWorld(2);
    const resetAt = await enterWindow(world);
    for (let i = 0; i < 40; i++) {
      world.ask(0, 200);
      await world.pass(20);
    }
    expect(world.allowed.get(resetAt)).toBe(40);
    world.setDown(true);
    for (let i = 0; i < 200; i++) world.ask(0, 200);
    await world.pass(2_000);
    const during = world.allowed.get(resetAt)!;
    expect(during).toBeGreaterThan(40);
    expect(during).toBeLessThan(200);
    expect(world.told.length).toBe(1);
    expect(world.nodes[0]!.take(KEY, 200, world.clock.now())).toBeInstanceOf(Promise);
    await world.pass(resetAt - world.clock.now());
    for (let i = 0; i < 200; i++) world.ask(0, 200);
    await world.pass(2_000);
    // A quarter of it: half of the window is leased ahead, and it has half of that.
    expect(world.allowed.get(resetAt + WINDOW_MS)).toBe(50);
    await world.pass(WINDOW_MS);
    world.ask(0, 200);
    await world.pass(2_000);
    expect(world.allowed.get(resetAt + 2 * WINDOW_MS)).toBeUndefined();
  });

  test('[H6][N20] asks it once a second instead of once a request, and continues when it is back', async () => {
    const world = makeWorld(2);
    world.setDown(true);
    const { clock, nodes } = world;
    const first = nodes[0]!.take(KEY, 60, clock.now());
    await world.pass(40);
    expect(await first).toBeNull();
    // At once, without a promise.
    expect(nodes[0]!.take(KEY, 60, clock.now())).toBeNull();
    world.setDown(false);
    await world.pass(1_000);
    const again = nodes[0]!.take(KEY, 60, clock.now());
    await world.pass(40);
    expect(await again).toMatchObject({ allowed: true, limit: 60, remaining: 59 });
  });

  test('[H6][N20] waits no longer than a second for an answer, and loses nothing that arrives later', async () => {
    const world = makeWorld(1);
    world.faults.push('late');
    const { clock, nodes } = world;
    const first = nodes[0]!.take(KEY, 60, clock.now());
    await world.pass(1_020);
    expect(await first).toBeNull();
    await world.pass(500);
    // The lease arrived: nothing has to be requested for it.
    expect(nodes[0]!.take(KEY, 60, clock.now())).toMatchObject({ allowed: true });
  });
});

describe('a node that stops', () => {
  /** Has spent 20 of this window, and leased more of it and of the next. */
  async function spendTwenty(limit: number) {
    const world = makeWorld(2);
    const resetAt = await enterWindow(world);
    for (let i = 0; i < 20; i++) {
      world.ask(0, limit);
      await world.pass(20);
    }
    expect(world.allowed.get(resetAt)).toBe(20);
    return { world, resetAt };
  }

  test('[H6][N20] returns what it has leased and not spent, also of the next window', async () => {
    const { world, resetAt } = await spendTwenty(600);
    const closed = world.leave(0);
    await world.pass(40);
    expect(await closed).toBe('closed');
    expect(await world.left(resetAt, 600)).toBe(580);
    expect(await world.left(resetAt + WINDOW_MS, 600)).toBe(600);
  });

  test('[H6][N20] returns what the store grants it meanwhile, and allows nothing more', async () => {
    const world = makeWorld(2);
    const resetAt = await enterWindow(world);
    world.setLatency(200);
    const [node] = world.nodes;
    const asked = Array.from({ length: 8 }, () => node!.take(KEY, 600, world.clock.now()));
    await world.pass(20);
    const closed = world.leave(0);
    const again = node!.close();
    expect(node!.take(KEY, 600, world.clock.now())).toBeNull();
    await world.pass(600);
    expect(await closed).toBe('closed');
    await again;
    expect((await Promise.all(asked)).filter((take) => take?.allowed)).toEqual([]);
    expect(await world.left(resetAt, 600)).toBe(600);
    expect(await world.left(resetAt + WINDOW_MS, 600)).toBe(600);
  });

  test('[N20] reports that the store has not taken it, and waits for it no longer than a second', async () => {
    const { world } = await spendTwenty(600);
    world.setDown(true);
    const refused = world.leave(0);
    await world.pass(40);
    expect(await refused).toBe('the store is away');
    world.setDown(false);
    world.ask(1, 600);
    await world.pass(40);
    world.setLatency(60_000);
    world.ask(1, 600);
    world.ask(1, 600);
    const late = world.leave(1);
    await world.pass(1_020);
    expect(await late).toContain('in time');
  });
});

test('[H6][N20] a changed limit applies from the next request on', async () => {
  const world = makeWorld(1);
  const { clock, nodes } = world;
  const take = async (limit: number) => {
    const taken = Promise.resolve(nodes[0]!.take(KEY, limit, clock.now()));
    await world.pass(20);
    return (await taken)!;
  };
  for (let i = 0; i < 3; i++) expect((await take(3)).allowed).toBe(true);
  expect(await take(3)).toMatchObject({ allowed: false, remaining: 0 });
  expect(await take(5)).toMatchObject({ allowed: true, remaining: 1, limit: 5 });
  expect(await take(2)).toMatchObject({ allowed: false, limit: 2 });
  expect(await take(5)).toMatchObject({ allowed: true, remaining: 0 });
});

test('[H6][N20] an answer that arrives after its window has ended takes nothing of the next', async () => {
  const limit = 100;
  const world = makeWorld(1);
  const end = await enterWindow(world);
  await world.pass(end - world.clock.now() - 200);
  // Chunks of 1 and 2, and one of 4 whose answer is on its way as the window ends.
  for (let i = 0; i < 3; i++) {
    world.ask(0, limit);
    await world.pass(40);
  }
  await world.pass(end - world.clock.now() - 40);
  world.setLatency(70);
  world.ask(0, limit);
  await world.pass(40);
  expect(world.clock.now()).toBeGreaterThanOrEqual(end);
  world.ask(0, limit);
  await world.pass(100);
  world.setLatency(1);
  for (let i = 0; i < 3 * limit; i++) {
    world.ask(0, limit);
    await world.pass(100);
  }
  expect(world.allowed.get(end + WINDOW_MS)).toBe(limit);
});

test('[H6][N20] a single node reports exactly what is left', async () => {
  const world = makeWorld(1);
  const left: number[] = [];
  for (let i = 0; i < 12; i++) {
    const taken = Promise.resolve(world.nodes[0]!.take(KEY, 10, world.clock.now()));
    await world.pass(20);
    left.push((await taken)!.remaining);
  }
  expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
});
