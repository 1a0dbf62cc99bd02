/**
 * A player returns in time to a match whose new node gets an error from the store instead of a late
 * answer.
 */

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

const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: 30_000,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

test.each(['read', 'claim'] as const)(
  '[P6] a player loses no turn time who returns in time to a sleeping match whose %s the store refuses after four seconds',
  async (what) => {
    const { world, nodes } = await openThree();
    const [a] = nodes;
    const { claim } = world.members;
    let isSlow = false;
    Object.assign(world.members, {
      async claim(node: string, session: string) {
        if (isSlow && what === 'claim') {
          await new Promise<void>((done) => world.clock.after(4_000, done));
          isSlow = false;
          throw new Error('the connection broke');
        }
        return claim(node, session);
      },
    });
    const d = await world.start('nod_d');
    await world.pass(1_000);
    const { loadSession } = d.store;
    Object.assign(d.store, {
      async loadSession(session: string) {
        if (isSlow && what === 'read') {
          await new Promise<void>((done) => world.clock.after(4_000, done));
          isSlow = false;
          throw new Error('the connection broke');
        }
        return loadSession(session);
      },
    });
    const id = await createAt(world, a, makeRequest({ options }));
    const x = enterAt(a, id, 0);
    const o = enterAt(a, id, 1);
    await world.pass(500);
    a.host.play(id, 0, mark(4), x);
    await world.pass(10);
    a.host.detach(id, x);
    a.host.detach(id, o);
    await world.pass(27_000);
    // Otherwise the first maintenance loads it, without knowing of waiting players.
    if (what === 'claim') for (const each of [...nodes, d]) each.host.maintain = async () => {};
    isSlow = true;
    const y = enterAt(d, id, 1);
    await world.pass(20);
    // Otherwise a command would bring the match here meanwhile.
    if (what === 'read') d.host.play(id, 1, mark(0), y);
    await world.pass(6_500);
    const { entries } = (await world.kept.loadSession(id))!;
    expect(entries.some(({ record }) => record.k === 'forfeited')).toBe(false);
  },
);
