/** A node that begins while the store is slow. */

import { expect, test } from 'bun:test';
import { createAt, enterAt } from '../../testing/cluster/cluster-matches.ts';
import { openClusterWorld, settleAll } from '../../testing/cluster/cluster-world.ts';
import { mark } from '../../testing/matches/match-world.ts';

test('[P6][N3] a node whose first lease took the store five seconds charges earlier time like any other', async () => {
  const world = openClusterWorld();
  const a = await world.start('nod_a');
  await world.pass(1_000);
  const id = await createAt(world, a);
  const x = enterAt(a, id, 0);
  enterAt(a, id, 1);
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(30_000);
  // The database is slow once, as at a fail-over.
  const { renewLease } = world.members;
  let isSlow = true;
  Object.assign(world.members, {
    async renewLease(node: string, ttl: number, isDraining: boolean) {
      if (node === 'nod_b' && isSlow) {
        isSlow = false;
        const renewal = await renewLease(node, ttl, isDraining);
        await new Promise<void>((done) => world.clock.after(5_000, done));
        return renewal;
      }
      return renewLease(node, ttl, isDraining);
    },
  });
  const starting = world.start('nod_b');
  await settleAll();
  await world.pass(5_100);
  const b = await starting;
  await world.pass(2_000);
  // A match handed over in an orderly way: no player lost time.
  await a.cluster.drain();
  await a.cluster.leave();
  world.kill(a);
  enterAt(b, id, 0);
  enterAt(b, id, 1);
  await world.pass(500);
  const { entries } = (await world.kept.loadSession(id))!;
  const lost = entries.reduce(
    (sum, { record }) => sum + ('lostMs' in record ? record.lostMs : 0),
    0,
  );
  expect(lost).toBeLessThan(6_000);
});
