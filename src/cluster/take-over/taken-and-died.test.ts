/** A match of a dead node is taken by one that dies before it could write its ownership. */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import {
  createAt,
  enterAt,
  makeRequest,
  openThree,
} from '../../testing/cluster/cluster-matches.ts';
import { mark } from '../../testing/matches/match-world.ts';

const HOUR_MS = 3_600_000;

test('[P6][N2] when a new owner dies before it owns the match, the time since the first owner died is charged to no player', async () => {
  const { world, nodes } = await openThree();
  const [a, ...others] = nodes;
  const game = findGame('tictactoe')!;
  const patience = { turnTimeoutMs: HOUR_MS, disconnectGraceMs: HOUR_MS };
  const options = parseOptions(game, patience) as SessionOptions;
  const id = await createAt(world, a, makeRequest({ options }));
  const x = enterAt(a, id, 0);
  enterAt(a, id, 1);
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(500);
  const diedAt = world.clock.now();
  // The next node cannot write into it either, and owns it for three seconds all the same.
  for (const node of others) node.faults.failLoads = true;
  world.kill(a);
  for (let n = 0; n < 200 && world.holderOf(id) === a.name; n++) await world.pass(100);
  const taker = others.find(({ name }) => name === world.holderOf(id))!;
  const next = others.find((node) => node !== taker)!;
  await world.pass(3_000);
  world.kill(taker);
  next.faults.failLoads = false;
  await world.pass(15_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const owned = entries.findLast(({ record }) => record.k === 'owned')!;
  expect(owned.record).toMatchObject({ k: 'owned', node: next.name });
  expect(entries.some(({ record: r }) => r.k === 'owned' && r.node === taker.name)).toBe(false);
  const { lostMs } = owned.record as { readonly lostMs: number };
  expect(owned.at - diedAt - lostMs).toBeLessThan(100);
});
