/** Matches of slow players on two nodes: they go by the clock without connections (rule P6). */

import { expect, test } from 'bun:test';
import { createAt, enterAt, makeRequest } from '../testing/cluster/cluster-matches.ts';
import { openClusterWorld } from '../testing/cluster/cluster-world.ts';
import { mark } from '../testing/matches/match-world.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 500;

/**
 * A match with turns of an hour, played on both nodes; both players have disconnected, and it
 * sleeps.
 */
async function openAsleep() {
  const world = openClusterWorld();
  const [a, b] = [await world.start('nod_a'), await world.start('nod_b')];
  await world.pass(1_000);
  const { options } = makeRequest();
  const slow = { ...options, turnTimeoutMs: HOUR_MS, disconnectGraceMs: 24 * HOUR_MS };
  const id = await createAt(world, a, makeRequest({ options: slow }));
  const [x, o] = [enterAt(a, id, 0, 'ann'), enterAt(b, id, 1, 'bob')];
  await world.pass(1_000);
  a.host.play(id, 0, mark(4), x);
  await world.pass(1_000);
  const movedAt = (await logOf()).find(({ record }) => record.k === 'action')!.at;
  a.host.detach(id, x);
  b.host.detach(id, o);
  await world.pass(12_000, STEP_MS);
  expect([world.holderOf(id), a.local.size(), b.local.size()]).toEqual([null, 0, 0]);
  async function logOf() {
    return (await world.kept.loadSession(id))!.entries;
  }
  return { world, nodes: [a, b] as const, dueAt: movedAt + HOUR_MS, logOf };
}

test('[P6][N1] a turn without any connection ends within a second of its deadline, and costs the seat', async () => {
  const { world, dueAt, logOf } = await openAsleep();
  await world.pass(dueAt - world.clock.now() - STEP_MS, STEP_MS);
  expect((await logOf()).at(-1)!.record.k).toBe('disconnected');
  await world.pass(3_000, STEP_MS);
  const log = await logOf();
  expect(log.at(-1)!.record).toMatchObject({ k: 'ended', outcome: { reason: 'afk_timeout' } });
  expect(log.at(-1)!.at).toBeWithin(dueAt, dueAt + 1_001);
  expect(log.filter(({ record }) => record.k === 'paused' || 'lostMs' in record)).toEqual([]);
});

test('[P6][N1] a match that was due while no node served has ten seconds from the moment it is served', async () => {
  const { world, nodes, dueAt, logOf } = await openAsleep();
  for (const node of nodes) world.kill(node);
  world.clock.advance(dueAt + 10 * HOUR_MS - world.clock.now());
  await Promise.all([world.start('nod_c'), world.start('nod_d')]);
  const servedAt = world.clock.now();
  await world.pass(9_500, STEP_MS);
  expect((await logOf()).at(-1)!.record.k).not.toBe('ended');
  await world.pass(3_000, STEP_MS);
  const log = await logOf();
  expect(log.at(-1)!.record).toMatchObject({ k: 'ended', outcome: { reason: 'afk_timeout' } });
  // Nodes look for what is due a second after they start.
  expect(log.at(-1)!.at).toBeWithin(servedAt + 10_000, servedAt + 12_001);
});

test('[P6][N1] an absence of all nodes that ends before the deadline gives no time back', async () => {
  const { world, nodes, dueAt, logOf } = await openAsleep();
  for (const node of nodes) world.kill(node);
  world.clock.advance(dueAt - 60_000 - world.clock.now());
  await world.start('nod_c');
  await world.pass(63_000, STEP_MS);
  const last = (await logOf()).at(-1)!;
  expect(last.record.k).toBe('ended');
  expect(last.at).toBeWithin(dueAt, dueAt + 1_001);
});
