/**
 * A store that can be read and refuses all writes, at once and for seconds: no player is charged
 * for that.
 */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import {
  createAt,
  enterAt,
  makeRequest,
  openThree,
} from '../../testing/cluster/cluster-matches.ts';
import type { ClusterNode, ClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { mark } from '../../testing/matches/match-world.ts';

const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: 30_000,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

/**
 * O is on move in a match on the first node and has three seconds left; no other node takes it
 * over.
 */
async function openTurn() {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  for (const each of [b, c]) each.host.maintain = async () => {};
  const id = await createAt(world, a, makeRequest({ options }));
  const x = enterAt(a, id, 0);
  const o = enterAt(a, id, 1);
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(27_000);
  return { world, a, id, o };
}

/** All writes are refused, and reads work, as with a standby before it is promoted. */
function refuseCommits({ faults }: ClusterNode): () => void {
  faults.next.push(...Array.from({ length: 1_000 }, () => 'unknown_lost' as const));
  return () => void faults.next.splice(0);
}

async function recordsOf(world: ClusterWorld, id: string) {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record);
}

for (const againMs of [Infinity, 300, 1_300]) {
  test(`[P6] a command sent in time and refused with all others for four seconds does not end the turn, resent every ${againMs} ms`, async () => {
    const { world, a, id, o } = await openTurn();
    const allow = refuseCommits(a);
    const from = world.clock.now();
    for (let again = from; world.clock.now() - from < 4_000; ) {
      if (world.clock.now() >= again) {
        again += againMs;
        a.host.play(id, 1, mark(0), o);
      }
      await world.pass(100);
    }
    allow();
    await world.pass(1_500);
    expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(false);
    // Then their time continues from the last record.
    await world.pass(31_000);
    expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(true);
  });
}

test('[P6] a turn that ends while nothing can be written is retried each second, and not as often as it is refused', async () => {
  const { world, a, id } = await openTurn();
  const allow = refuseCommits(a);
  // They have three seconds left.
  await world.pass(13_000);
  expect(1_000 - a.faults.next.length).toBeWithin(9, 21);
  allow();
  await world.pass(32_000);
  expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(true);
});
