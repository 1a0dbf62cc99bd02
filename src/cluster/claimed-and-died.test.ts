/** A sleeping match is claimed by a node that dies before it could write that it holds it. */

import { expect, test } from 'bun:test';
import { findGame } from '../games/registry.ts';
import type { LogRecord } from '../match/record.ts';
import { parseOptions, type SessionOptions } from '../match/setup.ts';
import { createAt, enterAt, makeRequest, openThree } from '../testing/cluster-matches.ts';
import { mark } from '../testing/match-world.ts';

const HOUR_MS = 3_600_000;

/** X has moved, both have left, and the match sleeps. */
async function openSleeping() {
  const opened = await openThree();
  const { world, nodes } = opened;
  const [a] = nodes;
  const game = findGame('tictactoe')!;
  const patience = { turnTimeoutMs: HOUR_MS, disconnectGraceMs: HOUR_MS };
  const options = parseOptions(game, patience) as SessionOptions;
  const id = await createAt(world, a, makeRequest({ options }));
  const [x, o] = [enterAt(a, id, 0), enterAt(a, id, 1)];
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(500);
  a.host.detach(id, x);
  a.host.detach(id, o);
  await world.pass(15_000);
  expect(world.memory.holderOf(id)).toBeNull();
  return { ...opened, id };
}

/** O comes back to this node, which dies with the match claimed; what the next one wrote, and how long after. */
async function claimAndDie({ world, nodes: [, b], id }: Awaited<ReturnType<typeof openSleeping>>) {
  const from = world.clock.now();
  b.faults.next.push('held_lost');
  enterAt(b, id, 1);
  await world.pass(100);
  expect(world.memory.holderOf(id)).toBe(b.name);
  world.kill(b);
  await world.pass(15_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const { at, record } = entries.findLast(({ record: { k } }) => k === 'owned' || k === 'paused')!;
  return { after: at - from, record: record as LogRecord & { readonly lostMs?: number } };
}

test('[P6][N2] a match that slept, and whose claimer died before he held it: what passed in the sleep is charged', async () => {
  const opened = await openSleeping();
  const [a, , c] = opened.nodes;
  // In good order, as in an upgrade.
  await a.cluster.drain();
  await a.cluster.leave();
  opened.world.kill(a);
  await opened.world.pass(20 * 60_000, 500);
  const { after, record } = await claimAndDie(opened);
  expect(record).toMatchObject({ k: 'owned', node: c.name });
  expect(record.lostMs).toBeGreaterThan(900);
  expect(record.lostMs).toBeLessThanOrEqual(after);
});

test('[P6][N2] … and what passed until somebody else held it is not, though its last holder lives', async () => {
  const { after, record } = await claimAndDie(await openSleeping());
  expect(record.lostMs).toBeGreaterThan(900);
  expect(record.lostMs).toBeLessThanOrEqual(after);
});
