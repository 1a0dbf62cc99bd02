/** Slow commits: in which matches their time is charged to no player. */

import { describe, expect, test } from 'bun:test';
import { release } from '../../../testing/faulty-store.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  connect,
  endOf,
  fateOf,
  kindsOf,
  logOf,
  mark,
  openMatch,
  pass,
  passMaintained,
  play,
  restart,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';

const ID = 'ses_time01';

const start = (options?: Parameters<typeof openMatch>[1]) => openMatch(ID, options);

/** Time passes while other matches begin, and are answered. */
async function passServing(world: World, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await startMatch(world, `ses_serving${world.clock.now()}`);
    await pass(world, 500);
  }
}

describe('[P6] a commit that takes over a second', () => {
  test("[P6] a commit that others overtake is charged to no player of its match, and stops no other match's clock", async () => {
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

  test('[P6] a process that stalls during a commit, and reads its answer first, gives that time back once', async () => {
    const [world, x] = await start();
    await world.host.maintain();
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    world.clock.skip(20_000);
    release(world.faults);
    await settle();
    await passMaintained(world, 2_000);
    const gifts = (await logOf(world, ID)).filter(({ record }) => record.k === 'paused');
    expect(gifts).toMatchObject([{ record: { lostMs: 20_000 } }]);
  });

  test('[P6] after a failed commit the turn has the time it had at the last record', async () => {
    const [world, x] = await start({ setup: { turnTimeoutMs: 30_000 } });
    await pass(world, 5_000);
    world.faults.next.push('held_lost');
    await play(world, ID, x, mark(4));
    await passServing(world, 20_000);
    release(world.faults);
    await settle();
    await world.host.maintain();
    await connect(world, ID, 0);
    expect(await kindsOf(world, ID)).toContain('paused');
    await passMaintained(world, 29_500);
    expect(await fateOf(world, ID)).toBe('active');
    await passMaintained(world, 1_000);
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
  });

  test('[P6][N5] the time of the last commit is not lost in an orderly restart', async () => {
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
    await passMaintained(next, 29_000);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 1_500);
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
    await passMaintained(world, 12_000);
    expect([await fateOf(world, ID), world.host.size()]).toEqual(['ended aborted', 0]);
  });

  test('[P6] a generally slow store gets no extra work from matches without connections', async () => {
    const setup = { afk: false, disconnectGraceMs: 3_600_000 };
    const [world, x, o] = await start({ setup });
    for (const each of [x, o]) world.host.detach(ID, each);
    // Each commit takes 1.5 s.
    for (let s = 0; s < 60; s++) {
      world.faults.next.push('held');
      await passMaintained(world, 1_500);
      release(world.faults);
      await settle();
    }
    const kinds = await kindsOf(world, ID);
    expect(kinds.slice(kinds.indexOf('disconnected'))).toEqual([
      'disconnected',
      'disconnected',
      'paused',
    ]);
    expect(world.host.size()).toBe(0);
  });

  test('[P6] a match that is put to sleep keeps the time that its last commit took', async () => {
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
    await passMaintained(world, 30_000);
    expect(world.host.size()).toBe(inMemory - 1);
    await passMaintained(world, 29_500);
    expect(await fateOf(world, ID)).toBe('active');
    await passMaintained(world, 1_000);
    expect((await endOf(world, ID)).at).toBeGreaterThanOrEqual(from + 65_000);
  });
});

describe('[P6] the time of slow commits is not lost', () => {
  test('[P6] two failed slow commits in a row are charged to no player', async () => {
    const [world, x] = await start({ setup: { turnTimeoutMs: 30_000 } });
    world.faults.next.push('held_lost');
    await play(world, ID, x, mark(4));
    await passServing(world, 20_000);
    release(world.faults);
    await settle();
    world.faults.next.push('held_lost');
    void connect(world, ID, 0);
    await settle();
    await passServing(world, 5_000);
    release(world.faults);
    await settle();
    await connect(world, ID, 0);
    await connect(world, ID, 1);
    await passMaintained(world, 15_000);
    expect([world.stalls, await fateOf(world, ID)]).toEqual([[], 'active']);
    await passMaintained(world, 16_000);
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
  });

  test('[P6] an acknowledged slow commit is in the log at once, as lost time', async () => {
    const [world, x] = await start();
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    await passServing(world, 20_000);
    release(world.faults);
    await settle();
    expect((await logOf(world, ID)).slice(-2)).toMatchObject([
      { record: { k: 'action' } },
      { record: { k: 'paused', lostMs: 20_000 } },
    ]);
  });

  // Half a second after the acknowledgement O, who was shown the move then, has 60 s.
  test.each<[string, (world: World, o: Probe) => Promise<void> | void]>([
    [
      'a commit that fails quickly',
      (world, o) => {
        world.faults.next.push('unknown_lost');
        return play(world, ID, o, mark(0));
      },
    ],
    ['a lapse of the lease', (world) => world.host.releaseAll()],
  ])('[P6] a slow commit is charged to no player after %s', async (_, befall) => {
    const [world, x, o] = await start({ setup: { turnTimeoutMs: 60_000 } });
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    await passServing(world, 20_000);
    release(world.faults);
    await settle();
    await pass(world, 500);
    await befall(world, o);
    await settle();
    await connect(world, ID, 0);
    await connect(world, ID, 1);
    await passMaintained(world, 58_000);
    expect([world.stalls, await fateOf(world, ID)]).toEqual([[], 'active']);
    await passMaintained(world, 3_000);
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
  });

  test.each(['held', 'held_lost'] as const)(
    '[P6][N5] a drain that begins during a slow commit charges it to no player (%s)',
    async (fault) => {
      const [world, x] = await start({ setup: { turnTimeoutMs: 30_000 } });
      world.faults.next.push(fault);
      await play(world, ID, x, mark(4));
      await passServing(world, 20_000);
      const drained = world.host.drain();
      await pass(world, 50, 5);
      release(world.faults);
      await settle();
      await pass(world, 50, 5);
      await drained;
      expect(world.stalls).toEqual([]);
      const next = await restart(world, 2_000);
      await next.host.recover();
      await connect(next, ID, 0);
      await connect(next, ID, 1);
      await passMaintained(next, 28_000);
      expect(await fateOf(next, ID)).toBe('active');
      await passMaintained(next, 3_000);
      expect(await fateOf(next, ID)).toBe('ended afk_timeout');
    },
  );
});

describe('[P6] recording lost time is not itself lost time', () => {
  test('[P6] a player who never moves loses on time, though each commit takes a second and a half', async () => {
    const [world, x] = await start({ setup: { turnTimeoutMs: 30_000 } });
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    for (let passed = 0; passed < 40_000; passed += 1_500) {
      await passMaintained(world, 1_500);
      release(world.faults);
      if (world.faults.next.length === 0) world.faults.next.push('held');
      await settle();
    }
    release(world.faults);
    await settle();
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
    const paused = (await logOf(world, ID)).filter(({ record }) => record.k === 'paused');
    expect(paused).toMatchObject([{ record: { lostMs: 1_500 } }]);
  });

  /**
   * X moves at once, and that commit takes 5 s; O has 30 s from then on, and the lost time is
   * recorded for 40 s.
   */
  async function startPausing(fault: 'held' | 'held_lost') {
    const [world, x, o] = await start({ setup: { turnTimeoutMs: 30_000 } });
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    await passServing(world, 5_000);
    world.faults.next.push(fault);
    release(world.faults);
    await settle();
    await pass(world, 25_000, 500);
    return [world, o] as const;
  }

  test('[P6] a player who moves meanwhile is in time, however long the recording takes', async () => {
    const [world, o] = await startPausing('held');
    await play(world, ID, o, mark(0));
    await pass(world, 15_000, 500);
    release(world.faults);
    await settle();
    expect((await logOf(world, ID)).slice(-3)).toMatchObject([
      { record: { k: 'paused', lostMs: 5_000 } },
      { record: { k: 'paused', lostMs: 40_000 } },
      { record: { k: 'action', seat: 1 } },
    ]);
    expect(world.stalls).toEqual([]);
  });

  test('[P6] no player is charged for a wait without an outcome', async () => {
    const [world, o] = await startPausing('held_lost');
    await play(world, ID, o, mark(0));
    await pass(world, 15_000, 500);
    release(world.faults);
    await settle();
    await connect(world, ID, 0);
    await play(world, ID, await connect(world, ID, 1), mark(0));
    expect((await kindsOf(world, ID)).slice(-2)).toEqual(['paused', 'action']);
  });
});

test('[P6] one match whose commit is slow as it leaves memory does not delay the waking of others', async () => {
  const [world, x] = await start();
  const sleeper = 'ses_sleeper';
  const gone = await startMatch(world, sleeper, { setup: { afk: false } });
  for (const probe of gone) world.host.detach(sleeper, probe);
  await passMaintained(world, 30_000);
  world.faults.next.push('held');
  await play(world, ID, x, mark(4));
  world.host.release(ID);
  // Maintained each second, as by the chores: never twice at once.
  let isUnderWay = false;
  // The grace of both is over after 60 s.
  for (let second = 0; second < 45; second++) {
    await pass(world, 1_000, 250);
    if (isUnderWay) continue;
    isUnderWay = true;
    void world.host.maintain().finally(() => {
      isUnderWay = false;
    });
    await settle();
  }
  expect(await fateOf(world, sleeper)).toBe('ended aborted');
  release(world.faults);
  await settle();
  await passMaintained(world, 2_000);
  expect(await kindsOf(world, ID)).toContain('paused');
});
