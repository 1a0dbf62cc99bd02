/** Rule S3a over several nodes: a player who left a seat cannot play it. */

import { expect, test } from 'bun:test';
import type { GameId } from '../../../game/src/game.ts';
import {
  createAt,
  enterAt,
  joinAt,
  makeRequest,
  openThree,
  serviceAt,
} from '../../testing/cluster/cluster-matches.ts';
import { namesOf, TENANT } from '../../testing/matches/match-world.ts';

const request = makeRequest({ game: 'ludo' as GameId, variant: 'classic', seats: 3 });

async function openRoom() {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const id = await createAt(world, a, request);
  const ann = enterAt(a, id, 0, 'ann');
  await world.pass(500);
  const bob = enterAt(b, id, 1, 'bob');
  await world.pass(500);
  expect(world.holderOf(id)).toBe(a.name);
  const rosterOf = async () =>
    (await world.kept.loadSession(id))!.roster.map((player) => player?.id ?? null);
  return { world, nodes: [a, b, c] as const, id, ann, bob, rosterOf };
}

test('[S3a][N1] a player leaves a session that another node owns, and has no seat anywhere', async () => {
  const { world, nodes, id, ann, bob, rosterOf } = await openRoom();
  const [, b, c] = nodes;
  bob.take();
  ann.take();
  b.host.play(id, 1, { kind: 'leave', id: 'l1' }, bob);
  // In flight behind it, for a seat that another player has by then.
  b.host.play(id, 1, { kind: 'leave', id: 'l2' }, bob);
  await world.pass(500);
  expect(namesOf(bob.take())).toEqual(['ack 3', 'left 3', 'reject unknown_session']);
  expect(namesOf(ann.take())).toEqual(['state 3']);
  const service = serviceAt(world, c, 11);
  const view = (await c.host.peek(id))!;
  expect((await all(world, joinAt(service, view, 'cid'))).ok).toBe(true);
  const cid = enterAt(c, id, 1, 'cid');
  await world.pass(500);
  cid.take();
  // Bob's node asks again, as after a broken link, and finds no seat of theirs.
  bob.lost();
  b.host.play(id, 1, { kind: 'leave', id: 'l3' }, bob);
  await world.pass(2_000);
  expect(namesOf(bob.take())).toEqual(['reject unknown_session']);
  expect(await rosterOf()).toEqual(['ann', 'cid']);
  expect(cid.take()).toEqual([]);
});

test('[S3a][N4] the tenant removes a player through any node', async () => {
  const { world, nodes, id, ann, bob, rosterOf } = await openRoom();
  const [, , c] = nodes;
  const service = serviceAt(world, c, 12);
  bob.take();
  ann.take();
  const ref = { tenant: TENANT, id, modes: ['live'] } as const;
  const leaving = { playerId: 'bob', keep: null, audit: undefined };
  const left = await all(world, service.leave(ref, leaving));
  expect(left).toMatchObject({ ok: true, value: { roster: [{ id: 'ann' }, null] } });
  await world.pass(500);
  expect(namesOf(bob.take())).toEqual(['left 3']);
  expect(namesOf(ann.take())).toEqual(['state 3']);
  expect(await rosterOf()).toEqual(['ann']);
  expect(await all(world, service.leave(ref, leaving))).toEqual({
    ok: false,
    refusal: 'player_not_seated',
  });
});

/** The result of a call, with the time that it needs. */
async function all<T>(world: { pass(ms: number): Promise<void> }, call: Promise<T>): Promise<T> {
  await world.pass(1_000);
  return call;
}
