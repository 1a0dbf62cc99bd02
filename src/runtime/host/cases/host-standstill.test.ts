/** A process that stalls, as when it is stopped or its machine is suspended. */

import { describe, expect, test } from 'bun:test';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  connect,
  createSession,
  fateOf,
  kindsOf,
  mark,
  namesOf,
  openWorld,
  pass,
  passMaintained,
  play,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';

const ID = 'ses_stand1';

/** In service, as it is after its first maintenance. */
async function openServing(): Promise<World> {
  const world = await openWorld();
  await world.host.maintain();
  return world;
}

/** The clock moves on and nothing has fired; then all timers fire, before sockets are read. */
async function standStill(world: World, ms: number): Promise<void> {
  world.clock.skip(ms);
  world.clock.advance(0);
  await settle();
}

describe('[P6] a process that stalls', () => {
  // The process's beat is due first after the stall, or the match's alarm.
  test.each([50_000, 59_749, 59_800, 59_999])(
    '[P6] a move that was sent in time counts, %d ms into a turn of 60 s',
    async (ms) => {
      const world = await openServing();
      const [x] = (await startMatch(world, ID)) as [Probe, Probe];
      await pass(world, ms);
      await standStill(world, 20_000);
      await play(world, ID, x, mark(4));
      expect(namesOf(x.take())).toContain('ack 5');
      expect((await kindsOf(world, ID)).slice(4)).toEqual(['paused', 'action']);
    },
  );

  test('[P6] a turn keeps its remaining time, and at most a beat more', async () => {
    const world = await openServing();
    await startMatch(world, ID);
    await pass(world, 50_100);
    await standStill(world, 20_000);
    expect(world.stalls).toHaveLength(1);
    await pass(world, 9_899);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 251);
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
  });

  test('[P6] a message read from a socket before any timer fires is in time, too', async () => {
    const world = await openServing();
    const [x] = (await startMatch(world, ID)) as [Probe, Probe];
    await pass(world, 50_000);
    world.clock.skip(20_000);
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toContain('ack 5');
  });

  test('[P6] no player loses by the grace, nor by the clock', async () => {
    const world = await openServing();
    const clock = { initialMs: 30_000, incrementMs: 0 };
    const [, o] = (await startMatch(world, ID, { setup: { disconnectGraceMs: 5_000 } })) as [
      Probe,
      Probe,
    ];
    await startMatch(world, 'ses_stand2', { setup: { clock } });
    world.host.detach(ID, o);
    await pass(world, 4_000);
    await standStill(world, 3_600_000);
    expect([await fateOf(world, ID), await fateOf(world, 'ses_stand2')]).toEqual([
      'active',
      'active',
    ]);
    await connect(world, ID, 1);
    await pass(world, 10_000);
    expect(await fateOf(world, ID)).toBe('active');
  });

  test('[P6] a sleeping session has ten seconds after it', async () => {
    const world = await openServing();
    await createSession(world, ID, { taken: [0] });
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    world.clock.skip(600_000);
    await world.host.maintain();
    await settle();
    expect(await fateOf(world, ID)).toBe('pending');
    await passMaintained(world, 9_000);
    expect(await fateOf(world, ID)).toBe('pending');
    await passMaintained(world, 3_000);
    expect(await fateOf(world, ID)).toBe('ended expired');
  });

  test.each(['sleeps', 'drains'])(
    '[P6] a second stall in a row is given back before the session %s',
    async (how) => {
      const world = await openServing();
      const setup = { turnTimeoutMs: 60_000, disconnectGraceMs: 600_000 };
      const probes = await startMatch(world, ID, { setup });
      for (const probe of probes) world.host.detach(ID, probe);
      await settle();
      await standStill(world, 5_000);
      await passMaintained(world, 2_000);
      await standStill(world, 20_000);
      const drained = how === 'drains' ? world.host.drain() : null;
      await (drained === null ? passMaintained(world, 15_000) : pass(world, 100, 5));
      await drained;
      const { entries, isAsleep } = (await world.kept.loadSession(ID))!;
      expect([isAsleep, ...entries.slice(-2).map(({ record }) => record.k)]).toEqual([
        true,
        'paused',
        'paused',
      ]);
    },
  );

  test('[P6] less than a second is not given back, and an idle service logs nothing', async () => {
    const world = await openServing();
    await startMatch(world, ID);
    for (let n = 0; n < 20; n++) {
      await standStill(world, 700);
      await pass(world, 300);
    }
    // In steps: a commit in progress while the clock moves on takes that long.
    await pass(world, 600_000, 500);
    expect(world.stalls).toEqual([]);
  });

  test('[P6] once drained it leaves no timer, and logs nothing', async () => {
    const world = await openServing();
    expect(world.clock.nextAt()).not.toBeNull();
    await world.host.drain();
    expect(world.clock.nextAt()).toBeNull();
    await standStill(world, 5_000);
    await world.host.maintain();
    expect([world.clock.nextAt(), world.stalls]).toEqual([null, []]);
  });
});
