/**
 * A database that refuses everything at once, or answers nothing, to all nodes: players who cannot
 * connect are not charged.
 */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { createAt, makeRequest } from '../../testing/cluster/cluster-matches.ts';
import { type ClusterWorld, openClusterWorld } from '../../testing/cluster/cluster-world.ts';
import type { FakeSocket } from '../../testing/sockets/fake-socket.ts';

const TURN_MS = 30_000;
const LOST = 'unknown_lost' as const;
const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: TURN_MS,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

type Silence = 'refuses' | 'hangs';

/** Two nodes on a store that serves no one while told so. */
async function openAway(how: Silence) {
  const world = openClusterWorld();
  let isAway = false;
  const waiting: (() => void)[] = [];
  const later = (call: () => Promise<unknown>): Promise<unknown> =>
    new Promise((done, failed) => waiting.push(() => call().then(done, failed)));
  const taking = <T extends object>(port: T): void => {
    for (const [name, call] of Object.entries(port)) {
      if (name === 'isValid' || (how === 'refuses' && name === 'commit')) continue;
      Object.assign(port, {
        [name](...args: unknown[]) {
          if (!isAway) return call(...args);
          if (name === 'commit') return void waiting.push(() => call(...args));
          if (how === 'hangs') return later(() => call(...args));
          return Promise.reject(new Error('refused'));
        },
      });
    }
  };
  taking(world.members);
  const nodes = [await world.start('nod_a'), await world.start('nod_b')] as const;
  for (const { store } of nodes) taking(store);
  await world.pass(1_000);
  return {
    world,
    nodes,
    setAway(is: boolean): void {
      isAway = is;
      for (const go of waiting.splice(0)) go();
      for (const { faults } of nodes) {
        faults.next.splice(0);
        const isRefused = is && how === 'refuses';
        if (isRefused) faults.next.push(...Array.from({ length: 1_000 }, () => LOST));
      }
    },
  };
}

async function recordsOf(world: ClusterWorld, id: string) {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record);
}

/** Bob is on move with a given time left, and disconnected. */
async function openTurn(how: Silence, isAsleep: boolean, leftMs = 3_000) {
  const { world, nodes, setAway } = await openAway(how);
  const [a, b] = nodes;
  const id = await createAt(world, a, makeRequest({ options }));
  const ann = a.open('ann', id);
  const bob = a.open('bob', id);
  await world.pass(500);
  ann.receive({ t: 'act', s: id, id: 'm1', action: { position: 4 } });
  await world.pass(100);
  bob.close(1006, '');
  if (isAsleep) ann.close(1006, '');
  await world.pass(TURN_MS - 100 - leftMs);
  expect(world.holderOf(id)).toBe(isAsleep ? null : a.name);
  return { world, ann, b, id, setAway };
}

test.each([
  ['refuses', true, 4_000, 3_000],
  ['refuses', false, 4_000, 3_000],
  ['refuses', true, 4_000, 700],
  ['refuses', false, 4_000, 700],
  ['refuses', true, 20_000, 3_000],
  ['refuses', false, 20_000, 3_000],
  ['hangs', true, 4_000, 3_000],
  ['hangs', false, 4_000, 3_000],
  // With that little left it ends in memory before any node can know that the store is silent.
  ['hangs', true, 4_000, 700],
  ['hangs', true, 20_000, 3_000],
  ['hangs', false, 20_000, 3_000],
] as const)(
  '[P6] a player loses no turn time who connects while the store %s (asleep: %p, for %i ms, with %i ms left)',
  async (how, isAsleep, awayMs, leftMs) => {
    const { world, b, id, setAway } = await openTurn(how, isAsleep, leftMs);
    setAway(true);
    let socket: FakeSocket | null = null;
    const until = world.clock.now() + awayMs;
    const come = async (): Promise<void> => {
      if (socket === null || socket.closedWith !== null) socket = b.open('bob', id);
      await world.pass(100);
    };
    while (world.clock.now() < until) await come();
    setAway(false);
    // After more than a lease nodes leave each other's matches alone for two seconds.
    for (let n = 0; n < (awayMs > 5_000 ? 25 : 5); n++) await come();
    socket!.receive({ t: 'act', s: id, id: 'm2', action: { position: 0 } });
    await world.pass(500);
    const records = await recordsOf(world, id);
    expect(records.map(({ k }) => k)).not.toContain('forfeited');
    expect(records.filter(({ k }) => k === 'action').length).toBe(2);
  },
);

test.each([
  ['refuses', true],
  ['refuses', false],
  ['hangs', true],
  ['hangs', false],
] as const)(
  '[P6] a player who did not try while the store %s has at most one turn more (asleep: %p)',
  async (how, isAsleep) => {
    const { world, id, setAway } = await openTurn(how, isAsleep);
    setAway(true);
    await world.pass(4_000);
    setAway(false);
    await world.pass(45_000);
    expect((await recordsOf(world, id)).map(({ k }) => k)).toContain('forfeited');
  },
);

test.each([4_000, 4_100, 4_200, 4_300, 4_400])(
  '[P6] a record made before the next heartbeat covers all of the %i ms in which the store was unavailable',
  async (awayMs) => {
    const { world, ann, id, setAway } = await openTurn('refuses', false, 10_000);
    setAway(true);
    await world.pass(awayMs);
    setAway(false);
    ann.close(1006, '');
    await world.pass(10);
    const before = await recordsOf(world, id);
    expect(before.at(-1)).toEqual({ k: 'disconnected', seat: 0 });
    await world.pass(5_000);
    const lost = (await recordsOf(world, id)).map((each) =>
      each.k === 'paused' ? each.lostMs : 0,
    );
    expect(lost.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(awayMs);
  },
);
