/** Sessions of a dead node are taken over, also when the store fails while they are listed. */

import { expect, test } from 'bun:test';
import { openClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { createSession, type World } from '../../testing/matches/match-world.ts';

const ID = 'ses_shared';

test('[N2] sessions that could not be listed when a node died are listed again', async () => {
  const world = openClusterWorld();
  const a = await world.start('nod_a');
  const b = await world.start('nod_b');
  await world.pass(1_000);
  const asWorld = { clock: world.clock, kept: a.store, host: a.local, node: a.name };
  await createSession(asWorld as unknown as World, ID);
  const { claimAwake } = b.store;
  let failures = 0;
  b.store.claimAwake = (...args) => {
    if (failures === 2) return claimAwake(...args);
    failures += 1;
    return Promise.reject(new Error('the store is away'));
  };
  world.kill(a);
  await world.pass(12_000, 50);
  expect(failures).toBe(2);
  expect(world.holderOf(ID)).toBe(b.name);
  expect(b.local.has(ID)).toBe(true);
});

test('[N2] a session locked while a dead node’s sessions were listed is still taken over', async () => {
  const world = openClusterWorld();
  const a = await world.start('nod_a');
  const b = await world.start('nod_b');
  await world.pass(1_000);
  const asWorld = { clock: world.clock, kept: a.store, host: a.local, node: a.name };
  await createSession(asWorld as unknown as World, ID);
  a.open('player-0', ID);
  await world.pass(100);
  const { claimAwake } = b.store;
  // As `FOR UPDATE SKIP LOCKED` answers while the dead node's last transaction still has the row.
  let isLocked = true;
  b.store.claimAwake = (...args) => (isLocked ? Promise.resolve([]) : claimAwake(...args));
  world.kill(a);
  await world.pass(40_000, 50);
  isLocked = false;
  await world.pass(61_000, 50);
  // It was taken over, and sleeps: no player has reconnected.
  expect(world.holderOf(ID)).toBeNull();
  const { entries } = (await world.kept.loadSession(ID))!;
  expect(entries.map(({ record }) => record.k)).toContain('owned');
});
