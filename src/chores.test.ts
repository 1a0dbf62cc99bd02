/** A failing chore ends like any other: with everything it began, and once. */

import { expect, test } from 'bun:test';
import type { ChoreDeps } from './chores.ts';
import { startChores } from './chores.ts';
import { makeManualClock } from './testing/manual-clock.ts';

const nothing = async (): Promise<void> => {};
const away = () => Promise.reject(new Error('the store is away'));

/** A service without work, except for what a test sets. */
function open(change: Partial<ChoreDeps>) {
  const clock = makeManualClock();
  const failures: unknown[] = [];
  const deps = {
    store: {
      heartbeat: nothing,
      tenancyRevision: async () => 0,
      listRemovals: async () => [],
      samplePeaks: nothing,
    },
    host: { recover: async () => 0, maintain: nothing, isLostTimeDue: () => false },
    keys: { forget() {}, recordUses: nothing },
    access: { forget() {} },
    webhooks: { forget() {} },
    streams: { maintain: nothing },
    limits: { maintain() {}, sweep: async () => 0 },
    requests: { flush: nothing },
    changes: { take: () => [], markAll() {} },
    tenantMetrics: { flush: async () => false },
    logLimiter: { sweep() {} },
    sockets: { maintain: nothing, counts: () => [], players: () => [] },
    clock,
    log: { info() {}, error: (fields: object) => void failures.push(fields) },
    node: 'nod_test',
    ...change,
  };
  const chores = startChores(deps as unknown as ChoreDeps);
  const pass = async (seconds: number): Promise<void> => {
    for (let n = 0; n < seconds; n++) {
      await Bun.sleep(0);
      clock.advance(1_000);
      await Bun.sleep(0);
    }
  };
  return { chores, failures, pass };
}

test('[K2][H3] no round begins before the last one is over, though a part of it failed at once', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const { chores, failures, pass } = open({
    streams: { maintain: away } as unknown as ChoreDeps['streams'],
    sockets: {
      counts: () => [],
      players: () => [],
      maintain() {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        return gate.promise;
      },
    },
  });
  await pass(5);
  expect([gates.length, failures.length]).toEqual([1, 0]);
  gates[0]!.reject(new Error('the store is away'));
  await pass(1);
  expect([gates.length, failures.length]).toEqual([2, 1]);
  const stopped = chores.stop().then(() => 'stopped');
  expect(await Promise.race([stopped, Bun.sleep(5).then(() => 'under way')])).toBe('under way');
  gates[1]!.resolve();
  expect(await stopped).toBe('stopped');
});

test('[D8] missing anchors are searched for a minute after a start, then every ten', async () => {
  const looks: number[] = [];
  let seconds = 0;
  const { chores, pass } = open({
    store: {
      heartbeat: nothing,
      tenancyRevision: async () => 0,
      listRemovals: async () => [],
      samplePeaks: nothing,
      listActiveWebhooks: async () => {
        looks.push(seconds);
        return [];
      },
    } as unknown as ChoreDeps['store'],
    audit: { maintain: nothing, anchorsOf: async () => [] },
  });
  for (; seconds < 1_300; seconds++) await pass(1);
  expect(looks).toEqual([59, 659, 1_259]);
  await chores.stop();
});

test('[K2][N20] tenants and keys are refreshed, and places returned, each second, though a write of presence hangs', async () => {
  const looks: number[] = [];
  let rounds = 0;
  let revision = 0;
  let isHanging = true;
  const gate = Promise.withResolvers<void>();
  const { chores, pass } = open({
    store: {
      heartbeat: nothing,
      listRemovals: async () => [],
      samplePeaks: nothing,
      tenancyRevision: async () => revision,
    } as unknown as ChoreDeps['store'],
    access: { forget: () => looks.push(revision) },
    limits: {
      maintain() {
        rounds += 1;
      },
      sweep: async () => 0,
    } as unknown as ChoreDeps['limits'],
    sockets: {
      maintain: () => (isHanging ? gate.promise : nothing()),
      counts: () => [],
      players: () => [],
    },
  });
  await pass(3);
  revision = 1;
  await pass(2);
  expect(looks.at(-1)).toBe(1);
  expect(rounds).toBe(5);
  isHanging = false;
  gate.resolve();
  await chores.stop();
});

test('[P6] a process sends no heartbeat while its sessions have lost time that their logs do not have', async () => {
  let owes = true;
  const beats: number[] = [];
  const { pass } = open({
    store: {
      tenancyRevision: async () => 0,
      listRemovals: async () => [],
      samplePeaks: nothing,
      heartbeat: async (_: string, at: number) => void beats.push(at),
    } as unknown as ChoreDeps['store'],
    host: {
      recover: async () => 0,
      maintain: nothing,
      isLostTimeDue: () => owes,
    } as unknown as ChoreDeps['host'],
  });
  await pass(3);
  expect(beats).toEqual([]);
  owes = false;
  await pass(2);
  expect(beats.length).toBeGreaterThan(0);
});

test('[P6] a process sends no heartbeat before it has taken over the sessions left to it', async () => {
  let beats = 0;
  let isAway = true;
  const { chores, pass } = open({
    store: {
      heartbeat: async () => {
        beats += 1;
      },
      tenancyRevision: async () => 0,
      listRemovals: async () => [],
      samplePeaks: nothing,
    } as unknown as ChoreDeps['store'],
    host: {
      recover: () => (isAway ? away() : Promise.resolve(0)),
      maintain: nothing,
      isLostTimeDue: () => false,
    } as unknown as ChoreDeps['host'],
  });
  await pass(5);
  expect(beats).toBe(0);
  isAway = false;
  await pass(3);
  expect(beats).toBeGreaterThan(0);
  await chores.stop();
});
