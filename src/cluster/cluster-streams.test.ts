/** Streams of bots' programs, whose sessions are on any node and are lost at times. */

import { expect, test } from 'bun:test';
import { makeBotStreams } from '../runtime/bots/bot-streams.ts';
import { createAt, enterAt, openThree } from '../testing/cluster/cluster-matches.ts';
import type { ClusterNode, ClusterWorld } from '../testing/cluster/cluster-world.ts';
import { mark, namesOf, TENANT } from '../testing/matches/match-world.ts';

/** A session created on `a`, and bob's program on `at`, which is shown it; its frames since. */
async function openStream(world: ClusterWorld, a: ClusterNode, at: ClusterNode) {
  const session = await createAt(world, a);
  const { host, store, clock } = at;
  const streams = makeBotStreams({ host, store, clock, onError: (e) => void at.errors.push(e) });
  const stream = await streams.open({ tenant: TENANT, mode: 'live', playerId: 'bob' });
  streams.seated((await a.host.peek(session))!.row, 'bob', 1);
  await world.pass(150);
  const frames = () => (stream.next() ?? []).map((text) => JSON.parse(text));
  expect(namesOf(frames()).length).toBeGreaterThan(0);
  return { session, frames };
}

test('[B3] a stream has its session again after one commit of unknown outcome and a failed read', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const { session, frames } = await openStream(world, a, c);
  const x = enterAt(a, session, 0);
  await world.pass(150);
  frames();
  c.faults.failLoads = true;
  c.faults.next.push('unknown_lost');
  a.host.play(session, 0, mark(4), x);
  await world.pass(300);
  c.faults.failLoads = false;
  await world.pass(15_000, 50);
  frames();
  a.host.play(session, 0, mark(4), x);
  await world.pass(1_000);
  expect(namesOf(frames()).at(-1)).toMatch('update');
});

test('[B3] and after the store was unavailable for longer than any request waits', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const { session, frames } = await openStream(world, a, c);
  expect(world.holderOf(session)).toBe(c.name);
  c.faults.failLoads = true;
  c.local.release(session);
  await world.pass(40_000, 100);
  c.faults.failLoads = false;
  await world.pass(35_000, 50);
  frames();
  const x = enterAt(a, session, 0);
  await world.pass(2_000);
  a.host.play(session, 0, mark(4), x);
  await world.pass(1_000);
  expect(namesOf(frames()).at(-1)).toMatch('update');
});

test('[B3] a match whose end a stream is shown in a whole state leaves it, and memory', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const { session, frames } = await openStream(world, a, c);
  const x = enterAt(c, session, 0);
  await world.pass(150);
  const { loadSession } = c.store;
  // The end is committed, but its result is unknown at first.
  c.faults.next.push('unknown_committed');
  c.store.loadSession = () => {
    c.store.loadSession = loadSession;
    return Promise.reject(new Error('cannot be read'));
  };
  c.host.play(session, 0, { kind: 'resign', id: 'r' }, x);
  await world.pass(500);
  c.host.detach(session, x);
  await world.pass(60_000, 100);
  expect(frames().at(-1)).toMatchObject({ t: 'state', status: 'ended' });
  // The reader has it: nothing waits for it any more.
  await world.pass(1);
  expect(c.local.size()).toBe(0);
});

test('[B3] the end of a match on another node is sent as a state when the stream overflowed', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const session = await createAt(world, a);
  const x = enterAt(a, session, 0);
  await world.pass(150);
  expect(world.holderOf(session)).toBe(a.name);
  const { host, store, clock } = c;
  const streams = makeBotStreams({ host, store, clock, onError: (e) => void c.errors.push(e) });
  const stream = await streams.open({ tenant: TENANT, mode: 'live', playerId: 'bob' });
  streams.seated((await a.host.peek(session))!.row, 'bob', 1);
  await world.pass(150);
  const frames = () => (stream.next() ?? []).map((text) => JSON.parse(text));
  expect(namesOf(frames()).length).toBeGreaterThan(0);
  a.host.play(session, 0, { kind: 'resign', id: 'r' }, x);
  await world.pass(500);
  a.host.detach(session, x);
  for (let n = 0; n < 20; n += 1) {
    a.host.relay(session, () => JSON.stringify({ t: 'emote', pad: 'x'.repeat(30_000) }));
  }
  await world.pass(500);
  expect(frames()).toEqual([]);
  await world.pass(500);
  expect(frames()).toMatchObject([{ t: 'state', s: session, status: 'ended' }]);
  await world.pass(500);
  expect([a.local.size(), c.local.size()]).toEqual([0, 0]);
});
