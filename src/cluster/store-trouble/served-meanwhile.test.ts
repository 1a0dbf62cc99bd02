/** A claim that hangs, on a match that its own node served throughout. */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { createAt, enterAt, makeRequest } from '../../testing/cluster/cluster-matches.ts';
import { openClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { mark } from '../../testing/matches/match-world.ts';

const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: 60_000,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

test.each([true, false])(
  '[P6] a claim that hangs for 20 s, and fails (%p), while its player came by another node: no time is given back',
  async (fails) => {
    const world = openClusterWorld();
    const { claim } = world.members;
    let hangs = 0;
    Object.assign(world.members, {
      async claim(node: string, session: string) {
        if (hangs-- > 0) {
          await new Promise<void>((done) => void world.clock.after(20_000, done));
          if (fails) throw new Error('the connection broke');
        }
        return claim(node, session);
      },
    });
    const a = await world.start('nod_a');
    const b = await world.start('nod_b');
    await world.pass(1_000);
    const id = await createAt(world, a, makeRequest({ options }));
    const x0 = enterAt(a, id, 0);
    const o0 = enterAt(a, id, 1);
    await world.pass(500);
    a.host.detach(id, x0);
    a.host.detach(id, o0);
    await world.pass(15_000);
    expect(world.holderOf(id)).toBeNull();
    hangs = 1;
    const first = enterAt(b, id, 0);
    await world.pass(100);
    b.host.detach(id, first);
    const x = enterAt(b, id, 0);
    const o = enterAt(b, id, 1);
    await world.pass(200);
    b.host.play(id, 0, mark(4), x);
    await world.pass(100);
    const moved = (await world.kept.loadSession(id))!.entries.at(-1)!;
    expect(moved.record.k).toBe('action');
    await world.pass(90_000);
    const { entries } = (await world.kept.loadSession(id))!;
    const later = entries.filter(({ v }) => v > moved.v);
    const lost = later.reduce(
      (s, { record }) => s + Number('lostMs' in record && record.lostMs),
      0,
    );
    expect(lost).toBe(0);
    void o;
  },
);

test('[P6] a sleeping match is requested by two nodes at once, and read before the claim is answered: its sleep is not given back', async () => {
  const world = openClusterWorld();
  const { claim } = world.members;
  let lateMs = 0;
  Object.assign(world.members, {
    async claim(node: string, session: string) {
      const claimed = await claim(node, session);
      if (lateMs > 0) await new Promise<void>((done) => void world.clock.after(lateMs, done));
      return claimed;
    },
  });
  const a = await world.start('nod_a');
  await world.start('nod_b');
  await world.pass(1_000);
  const id = await createAt(world, a, makeRequest({ options }));
  const seats = [enterAt(a, id, 0), enterAt(a, id, 1)];
  await world.pass(500);
  for (const seat of seats) a.host.detach(id, seat);
  await world.pass(30_000);
  expect(world.holderOf(id)).toBeNull();
  lateMs = 50;
  enterAt(a, id, 0);
  await world.pass(10);
  const told = a.host.playAs(id, { seat: 0, player: null }, mark(4));
  await world.pass(200);
  expect(await told).toMatchObject({ kind: 'done' });
  const { entries } = (await world.kept.loadSession(id))!;
  expect(entries.map(({ record }) => record.k)).not.toContain('paused');
});
