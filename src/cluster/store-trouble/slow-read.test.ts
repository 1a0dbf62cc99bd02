/** A player returns in time to a match whose new node gets late answers from the store. */

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

test.each(['slept', 'was given away by a drain'])(
  '[P6] a player loses no turn time who returns in time to a match that %s, and enters four seconds later because reads are slow',
  async (how) => {
    const { world, nodes } = await openThree();
    const [a, b] = nodes;
    const options = parseOptions(findGame('tictactoe')!, {
      turnTimeoutMs: 30_000,
      disconnectGraceMs: 3_600_000,
    }) as SessionOptions;
    const id = await createAt(world, a, makeRequest({ options }));
    const x = enterAt(a, id, 0);
    const o = enterAt(a, id, 1);
    await world.pass(500);
    a.host.play(id, 0, mark(4), x);
    await world.pass(10);
    if (how === 'slept') {
      a.host.detach(id, x);
      a.host.detach(id, o);
    }
    // O has three seconds left.
    await world.pass(27_000);
    const { loadSession } = b.store;
    Object.assign(b.store, {
      async loadSession(session: string) {
        await new Promise<void>((done) => world.clock.after(4_000, done));
        return loadSession(session);
      },
    });
    if (how !== 'slept') {
      for (const each of nodes.slice(2)) world.stop(each);
      await a.cluster.drain();
      await a.cluster.leave();
      world.kill(a);
    } else for (const each of nodes.filter((n) => n !== b)) each.host.maintain = async () => {};
    const y = enterAt(b, id, 1);
    await world.pass(20);
    b.host.play(id, 1, mark(0), y);
    await world.pass(4_500);
    const { entries } = (await world.kept.loadSession(id))!;
    expect(entries.some(({ record }) => record.k === 'forfeited')).toBe(false);
  },
);

test('[P6] the same when the look-up of its owner takes four seconds', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  const options = parseOptions(findGame('tictactoe')!, {
    turnTimeoutMs: 30_000,
    disconnectGraceMs: 3_600_000,
  }) as SessionOptions;
  const { claim } = world.members;
  // Of this world's nodes only those that begin from now on are slow.
  let isSlow = false;
  Object.assign(world.members, {
    async claim(node: string, session: string) {
      if (isSlow) await new Promise<void>((done) => world.clock.after(4_000, done));
      return claim(node, session);
    },
  });
  const d = await world.start('nod_d');
  await world.pass(1_000);
  const id = await createAt(world, a, makeRequest({ options }));
  const x = enterAt(a, id, 0);
  const o = enterAt(a, id, 1);
  await world.pass(500);
  a.host.play(id, 0, mark(4), x);
  await world.pass(10);
  a.host.detach(id, x);
  a.host.detach(id, o);
  await world.pass(27_000);
  for (const each of [a, b, nodes[2]]) each.host.maintain = async () => {};
  d.host.maintain = async () => {};
  isSlow = true;
  enterAt(d, id, 1);
  await world.pass(4_500);
  const { entries } = (await world.kept.loadSession(id))!;
  expect(entries.some(({ record }) => record.k === 'forfeited')).toBe(false);
});
