/** Time in the match host: warnings, turns, graces, and time that is charged to no player. */

import { describe, expect, test } from 'bun:test';
import { openMemoryDatabase } from '../../../store/sqlite/memory-store.ts';
import { release } from '../../../testing/faulty-store.ts';
import { makeManualClock } from '../../../testing/manual-clock.ts';
import {
  act,
  attach,
  connect,
  createSession,
  endOf,
  fateOf,
  kindsOf,
  logOf,
  mark,
  namesOf,
  openMatch,
  openWorld,
  pass,
  passMaintained,
  play,
  restart,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';

const ID = 'ses_time01';

const start = (options?: Parameters<typeof openMatch>[1]) => openMatch(ID, options);

describe('[P6] turn time', () => {
  test('[P6] a warning at two thirds, the loss at the end, neither a millisecond early', async () => {
    const [world, x, o] = await start();
    const begin = world.clock.now();
    await pass(world, 39_999);
    expect(x.take()).toEqual([]);
    await pass(world, 1);
    const deadline = new Date(begin + 60_000).toISOString();
    const warning = { t: 'warning', s: ID, v: 3, prev: 3, kind: 'afk', seat: 0, deadline };
    expect([x.take(), o.take()]).toEqual([[warning], [warning]]);
    await pass(world, 19_999);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 1);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended afk_timeout', at: begin + 60_000 });
    expect(namesOf(o.take())).toEqual(['update 4', 'over 5']);
  });

  test('[P6] a move gives the next player the whole time, and warns again', async () => {
    const [world, x, o] = await start();
    await pass(world, 50_000);
    expect(namesOf(x.take())).toEqual(['warning 3']);
    await play(world, ID, x, mark(4));
    o.take();
    await pass(world, 39_999);
    expect(namesOf(o.take())).toEqual([]);
    await pass(world, 1);
    expect(namesOf(o.take())).toEqual(['warning 4']);
    await pass(world, 20_000);
    expect((await endOf(world, ID)).fate).toBe('ended afk_timeout');
  });

  test('[P6] a move that arrives as the time ends is too late', async () => {
    const [world, x, o] = await start();
    world.clock.advance(59_999);
    world.host.play(ID, 0, mark(4), x);
    await settle();
    expect(await fateOf(world, ID)).toBe('active');
    const spent = world.clock.now();
    world.clock.advance(60_000);
    world.host.play(ID, 1, mark(0), o);
    await settle();
    expect(namesOf(o.take()).slice(-2)).toEqual(['over 6', 'reject session_ended']);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended afk_timeout', at: spent + 60_000 });
  });

  test('[P6] without `afk` no player is warned and none loses', async () => {
    const [world, x] = await start({ setup: { afk: false } });
    await passMaintained(world, 300_000);
    expect(x.take()).toEqual([]);
    expect(await fateOf(world, ID)).toBe('active');
  });

  test('[P6] a chess clock flags at its exact time', async () => {
    const clock = { initialMs: 10_000, incrementMs: 1_000 };
    const [world, x, o] = await start({ setup: { clock } });
    await pass(world, 9_000);
    await play(world, ID, x, mark(4));
    await pass(world, 5_000);
    await play(world, ID, o, mark(0));
    const begin = world.clock.now();
    await pass(world, 1_999);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 1);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended clock_timeout', at: begin + 2_000 });
  });

  test('[S1] a session that does not become active in time expires', async () => {
    const world = await openWorld();
    const expiresAt = world.clock.now() + 300_000;
    await createSession(world, ID, { setup: { expiresAt } });
    const first = await connect(world, ID, 0);
    await passMaintained(world, 299_999);
    expect(await fateOf(world, ID)).toBe('pending');
    await pass(world, 1);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended expired', at: expiresAt });
    expect(namesOf(first.take()).at(-1)).toBe('over 2');
  });
});

describe('[P6] grace', () => {
  test('[P6] a dropped player has the grace and then loses', async () => {
    const [world, , o] = await start({ setup: { afk: false } });
    const gone = world.clock.now();
    world.host.detach(ID, o);
    await settle();
    await pass(world, 59_999);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 1);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended disconnect', at: gone + 60_000 });
  });

  test('[P6] a player who returns in time plays on, and has the whole grace the next time', async () => {
    const [world, , o] = await start({ setup: { afk: false } });
    world.host.detach(ID, o);
    await pass(world, 59_000);
    const back = await connect(world, ID, 1);
    await pass(world, 120_000, 30_000);
    expect(await fateOf(world, ID)).toBe('active');
    world.host.detach(ID, back);
    await settle();
    await pass(world, 59_999);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 1);
    expect(await fateOf(world, ID)).toBe('ended disconnect');
  });

  test('[S8] when both are disconnected past their grace there is no winner', async () => {
    const [world, x, o] = await start({ setup: { afk: false } });
    world.host.detach(ID, x);
    await pass(world, 30_000);
    world.host.detach(ID, o);
    await settle();
    await passMaintained(world, 59_000);
    expect(await fateOf(world, ID)).toBe('active');
    await passMaintained(world, 2_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
  });

  test('[S1] a session that starts and ends at once has both times in its row', async () => {
    const world = await openWorld();
    await createSession(world, ID, { setup: { disconnectGraceMs: 0 } });
    const first = await connect(world, ID, 0);
    world.host.detach(ID, first);
    await settle();
    await connect(world, ID, 1);
    expect(await kindsOf(world, ID)).toEqual([
      'created',
      'connected',
      'disconnected',
      'connected',
      'started',
      'forfeited',
      'ended',
    ]);
    const { row } = (await world.kept.loadSession(ID))!;
    expect(row.startedAt).toBe(world.clock.now());
    expect((await world.host.peek(ID))!.row).toEqual(row);
  });
});

describe('[P6] time lost by the service is charged to no player', () => {
  test('[P6] a commit that takes longer than a second stops the clocks, and the log says so', async () => {
    const [world, x, o] = await start();
    await pass(world, 50_000);
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    const from = world.clock.now();
    await pass(world, 5_000, 500);
    release(world.faults);
    await settle();
    expect(world.stalls).toEqual([]);
    // O was notified five seconds late, still has the whole minute, and is shown that at once.
    const deadline = new Date(from + 65_000).toISOString();
    expect(o.take().at(-1)).toMatchObject({ t: 'state', status: 'active', deadline });
    expect(await kindsOf(world, ID)).toContain('paused');
    await pass(world, 39_999, 1_000);
    expect(o.take()).toEqual([]);
    await pass(world, 1);
    expect(o.take()).toMatchObject([{ t: 'warning', deadline }]);
    await pass(world, 19_999, 1_000);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 1);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended afk_timeout', at: from + 65_000 });
  });

  test('[P6] a faster commit is charged to the players as usual', async () => {
    const [world, x] = await start();
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    const moved = world.clock.now();
    await pass(world, 999);
    release(world.faults);
    await settle();
    expect(world.stalls).toEqual([]);
    await pass(world, 59_001);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended afk_timeout', at: moved + 60_000 });
  });

  test('[P6] after a crash every connected player has the whole grace from then on', async () => {
    const [world] = await start({ setup: { afk: false } });
    await pass(world, 30_000);
    const next = await restart(world, 3_600_000);
    const up = next.clock.now();
    expect(await next.host.recover()).toBe(1);
    expect((await kindsOf(next, ID)).at(-1)).toBe('owned');
    await connect(next, ID, 0);
    await passMaintained(next, 59_999);
    expect(await fateOf(next, ID)).toBe('active');
    await pass(next, 1);
    expect(await endOf(next, ID)).toEqual({ fate: 'ended disconnect', at: up + 60_000 });
  });

  test('[P6] a crash costs no turn time, however long the service was down', async () => {
    const [world, x] = await start();
    await pass(world, 20_000);
    await play(world, ID, x, mark(4));
    await pass(world, 20_000);
    const next = await restart(world, 3_600_000);
    await next.host.recover();
    const o = await connect(next, ID, 1);
    await connect(next, ID, 0);
    await pass(next, 39_999, 13_333);
    expect(await fateOf(next, ID)).toBe('active');
    await play(next, ID, o, act('late', { position: 0 }));
    expect(namesOf(o.take())).toContain('ack 8');
  });

  test('[P6] a match read from the store before its creator has adopted it is given no lost time back', async () => {
    for (const [passedMs, kinds] of [
      [3, []],
      [1_500, ['paused']],
    ] as const) {
      const [{ kept, node, clock }] = await start();
      // It is of the same process, which has not heard of its commit yet.
      const maker = await openWorld({ kept, node, clock: makeManualClock(clock.now() + passedMs) });
      await connect(maker, ID, 0);
      expect((await kindsOf(maker, ID)).slice(4)).toEqual([...kinds]);
    }
  });

  test('[N2][P6] the time that the store takes to name the owner of a dead node’s session is charged to no player', async () => {
    const database = openMemoryDatabase();
    const world = await openWorld({ kept: database.openNode('nod_1'), node: 'nod_1' });
    await startMatch(world, ID);
    await pass(world, 20_000);
    const diedAt = world.clock.now();
    const { clock } = world;
    const next = await openWorld({
      kept: database.openNode('nod_2'),
      clock,
      node: 'nod_2',
      peers: {
        lastSignOf: async () => diedAt,
        async isElsewhere() {
          clock.advance(3_000);
          return false;
        },
      },
    });
    clock.advance(7_000);
    await connect(next, ID, 0);
    const log = await logOf(next, ID);
    expect(log.find(({ record }) => record.k === 'owned')).toMatchObject({
      at: diedAt + 10_000,
      record: { k: 'owned', lostMs: 10_000 },
    });
  });

  test('[P6] a player absent before a crash has the rest of the grace after it', async () => {
    const [world, , o] = await start({ setup: { afk: false } });
    world.host.detach(ID, o);
    await settle();
    await pass(world, 20_000);
    const next = await restart(world, 600_000);
    const up = next.clock.now();
    await next.host.recover();
    await connect(next, ID, 0);
    await pass(next, 39_999);
    expect(await fateOf(next, ID)).toBe('active');
    await pass(next, 1);
    expect(await endOf(next, ID)).toEqual({ fate: 'ended disconnect', at: up + 40_000 });
  });

  test('[P6] a match whose log is ahead, because its process’s clock was, continues in its own time', async () => {
    const HOUR_MS = 3_600_000;
    const [world] = await start();
    const rightNow = world.clock.now() - HOUR_MS;
    // The clock is right again after the restart: an hour behind the log.
    const next = await openWorld({
      kept: world.kept,
      clock: makeManualClock(rightNow),
      node: 'nod_2',
    });
    await next.host.recover();
    const o = await connect(next, ID, 1);
    const x = await connect(next, ID, 0);
    await passMaintained(next, 50_000);
    expect(await fateOf(next, ID)).toBe('active');
    await play(next, ID, x, mark(4));
    expect(namesOf(o.take())).toContain('update 7');
    await passMaintained(next, 59_000);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 2_000);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
  });

  test('[P6][S1] a session created while the clock was ahead expires in time', async () => {
    const world = await openWorld();
    const expiresAt = world.clock.now() + 300_000;
    await createSession(world, ID, { setup: { expiresAt }, taken: [0] });
    const clock = makeManualClock(world.clock.now() - 3_600_000);
    const next = await openWorld({ kept: world.kept, clock, node: 'nod_2' });
    await next.host.recover();
    await connect(next, ID, 0);
    await passMaintained(next, 299_000);
    expect(await fateOf(next, ID)).toBe('pending');
    await passMaintained(next, 2_000);
    expect(await fateOf(next, ID)).toBe('ended expired');
  });

  test('[P6] a match whose log is ahead ends its turn in time with both players disconnected', async () => {
    const HOUR_MS = 3_600_000;
    const world = await openWorld();
    const setup = { turnTimeoutMs: 60_000, disconnectGraceMs: 10 * HOUR_MS };
    await startMatch(world, ID, { setup });
    const clock = makeManualClock(world.clock.now() - HOUR_MS);
    const next = await openWorld({ kept: world.kept, clock, node: 'nod_2' });
    await next.host.recover();
    const [x, o] = [await connect(next, ID, 0), await connect(next, ID, 1)];
    await play(next, ID, x, mark(4));
    for (const probe of [x, o]) next.host.detach(ID, probe);
    const movedAt = clock.now();
    await passMaintained(next, 59_500);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 1_500);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
    // Its records are ahead by as much as they were.
    expect((await endOf(next, ID)).at).toBe(movedAt + HOUR_MS + 60_000);
    await passMaintained(next, 11_000);
    expect(next.host.size()).toBe(0);
  });

  test('[P6][N5] a restart ends no match whose grace is 0, and its frames show the deadline', async () => {
    const [world] = await start({ setup: { disconnectGraceMs: 0 } });
    const next = await restart(world, 1_000);
    const up = next.clock.now();
    await next.host.recover();
    const x = await connect(next, ID, 0);
    expect(await fateOf(next, ID)).toBe('active');
    const [state] = next.host.stateFor(ID, x.viewer);
    expect(JSON.parse(state!).graces).toEqual([null, new Date(up + 10_000).toISOString()]);
    await passMaintained(next, 9_500);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 500);
    expect(await endOf(next, ID)).toEqual({ fate: 'ended disconnect', at: up + 10_000 });
  });

  test('[P6][N3] a player whose match had to leave memory has ten seconds to return, whatever the grace', async () => {
    const [world, x] = await start({ setup: { disconnectGraceMs: 0 } });
    world.host.release(ID);
    await world.host.maintain();
    await settle();
    const left = world.clock.now();
    expect((await logOf(world, ID)).slice(-2).map(({ record }) => record)).toEqual([
      { k: 'disconnected', seat: 0, putAway: true },
      { k: 'disconnected', seat: 1, putAway: true },
    ]);
    await pass(world, 5_000);
    await attach(world, ID, x);
    await pass(world, 4_999);
    expect(await fateOf(world, ID)).toBe('active');
    await pass(world, 1);
    expect(await endOf(world, ID)).toEqual({ fate: 'ended disconnect', at: left + 10_000 });
  });

  test('[P6] a returned player who disconnects has the grace and no more', async () => {
    const [world, x] = await start({ setup: { disconnectGraceMs: 0 } });
    world.host.release(ID);
    await world.host.maintain();
    await attach(world, ID, x);
    await connect(world, ID, 1);
    world.host.detach(ID, x);
    await settle();
    await pass(world, 1);
    expect((await endOf(world, ID)).fate).toBe('ended disconnect');
  });

  test('[P6][N5] a player does not lose against a bot because the service restarts', async () => {
    const world = await openWorld();
    await createSession(world, ID, { setup: { disconnectGraceMs: 0 }, taken: [0] });
    const seated = { playerId: 'bot', displayName: null, isBot: true, newRef: 'ply_b', at: 0 };
    await new Promise<void>((resolve) =>
      world.host.run(ID, {
        command: () => ({ kind: 'join', bot: true, level: 'easy' }),
        change: () => ({ seats: [{ seat: 1, ...seated }] }),
        done: () => void resolve(),
      }),
    );
    await connect(world, ID, 0);
    expect(await fateOf(world, ID)).toBe('active');
    const next = await restart(world, 1_000);
    await next.host.recover();
    await settle();
    expect(await fateOf(next, ID)).toBe('active');
    await connect(next, ID, 0);
    await passMaintained(next, 20_000);
    expect(await fateOf(next, ID)).toBe('active');
  });

  test('[P6][N5] the time between a drain that closed the sockets and the next process is charged to no player', async () => {
    const [world, x, o] = await start({ setup: { turnTimeoutMs: 30_000 } });
    await pass(world, 5_000);
    for (const probe of [x, o]) world.host.detach(ID, probe, true);
    const drained = world.host.drain();
    await pass(world, 100, 5);
    await drained;
    const next = await restart(world, 60_000);
    await next.host.recover();
    await connect(next, ID, 0);
    await connect(next, ID, 1);
    await passMaintained(next, 24_500);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 1_000);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
  });

  test('[P6] a second crash right after the first is charged to no player, either', async () => {
    const [world] = await start();
    await pass(world, 10_000);
    const second = await restart(world, 100_000);
    await second.host.recover();
    await pass(second, 10_000);
    const third = await restart(second, 100_000);
    await third.host.recover();
    await connect(third, ID, 0);
    await connect(third, ID, 1);
    await pass(third, 39_999);
    expect(await fateOf(third, ID)).toBe('active');
    await pass(third, 1);
    expect(await fateOf(third, ID)).toBe('ended afk_timeout');
  });
});
