/**
 * A player returns in time, and the look-up of the owner is slow; not a claim of a sleeping
 * session.
 */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { createAt, enterAt, makeRequest } from '../../testing/cluster/cluster-matches.ts';
import { openClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { mark } from '../../testing/matches/match-world.ts';

const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: 30_000,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

/** `slow`: how long the store takes for each query, ms. X has moved, and both are connected. */
async function openSlow() {
  const world = openClusterWorld();
  const { claim, holderOf } = world.members;
  const slow = { claimMs: 0, lookMs: 0 };
  const late = (ms: number) => new Promise<void>((done) => void world.clock.after(ms, done));
  Object.assign(world.members, {
    async claim(node: string, session: string) {
      if (slow.claimMs > 0) await late(slow.claimMs);
      return claim(node, session);
    },
    async holderOf(session: string) {
      if (slow.lookMs > 0) await late(slow.lookMs);
      return holderOf(session);
    },
  });
  const a = await world.start('nod_a');
  const b = await world.start('nod_b');
  await world.pass(1_000);
  const id = await createAt(world, a, makeRequest({ options }));
  const x = enterAt(a, id, 0);
  const o = enterAt(a, id, 1);
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(10);
  const log = async () => (await world.kept.loadSession(id))!.entries;
  return { world, a, b, id, x, o, slow, log };
}

test("[P6] a move over HTTP to a sleeping match, three seconds before the end of its turn: the owner's look-up takes four seconds", async () => {
  const { world, a, b, id, x, o, slow, log } = await openSlow();
  a.host.detach(id, x);
  a.host.detach(id, o);
  await world.pass(27_000);
  // As in slow-read.test.ts: the others are as slow.
  for (const each of [a, b]) each.host.maintain = async () => {};
  slow.lookMs = 4_000;
  const told = b.host.playAs(id, { seat: 1, player: null }, mark(0));
  await world.pass(4_500);
  expect(await told).toMatchObject({ kind: 'done' });
  expect((await log()).some(({ record }) => record.k === 'forfeited')).toBe(false);
});

test.each([
  ['its players come back', { claimMs: 4_000, lookMs: 4_000 }],
  [
    'its node takes it up by itself, as its players’ claims take still longer',
    { claimMs: 8_000, lookMs: 4_000 },
  ],
])(
  '[P6] a match that its node had to drop: %s, which takes the store four seconds',
  async (_, late) => {
    const { world, a, id, slow, log } = await openSlow();
    await world.pass(27_000);
    Object.assign(slow, late);
    // For example when another node took it for lost.
    a.local.release(id);
    await world.pass(6_000);
    const entries = await log();
    expect(entries.some(({ record }) => record.k === 'paused')).toBe(true);
    expect(entries.some(({ record }) => record.k === 'forfeited')).toBe(false);
  },
);

test('[P6] a player may return by another node a second before the turn ends, while the former owner takes longer to check its ownership', async () => {
  const { world, a, b, id, x, o, slow, log } = await openSlow();
  await world.pass(20_000);
  a.host.detach(id, x);
  a.host.detach(id, o);
  await world.pass(9_000);
  a.host.maintain = async () => {};
  slow.lookMs = 1_500;
  a.local.release(id);
  enterAt(b, id, 1);
  await world.pass(1_800);
  const entries = await log();
  expect(entries.some(({ record }) => record.k === 'paused')).toBe(true);
  expect(entries.some(({ record }) => record.k === 'forfeited')).toBe(false);
});
