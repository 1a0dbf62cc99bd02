/** A database that refuses everything at once to all nodes, for less than a lease: who cannot even come in is not charged. */

import { expect, test } from 'bun:test';
import { findGame } from '../games/registry.ts';
import { parseOptions, type SessionOptions } from '../match/setup.ts';
import { createAt, makeRequest } from '../testing/cluster-matches.ts';
import { type ClusterWorld, openClusterWorld } from '../testing/cluster-world.ts';
import type { FakeSocket } from '../testing/fake-socket.ts';

const TURN_MS = 30_000;
const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: TURN_MS,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

/** Two nodes on a store that refuses everything while it is told to. */
async function openRefusing() {
  const world = openClusterWorld();
  let isRefused = false;
  const refusing = <T extends object>(port: T): void => {
    for (const [name, call] of Object.entries(port)) {
      if (typeof call !== 'function' || name === 'isValid' || name === 'commit') continue;
      Object.assign(port, {
        [name]: (...args: unknown[]) =>
          isRefused ? Promise.reject(new Error('refused')) : call(...args),
      });
    }
  };
  refusing(world.members);
  const nodes = [await world.start('nod_a'), await world.start('nod_b')] as const;
  for (const { store } of nodes) refusing(store);
  await world.pass(1_000);
  return {
    world,
    nodes,
    refuse(is: boolean): void {
      isRefused = is;
      for (const { faults } of nodes) {
        faults.next.splice(0);
        if (is) faults.next.push(...Array.from({ length: 1_000 }, () => 'unknown_lost' as const));
      }
    },
  };
}

async function recordsOf(world: ClusterWorld, id: string) {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record);
}

/** Bob is on move and has so long left; he is not there. */
async function openTurn(isAsleep: boolean, leftMs = 3_000) {
  const { world, nodes, refuse } = await openRefusing();
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
  expect(world.memory.holderOf(id)).toBe(isAsleep ? null : a.name);
  return { world, a, b, id, refuse };
}

test.each([
  [true, 4_000, 3_000],
  [false, 4_000, 3_000],
  [true, 4_000, 700],
  [false, 4_000, 700],
  [true, 20_000, 3_000],
  [false, 20_000, 3_000],
])(
  '[P6] who tries to come in while the store refuses all has lost none of his turn (asleep: %p, for %i ms, with %i ms left)',
  async (isAsleep, refusedMs, leftMs) => {
    const { world, b, id, refuse } = await openTurn(isAsleep, leftMs);
    refuse(true);
    let socket: FakeSocket | null = null;
    const until = world.clock.now() + refusedMs;
    const come = async (): Promise<void> => {
      if (socket === null || socket.closedWith !== null) socket = b.open('bob', id);
      await world.pass(100);
    };
    while (world.clock.now() < until) await come();
    refuse(false);
    // After more than a lease nodes leave each other's matches alone for two seconds.
    for (let n = 0; n < (refusedMs > 5_000 ? 25 : 5); n++) await come();
    socket!.receive({ t: 'act', s: id, id: 'm2', action: { position: 0 } });
    await world.pass(500);
    const records = await recordsOf(world, id);
    expect(records.map(({ k }) => k)).not.toContain('forfeited');
    expect(records.filter(({ k }) => k === 'action').length).toBe(2);
  },
);

test.each([true, false])(
  '[P6] who did not try has no more than what was left to him (asleep: %p)',
  async (isAsleep) => {
    const { world, id, refuse } = await openTurn(isAsleep);
    refuse(true);
    await world.pass(4_000);
    refuse(false);
    await world.pass(6_000);
    expect((await recordsOf(world, id)).map(({ k }) => k)).toContain('forfeited');
  },
);
