/** A node that dies with lost time that no log has yet: it sent no heartbeat since then. */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { createAt, enterAt, makeRequest } from '../../testing/cluster/cluster-matches.ts';
import { openClusterWorld } from '../../testing/cluster/cluster-world.ts';

const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: 60_000,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

test('[N2][P6] four seconds without the store are given back although the owner dies before it records them', async () => {
  const world = openClusterWorld();
  const { renewLease } = world.members;
  let isAway = false;
  world.members.renewLease = (node, ...lease) =>
    isAway && node === 'nod_a' ? Promise.reject(new Error('away')) : renewLease(node, ...lease);
  const a = await world.start('nod_a');
  await world.start('nod_b');
  await world.pass(1_000);
  const id = await createAt(world, a, makeRequest({ options }));
  enterAt(a, id, 0);
  enterAt(a, id, 1);
  await world.pass(20_000);
  isAway = true;
  await world.pass(4_000);
  isAway = false;
  a.faults.next.push('held_lost', 'held_lost');
  await world.pass(2_000);
  world.kill(a);
  const killedAt = world.clock.now();
  await world.pass(15_000);
  const { entries } = (await world.kept.loadSession(id))!;
  const lostMs = entries.reduce(
    (sum, { record }) => sum + ('lostMs' in record ? record.lostMs : 0),
    0,
  );
  const takenAt = entries.find(({ record }) => record.k === 'owned')!.at;
  expect(lostMs).toBeGreaterThanOrEqual(takenAt - killedAt + 6_000);
  expect(lostMs).toBeLessThan(takenAt - killedAt + 7_500);
});
