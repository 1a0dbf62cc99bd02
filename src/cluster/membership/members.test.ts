/**
 * Leases: who holds one, which nodes are dead, and who is notified, over a slow and failing store.
 */

import { afterEach, expect, test } from 'bun:test';
import type { MemberStore } from '../../store/cluster.ts';
import { openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { HEARTBEAT_MS, LEASE_MS, type Members, makeMembers } from './members.ts';

interface Node {
  readonly members: Members;
  /** Its events, in order: `dead b`, `lapsed`, `regained`. */
  readonly told: string[];
  /** The store fails for this node, or answers after this delay. */
  readonly store: { isCut: boolean; delayMs: number };
  readonly errors: unknown[];
}

let clock = makeManualClock();
let cluster: MemberStore = openMemoryDatabase(clock.now).openNode('nod_test');

afterEach(() => {
  clock = makeManualClock();
  cluster = openMemoryDatabase(clock.now).openNode('nod_test');
});

/** Lets time pass in steps, with all asynchronous work in between. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    clock.advance(Math.min(10, left));
    await new Promise(setImmediate);
  }
}

async function join(node: string): Promise<Node> {
  const faults = { isCut: false, delayMs: 0 };
  const told: string[] = [];
  const errors: unknown[] = [];
  const members = makeMembers({
    isLostTimeDue: () => false,
    node,
    clock,
    store: faulty(cluster, faults),
    onError: (error) => void errors.push(error),
  });
  const joined: Node = { members, told, store: faults, errors };
  await members.join({
    onDead: (dead) => void told.push(`dead ${dead}`),
    onLapsed: () => void told.push('lapsed'),
    onRegained: () => void told.push('regained'),
  });
  return joined;
}

function faulty(store: MemberStore, faults: Node['store']): MemberStore {
  const call = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (faults.isCut) throw new Error('the store cannot be reached');
    const answer = await ask();
    if (faults.delayMs > 0) await new Promise<void>((done) => clock.after(faults.delayMs, done));
    return answer;
  };
  return {
    renewLease: (...args) => call(() => store.renewLease(...args)),
    listLeases: () => call(() => store.listLeases()),
    endLease: (...args) => call(() => store.endLease(...args)),
    removeNode: (...args) => call(() => store.removeNode(...args)),
    holderOf: (...args) => call(() => store.holderOf(...args)),
    claim: (...args) => call(() => store.claim(...args)),
    listToRelease: (...args) => call(() => store.listToRelease(...args)),
    listHeld: (...args) => call(() => store.listHeld(...args)),
  };
}

/** The process is gone: its timers no longer fire, as far as the store can see. */
function kill(node: Node): void {
  node.store.isCut = true;
}

const names = ({ members }: Node): readonly string[] => members.others().map(({ node }) => node);

test('[LEASE] nodes see each other within a second, and hold their leases as long as they live', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(HEARTBEAT_MS + 10);
  expect([names(a), names(b)]).toEqual([['b'], ['a']]);
  await pass(60_000);
  expect([a.members.isHeld(), b.members.isHeld(), a.told, b.told]).toEqual([true, true, [], []]);
});

test('[LEASE] the others are reported by id, in whatever order they joined', async () => {
  const [c, a] = [await join('c'), await join('a')];
  await pass(HEARTBEAT_MS + 10);
  const b = await join('b');
  await pass(HEARTBEAT_MS + 10);
  expect([names(a), names(b), names(c)]).toEqual([
    ['b', 'c'],
    ['a', 'c'],
    ['a', 'b'],
  ]);
});

test('[LEASE] a node that stops is declared dead once, when its lease has expired', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(3_000);
  kill(b);
  await pass(LEASE_MS - HEARTBEAT_MS - 100);
  expect([a.told, names(a)]).toEqual([[], ['b']]);
  await pass(2 * HEARTBEAT_MS + 200);
  expect([a.told, names(a)]).toEqual([['dead b'], []]);
  await pass(30_000);
  expect(a.told).toEqual(['dead b']);
});

test('[LEASE] the lease of a silent node that the bus cannot reach is ended early, for all', async () => {
  const [a, b, c] = [await join('a'), await join('b'), await join('c')];
  await pass(3_500);
  kill(b);
  a.members.suspect('b');
  await pass(1_400);
  expect(a.told).toEqual(['dead b']);
  await pass(HEARTBEAT_MS);
  expect(c.told).toEqual(['dead b']);
});

test('[LEASE] a node that is cut off only from the bus keeps its lease', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(1_000);
  for (let second = 0; second < 30; second += 1) {
    a.members.suspect('b');
    await pass(1_000);
  }
  expect([a.told, b.told, names(a)]).toEqual([[], [], ['b']]);
});

test('[LEASE] a suspicion that is not repeated expires after two seconds', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(1_000);
  a.members.suspect('b');
  await pass(2_500);
  kill(b);
  await pass(2_000);
  expect(a.told).toEqual([]);
});

test('[LEASE] a node that leaves is gone for the others at the next poll, without an event of its own', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(1_000);
  await b.members.drain();
  await pass(1_100);
  expect(a.members.others().map(({ isDraining }) => isDraining)).toEqual([true]);
  await b.members.leave();
  expect(b.members.isHeld()).toBe(false);
  await pass(1_100);
  expect([a.told, b.told, names(a)]).toEqual([['dead b'], [], []]);
});

test('[LEASE] a node that cannot reach the store treats its lease as expired before the others do', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(3_000);
  b.store.isCut = true;
  let lapsedAt = 0;
  let deadAt = 0;
  for (let ms = 10; ms < 10_000 && deadAt === 0; ms += 10) {
    await pass(10);
    if (lapsedAt === 0 && b.told.length > 0) lapsedAt = ms;
    if (a.told.length > 0) deadAt = ms;
  }
  expect(b.told).toEqual(['lapsed']);
  expect(b.members.isHeld()).toBe(false);
  expect(lapsedAt).toBeGreaterThan(2_000);
  expect(deadAt).toBeGreaterThan(lapsedAt);
  b.store.isCut = false;
  await pass(2_100);
  expect([b.told, b.members.isHeld(), names(a)]).toEqual([['lapsed', 'regained'], true, ['b']]);
  // Reported once, not with every heartbeat.
  expect(b.errors.length).toBe(1);
});

test('[LEASE][N3] a node leaves others their sessions for two seconds after it has regained its lease', async () => {
  const a = await join('a');
  // Its first lease does not count as regained.
  expect(a.members.lease()).toBe('held');
  a.store.isCut = true;
  await pass(6_000);
  expect(a.members.lease()).toBe('lapsed');
  a.store.isCut = false;
  while (!a.members.isHeld()) await pass(10);
  await pass(1_900);
  expect(a.members.lease()).toBe('regained');
  await pass(200);
  expect(a.members.lease()).toBe('held');
  await a.members.drain();
  expect([a.members.lease(), a.members.isHeld()]).toEqual(['draining', true]);
  await a.members.leave();
  expect([a.members.lease(), a.members.isHeld()]).toEqual(['draining', false]);
});

test('[LEASE] a node that stalled beyond its lease holds nothing from the moment it resumes', async () => {
  const a = await join('a');
  await pass(3_000);
  clock.skip(8_000);
  expect(a.members.isHeld()).toBe(false);
  await pass(1_100);
  expect([a.members.isHeld(), a.told]).toEqual([true, ['lapsed', 'regained']]);
});

test('[LEASE] a lease that expired unnoticed here is still lost', async () => {
  const [a, b] = [await join('a'), await join('b')];
  await pass(3_000);
  // Another node ended it, and b could not know.
  clock.skip(1_600);
  expect(await cluster.endLease('b', LEASE_MS - 1_500)).toBe(true);
  expect(b.members.isHeld()).toBe(true);
  await pass(1_100);
  expect(b.told).toEqual(['lapsed', 'regained']);
  expect(names(a)).toEqual(['b']);
});

test('[LEASE] answers of a slow store are dated from the request', async () => {
  const a = await join('a');
  a.store.delayMs = LEASE_MS + 500;
  await pass(20_000);
  // Each answer confirms a lease that has expired by then.
  expect(a.members.isHeld()).toBe(false);
  expect(a.told).toEqual(['lapsed']);
  a.store.delayMs = 2_000;
  await pass(10_000);
  expect(a.members.isHeld()).toBe(true);
  expect(a.told).toEqual(['lapsed', 'regained']);
});

test('[LEASE][P6] a store that takes no heartbeat for a second or more counts as silent, and that time stays known afterwards', async () => {
  const a = await join('a');
  const lengthMs = (): number | null => {
    const silence = a.members.silence();
    return silence && silence.to - silence.from;
  };
  await pass(2_000);
  a.store.isCut = true;
  await pass(900);
  a.store.isCut = false;
  await pass(2_000);
  expect(lengthMs()).toBeNull();
  a.store.isCut = true;
  const lengths: (number | null)[] = [];
  for (let step = 0; step < 6; step += 1) {
    await pass(500);
    lengths.push(lengthMs());
  }
  expect(lengths).toEqual([null, null, 1_900, 2_400, 2_900, 3_400]);
  a.store.isCut = false;
  await pass(2_000);
  const last = a.members.silence()!;
  expect(last.to - last.from).toBe(3_500);
  // Slow is not silent, once its answers arrive.
  a.store.delayMs = 1_200;
  await pass(2_000);
  const slow = a.members.silence()!;
  expect(slow.from).toBeGreaterThan(last.to);
  await pass(5_000);
  expect(a.members.silence()).toEqual(slow);
  expect(a.told).toEqual([]);
});

test('[LEASE] joining fails when the store cannot be asked', async () => {
  const members = makeMembers({
    isLostTimeDue: () => false,
    node: 'a',
    clock,
    store: faulty(cluster, { isCut: true, delayMs: 0 }),
    onError: () => undefined,
  });
  const nothing = (): void => undefined;
  const none = { onDead: nothing, onLapsed: nothing, onRegained: nothing };
  await expect(members.join(none)).rejects.toThrow('cannot be reached');
});
