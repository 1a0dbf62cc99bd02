/**
 * Deadlines in a session that another node owns: only that node knows what time was lost (rule P6).
 */

import { expect, test } from 'bun:test';
import { PENDING_MS } from '../../match/setup.ts';
import {
  createAt,
  enterAt,
  joinAt,
  makeRequest,
  serviceAt,
} from '../../testing/cluster/cluster-matches.ts';
import { openClusterWorld } from '../../testing/cluster/cluster-world.ts';

/** A room of two with one player, which would expire three seconds from now. Node a owns it. */
async function openRoom() {
  const world = openClusterWorld();
  const [a, b] = [await world.start('nod_a'), await world.start('nod_b')];
  await world.pass(1_000);
  const players = [{ id: 'ann', displayName: null }];
  const request = makeRequest({ matchType: 'matchmaking', players });
  const id = await createAt(world, a, request);
  const createdAt = world.clock.now();
  const { session } = (await a.host.peek(id))!;
  enterAt(
    a,
    id,
    session.seats.findIndex(({ taken }) => taken),
    'ann',
  );
  await world.pass(PENDING_MS.other - 3_000, 500);
  expect(world.holderOf(id)).toBe(a.name);
  const view = (await a.host.peek(id))!;
  expect(view.session).toMatchObject({
    status: 'pending',
    expiresAt: createdAt + PENDING_MS.other,
  });
  return { world, nodes: [a, b] as const, id, view };
}

test('[P6][S3] right after its owner stalled a room code is valid on each node alike', async () => {
  for (const at of [0, 1] as const) {
    const { world, nodes, id, view } = await openRoom();
    const [a] = nodes;
    world.stop(a);
    await world.pass(3_200, 100);
    // The session would have expired by now, and its lost time is not recorded yet.
    const joining = joinAt(serviceAt(world, nodes[at], 11), view, 'bob');
    await world.pass(300, 100);
    world.goOn(a);
    await world.pass(1_500, 100);
    expect([at, (await joining).ok]).toEqual([at, true]);
    const { roster, entries } = (await world.kept.loadSession(id))!;
    expect(roster.map((player) => player?.id).sort()).toEqual(['ann', 'bob']);
    expect(entries.filter(({ record }) => record.k === 'paused')).toHaveLength(1);
  }
});

test('[S3] an expired session cannot be joined on any node', async () => {
  for (const at of [0, 1] as const) {
    const { world, nodes, view } = await openRoom();
    await world.pass(3_000, 100);
    const joining = joinAt(serviceAt(world, nodes[at], 11), view, 'bob');
    await world.pass(1_000, 100);
    expect(await joining).toEqual({ ok: false, refusal: 'room_code_invalid' });
  }
});
