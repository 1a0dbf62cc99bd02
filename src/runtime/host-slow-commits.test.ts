/** Commits that take long: what of it is charged to nobody, in which matches. */

import { describe, expect, test } from 'bun:test';
import { release } from '../testing/faulty-store.ts';
import type { Probe, World } from '../testing/match-world.ts';
import {
  connect,
  endOf,
  fateOf,
  kindsOf,
  logOf,
  mark,
  openMatch,
  openWorld,
  pass,
  passTended,
  play,
  restart,
  settle,
  startMatch,
} from '../testing/match-world.ts';

const ID = 'ses_time01';

const start = (options?: Parameters<typeof openMatch>[1]) => openMatch(ID, options);

/** Time passes while other matches begin, and are answered. */
async function passServing(world: World, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await startMatch(world, `ses_serving${passed}`);
    await pass(world, 500);
  }
}

describe('[P6] a commit that takes over a second', () => {
  test('[P6] a commit that others overtake is charged to nobody in its match, and stops no other’s clock', async () => {
    const [world, x, o] = await start();
    const other = 'ses_time02';
    await startMatch(world, other);
    const from = world.clock.now();
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    await passServing(world, 5_000);
    release(world.faults);
    await settle();
    expect(world.stalls).toEqual([]);
    await pass(world, 55_000, 500);
    expect([await fateOf(world, other), await fateOf(world, ID)]).toEqual([
      'ended afk_timeout',
      'active',
    ]);
    await pass(world, 4_999, 499);
    await play(world, ID, o, mark(0));
    const log = await logOf(world, ID);
    expect(log.slice(-2)).toMatchObject([
      { record: { k: 'paused', lostMs: 5_000 } },
      { at: from + 64_999, record: { k: 'action' } },
    ]);
  });

  test('[P6] nobody was answered for as long as the first of those waited who are answered together', async () => {
    const [world, x] = await start();
    const other = 'ses_time02';
    const [y] = (await startMatch(world, other)) as [Probe, Probe];
    const from = world.clock.now();
    world.faults.next.push('held', 'held');
    await play(world, ID, x, mark(4));
    await pass(world, 8_500, 500);
    await play(world, other, y, mark(4));
    await pass(world, 500);
    world.faults.held.reverse();
    release(world.faults);
    await settle();
    expect(world.stalls).toEqual([{ from, to: from + 9_000 }]);
  });

  test('[P6] a store that answers nobody for certain is not in service', async () => {
    const [world, x] = await start();
    const other = 'ses_time02';
    const [y] = (await startMatch(world, other)) as [Probe, Probe];
    const from = world.clock.now();
    world.faults.next.push('held', 'unknown_committed');
    await play(world, ID, x, mark(4));
    await pass(world, 1_500, 500);
    await play(world, other, y, mark(4));
    await pass(world, 1_500, 500);
    release(world.faults);
    await settle();
    expect(world.downtimes.lostBetween(from, world.clock.now())).toBe(3_000);
  });

  test('[P6] what a commit took that came to nothing is charged to nobody either', async () => {
    const [world, x] = await start({ setup: { turnTimeoutMs: 30_000 } });
    await pass(world, 5_000);
    world.faults.next.push('held_lost');
    await play(world, ID, x, mark(4));
    await passServing(world, 20_000);
    release(world.faults);
    await settle();
    await world.host.tend();
    await connect(world, ID, 0);
    expect(await kindsOf(world, ID)).toContain('paused');
    // Of his 30 s he has had five.
    await passTended(world, 24_500);
    expect(await fateOf(world, ID)).toBe('active');
    await passTended(world, 1_000);
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
  });

  test('[P6][N5] what the last commit took is not forgotten by an orderly restart', async () => {
    const [world, x] = await start({ setup: { turnTimeoutMs: 30_000 } });
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    await passServing(world, 20_000);
    release(world.faults);
    await settle();
    const drained = world.host.drain();
    await pass(world, 50, 5);
    await drained;
    const next = await restart(world, 2_000);
    await next.host.recover();
    await connect(next, ID, 0);
    await connect(next, ID, 1);
    await passTended(next, 29_000);
    expect(await fateOf(next, ID)).toBe('active');
    await passTended(next, 1_500);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
  });

  test('[P6] an ended match leaves memory, however long its last commit took', async () => {
    const [world, x, o] = await start();
    for (const each of [x, o]) world.host.detach(ID, each);
    await settle();
    world.faults.next.push('held');
    world.host.run(ID, { command: () => ({ kind: 'abort' }), done: () => undefined });
    await pass(world, 3_000, 500);
    release(world.faults);
    await passTended(world, 12_000);
    expect([await fateOf(world, ID), world.host.size()]).toEqual(['ended aborted', 0]);
  });

  test('[P6] a store that is slow for everybody is not kept busy by matches that nobody is in', async () => {
    const setup = { afk: false, disconnectGraceMs: 3_600_000 };
    const [world, x, o] = await start({ setup });
    for (const each of [x, o]) world.host.detach(ID, each);
    // Each commit takes 1.5 s.
    for (let s = 0; s < 60; s++) {
      world.faults.next.push('held');
      await passTended(world, 1_500);
      release(world.faults);
      await settle();
    }
    const kinds = await kindsOf(world, ID);
    expect(kinds.slice(kinds.indexOf('disconnected'))).toEqual([
      ...['disconnected', 'disconnected', 'paused'],
    ]);
    expect(world.host.size()).toBe(0);
  });

  test('[P6] a match that is put to sleep does not forget what its last commit took', async () => {
    const [world, x, o] = await start({ setup: { afk: false } });
    world.host.detach(ID, o);
    await settle();
    world.faults.next.push('held');
    world.host.detach(ID, x);
    const from = world.clock.now();
    await settle();
    await passServing(world, 5_000);
    release(world.faults);
    await settle();
    const inMemory = world.host.size();
    await passTended(world, 30_000);
    expect(world.host.size()).toBe(inMemory - 1);
    await passTended(world, 29_500);
    expect(await fateOf(world, ID)).toBe('active');
    await passTended(world, 1_000);
    expect((await endOf(world, ID)).at).toBeGreaterThanOrEqual(from + 65_000);
  });

  test('[P6] a stall of one match’s commit stops the others’ clocks, too', async () => {
    const [world, x] = await start();
    const other = 'ses_time02';
    await startMatch(world, other);
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    await pass(world, 10_000, 1_000);
    release(world.faults);
    await settle();
    await pass(world, 50_000, 10_000);
    expect(await fateOf(world, other)).toBe('active');
    await pass(world, 10_000);
    expect(await fateOf(world, other)).toBe('ended afk_timeout');
  });

  test('[P6] a stall for which many commits wait is one', async () => {
    const world = await openWorld();
    const ids = Array.from({ length: 20 }, (_, n) => `ses_stall${n}`);
    const movers: Probe[] = [];
    for (const id of ids) movers.push((await startMatch(world, id))[0]!);
    const from = world.clock.now();
    for (const [n, id] of ids.entries()) {
      world.faults.next.push('held');
      await play(world, id, movers[n]!, mark(4));
      world.clock.advance(1);
    }
    await pass(world, 3_000, 500);
    release(world.faults);
    await settle();
    expect(world.stalls).toEqual([{ from, to: from + 3_020 }]);
  });
});
