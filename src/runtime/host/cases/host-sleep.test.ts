/** Matches without connections: out of memory, back when due or requested, found after a crash. */

import { describe, expect, test } from 'bun:test';
import { openMemoryStore } from '../../../store/sqlite/memory-store.ts';
import type { CoreStore, SessionChange } from '../../../store/store.ts';
import { WORLDS } from '../../../store/world.ts';
import { release } from '../../../testing/faulty-store.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  connect,
  createSession,
  fateOf,
  kindsOf,
  logOf,
  makeProbe,
  mark,
  namesOf,
  openWorld,
  pass,
  passMaintained,
  play,
  playerOf,
  restart,
  settle,
  startMatch,
  TENANT,
} from '../../../testing/matches/match-world.ts';

const ID = 'ses_sleep1';
const DAY_MS = 86_400_000;

/** A match of slow players, who have disconnected. */
async function leaveAlone(
  setup: object = { turnTimeoutMs: DAY_MS, disconnectGraceMs: 2 * DAY_MS },
) {
  const world = await openWorld();
  const probes = (await startMatch(world, ID, { setup })) as [Probe, Probe];
  for (const probe of probes) world.host.detach(ID, probe);
  await settle();
  return world;
}

async function wakeTimes(world: World): Promise<string> {
  const due = await world.kept.claimDue(Number.MAX_SAFE_INTEGER, 99);
  const awake = await world.kept.claimAwake('', 99);
  return `due ${due.length} awake ${awake.length}`;
}

describe('[P6] sleep', () => {
  test('[P6] ten seconds after the last disconnection a session leaves memory, and its deadline is stored', async () => {
    const world = await leaveAlone();
    await pass(world, 9_999);
    await world.host.maintain();
    expect(world.host.size()).toBe(1);
    expect(await wakeTimes(world)).toBe('due 0 awake 1');
    await pass(world, 1);
    await world.host.maintain();
    expect(world.host.size()).toBe(0);
    expect(await wakeTimes(world)).toBe('due 1 awake 0');
    const start = (await logOf(world, ID))[3]!.at;
    expect(await world.kept.claimDue(start + DAY_MS - 1, 9)).toEqual([]);
    expect(await world.kept.claimDue(start + DAY_MS, 9)).toEqual([ID]);
  });

  test('[P6] it is woken when it is due, and its end is recorded', async () => {
    const world = await leaveAlone();
    await passMaintained(world, 12_000);
    world.clock.advance(DAY_MS - 13_000);
    await world.host.maintain();
    expect(world.host.size()).toBe(0);
    await passMaintained(world, 2_000);
    expect(await fateOf(world, ID)).toBe('ended afk_timeout');
    // To the second.
    const [start, end] = [(await logOf(world, ID))[3]!.at, (await logOf(world, ID)).at(-1)!.at];
    expect(end - start).toBeWithin(DAY_MS, DAY_MS + 1_001);
    expect(await wakeTimes(world)).toBe('due 0 awake 0');
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
  });

  test('[P6] a sleeping match is loaded unchanged; a commit takes its deadline back', async () => {
    const world = await leaveAlone();
    await passMaintained(world, 12_000);
    const x = makeProbe(0);
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['ack 6']);
    expect(await wakeTimes(world)).toBe('due 0 awake 1');
    await passMaintained(world, 12_000);
    expect(await wakeTimes(world)).toBe('due 1 awake 0');
    // Now the end of the new turn is stored.
    const moved = (await logOf(world, ID))[6]!.at;
    expect(await world.kept.claimDue(moved + DAY_MS - 1, 9)).toEqual([]);
    expect(await world.kept.claimDue(moved + DAY_MS, 9)).toEqual([ID]);
  });

  test('[P6] only the first commit after sleep takes the session back; moves are plain records', async () => {
    const memory = openMemoryStore();
    const changes: (SessionChange | null)[] = [];
    const kept: CoreStore = {
      ...memory,
      commit(commit, done) {
        changes.push(commit.change);
        memory.commit(commit, done);
      },
    };
    const world = await openWorld({ kept });
    const [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
    for (const probe of [x, o]) world.host.detach(ID, probe);
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    changes.length = 0;
    for (const [n, position] of [0, 1, 2, 4].entries()) {
      await play(world, ID, n % 2 === 0 ? x : o, mark(position));
    }
    expect(changes).toEqual([{ awake: true }, null, null, null]);
  });

  test('[P6] reading it neither wakes it nor keeps it in memory', async () => {
    const world = await leaveAlone();
    await passMaintained(world, 12_000);
    expect((await world.host.peek(ID))!.session).toMatchObject({ status: 'active', v: 5 });
    expect(world.host.size()).toBe(0);
    const watcher = await connect(world, ID, null);
    expect(world.host.size()).toBe(1);
    await passMaintained(world, 60_000);
    expect(world.host.size()).toBe(1);
    world.host.detach(ID, watcher);
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    expect(await wakeTimes(world)).toBe('due 1 awake 0');
    expect((await logOf(world, ID)).length).toBe(6);
  });

  test('[P6] a session without a deadline sleeps until a player comes', async () => {
    const world = await openWorld();
    const setup = { afk: false };
    const [x] = (await startMatch(world, ID, { setup })) as [Probe, Probe];
    const { session } = (await world.host.peek(ID))!;
    expect(session.status).toBe('active');
    await passMaintained(world, 60_000);
    expect(world.host.size()).toBe(1);
    expect(x.losses).toBe(0);
  });

  test('[P6] an ended one leaves memory, and returns to answer repeats', async () => {
    const world = await openWorld();
    const [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
    await play(world, ID, x, { kind: 'resign', id: 'r' });
    for (const probe of [x, o]) world.host.detach(ID, probe);
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    await play(world, ID, x, { kind: 'resign', id: 'r' });
    expect(namesOf(x.take()).at(-1)).toBe('ack 4');
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    expect(await wakeTimes(world)).toBe('due 0 awake 0');
  });

  test('[P6] a player who connects while it is being put to sleep keeps it awake', async () => {
    const world = await leaveAlone();
    await pass(world, 10_000);
    const maintaining = world.host.maintain();
    const back = makeProbe(0);
    const attached = new Promise((resolve) => world.host.attach(ID, back, resolve));
    await Promise.all([maintaining, attached]);
    await settle();
    expect(world.host.size()).toBe(1);
    expect(await wakeTimes(world)).toBe('due 0 awake 1');
    await play(world, ID, back, mark(4));
    expect(namesOf(back.take())).toEqual(['ack 7', 'update 7']);
  });

  test('[P6] a watcher who attaches while it is being put to sleep is shown what follows', async () => {
    const world = await leaveAlone();
    await pass(world, 10_000);
    const maintaining = world.host.maintain();
    const watcher = makeProbe(null);
    world.host.attach(ID, watcher, () => undefined);
    await maintaining;
    await settle();
    const x = await connect(world, ID, 0);
    await play(world, ID, x, mark(4));
    expect(namesOf(watcher.take())).toEqual(['presence 6', 'update 7']);
  });

  test('[P6] what the store did not accept stays in memory with its deadline, and is written again', async () => {
    const world = await leaveAlone({ afk: false, disconnectGraceMs: 40_000 });
    await pass(world, 10_000);
    world.faults.failSleeps = true;
    await world.host.maintain().catch(() => undefined);
    await pass(world, 1_000);
    await world.host.maintain().catch(() => undefined);
    expect(world.host.size()).toBe(1);
    world.faults.failSleeps = false;
    await passMaintained(world, 1_000);
    expect(world.host.size()).toBe(0);
    expect(await wakeTimes(world)).toBe('due 1 awake 0');
    await passMaintained(world, 30_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
  });

  test('[P6] many that are due at once are all woken', async () => {
    const world = await openWorld();
    for (let n = 0; n < 450; n++) {
      const setup = { expiresAt: world.clock.now() + 60_000 };
      await createSession(world, `ses_${String(n).padStart(6, '0')}`, { setup, taken: [0] });
    }
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    await passMaintained(world, 50_000);
    const fates = await world.kept.listSessions({
      tenant: 'ten_a',
      mode: null,
      game: null,
      status: 'ended',
      playerId: null,
      createdFrom: null,
      createdTo: null,
      before: null,
      limit: 1_000,
    });
    expect(fates.length).toBe(450);
  });

  test('[P6] many that fall asleep at once do so in steps: moves wait behind each', async () => {
    const memory = openMemoryStore();
    const steps: number[] = [];
    const kept: CoreStore = {
      ...memory,
      sleep(sessions) {
        steps.push(sessions.length);
        return memory.sleep(sessions);
      },
    };
    const world = await openWorld({ kept });
    for (let n = 0; n < 600; n++) await createSession(world, `ses_${String(n).padStart(6, '0')}`);
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    expect(steps).toEqual([250, 250, 100]);
  });

  test('[P6] those that cannot be read delay no others', async () => {
    const world = await leaveAlone({ turnTimeoutMs: DAY_MS });
    await passMaintained(world, 12_000);
    world.faults.failLoads = true;
    world.clock.advance(DAY_MS);
    await world.host.maintain();
    await settle();
    await passMaintained(world, 3_000);
    // Said once.
    expect([world.unread, world.broken]).toEqual([[ID], []]);
    world.faults.failLoads = false;
    await passMaintained(world, 9_000);
    expect(await fateOf(world, ID)).toBe('active');
    await passMaintained(world, 2_000);
    expect(await fateOf(world, ID)).toMatch(/^ended/);
  });

  test('[P6] a sleeping session goes by the clock, whether or not a process serves', async () => {
    const world = await leaveAlone({ turnTimeoutMs: 3_600_000, disconnectGraceMs: DAY_MS });
    await passMaintained(world, 12_000);
    const next = await restart(world, 3_500_000);
    expect(await next.host.recover()).toBe(0);
    await passMaintained(next, 87_000);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 2_000);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
  });

  test('[P6] one that was due while no process served has ten seconds from the moment it is woken', async () => {
    const world = await leaveAlone({ turnTimeoutMs: 3_600_000, disconnectGraceMs: 5 * DAY_MS });
    await passMaintained(world, 12_000);
    const next = await restart(world, 2 * DAY_MS);
    await passMaintained(next, 9_500);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 1_500);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
  });
});

describe('[P6] recovery', () => {
  test('what cannot be read or written at the start is recovered as soon as it can be', async () => {
    for (const fault of ['read', 'write'] as const) {
      const world = await openWorld();
      await startMatch(world, 'ses_1');
      const next = await restart(world);
      if (fault === 'read') next.faults.failLoads = true;
      else next.faults.next.push('unknown_lost');
      await next.host.recover();
      next.faults.failLoads = false;
      expect(await kindsOf(next, 'ses_1')).not.toContain('owned');
      await passMaintained(next, 2_000);
      expect(await kindsOf(next, 'ses_1')).toContain('owned');
      // No player has returned: those connected by the log have been away since.
      expect(next.host.size()).toBe(1);
    }
  });

  test('[P6] sessions a process left awake are taken over, sleeping ones stay asleep', async () => {
    const world = await leaveAlone();
    await passMaintained(world, 12_000);
    await startMatch(world, 'ses_awake1');
    await createSession(world, 'ses_fresh1', { taken: [0] });
    const next = await restart(world, 5_000);
    expect(await next.host.recover()).toBe(2);
    await settle();
    expect(next.host.size()).toBe(2);
    expect((await kindsOf(next, 'ses_awake1')).at(-1)).toBe('owned');
    expect((await kindsOf(next, 'ses_fresh1')).at(-1)).toBe('owned');
    expect((await kindsOf(next, ID)).at(-1)).toBe('disconnected');
    // Both seats were connected when the process died, and neither returned.
    await passMaintained(next, 62_000);
    expect(await fateOf(next, 'ses_awake1')).toMatch(/^ended/);
  });

  test('[P6] more than one page of sessions is taken over', async () => {
    const world = await openWorld();
    for (let n = 0; n < 410; n++) await createSession(world, `ses_${String(n).padStart(6, '0')}`);
    const next = await restart(world);
    expect(await next.host.recover()).toBe(410);
    expect(await next.host.recover()).toBe(410);
    for (const n of [0, 199, 200, 409]) {
      const kinds = await kindsOf(next, `ses_${String(n).padStart(6, '0')}`);
      expect(kinds).toEqual(['created', 'owned']);
    }
  });

  test('[P6] a session taken over while a player connects is owned once', async () => {
    const world = await openWorld();
    await startMatch(world, ID);
    const next = await restart(world);
    const recovering = next.host.recover();
    const probe = makeProbe(0);
    next.host.attach(ID, probe, () => undefined);
    await recovering;
    await settle();
    expect((await kindsOf(next, ID)).slice(4)).toEqual(['owned', 'connected']);
  });
});

test('[P6] sessions that cannot be put to sleep do not delay the waking of others', async () => {
  const world = await openWorld();
  await createSession(world, ID, { taken: [0] });
  await passMaintained(world, 12_000);
  expect(world.host.size()).toBe(0);
  const expiresAt = world.clock.now() + DAY_MS;
  await createSession(world, 'ses_idle01', { taken: [0], setup: { expiresAt } });
  world.faults.failSleeps = true;
  await pass(world, 588_000);
  await expect(world.host.maintain()).rejects.toThrow('cannot be written');
  await pass(world, 500);
  await world.host.maintain().catch(() => undefined);
  await settle();
  expect(await fateOf(world, ID)).toBe('ended expired');
  expect(await fateOf(world, 'ses_idle01')).toBe('pending');
});

test('[R2] a player erased while their session is being read is named nowhere', async () => {
  const bare = openMemoryStore();
  let hold: Promise<void> | null = null;
  let goOn = (): void => {};
  const kept: CoreStore = {
    ...bare,
    async loadSession(id) {
      const stored = await bare.loadSession(id);
      await hold;
      return stored;
    },
  };
  const first = await openWorld({ kept });
  await startMatch(first, ID);
  const world = await restart(first);
  hold = new Promise((resolve) => {
    goOn = resolve;
  });
  const recovering = world.host.recover();
  await settle();
  expect(await kept.erasePlayer(TENANT, WORLDS, 'player-0', world.clock.now())).toBe(true);
  world.host.forgetPlayer({ tenant: TENANT, world: 'live', playerId: 'player-0' });
  hold = null;
  goOn();
  await recovering;
  await settle();
  expect((await world.host.peek(ID))!.roster).toEqual([
    { id: null, displayName: null },
    playerOf(1),
  ]);
});

test('[R2] the same when its creator adopts it while it is being read', async () => {
  const bare = openMemoryStore();
  const gate = Promise.withResolvers<void>();
  const kept: CoreStore = {
    ...bare,
    async createSession(made) {
      const outcome = await bare.createSession(made);
      world.host.attach(ID, makeProbe(null), () => {});
      world.host.forgetPlayer({ tenant: TENANT, world: 'live', playerId: 'player-0' });
      return outcome;
    },
    async loadSession(id) {
      await gate.promise;
      return bare.loadSession(id);
    },
  };
  const world = await openWorld({ kept });
  await createSession(world, ID);
  gate.resolve();
  await settle();
  expect((await world.host.peek(ID))!.roster[0]).toEqual({ id: null, displayName: null });
});

describe('[P6] drain', () => {
  /** Drains as the service does, while the clock goes on. */
  async function drain(world: World): Promise<boolean> {
    let isDone = false;
    const draining = world.host.drain().then(() => {
      isDone = true;
    });
    for (let n = 0; n < 20 && !isDone; n++) await pass(world, 5);
    if (isDone) await draining;
    return isDone;
  }

  test('[P6] work in progress is finished and answered', async () => {
    const world = await openWorld();
    const [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
    world.faults.next.push('held');
    world.host.play(ID, 0, mark(4), x);
    world.host.play(ID, 1, mark(0), o);
    expect(await drain(world)).toBe(false);
    release(world.faults);
    await pass(world, 10, 5);
    expect(namesOf(x.take())).toEqual(['ack 4', 'update 4', 'update 5']);
    expect(namesOf(o.take())).toEqual(['update 4', 'ack 5', 'update 5']);
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['action', 'action']);
    // Nothing happens by itself afterwards.
    await pass(world, 120_000);
    expect((await logOf(world, ID)).length).toBe(6);
  });

  test('[P6] matches without connections sleep at once, the others are taken over later', async () => {
    const world = await leaveAlone();
    await startMatch(world, 'ses_drain1');
    expect(await drain(world)).toBe(true);
    expect(await wakeTimes(world)).toBe('due 1 awake 1');
    const next = await restart(world, 60_000);
    expect(await next.host.recover()).toBe(1);
    await passMaintained(next, 1_000);
    expect(await fateOf(next, ID)).toBe('active');
    expect(await fateOf(next, 'ses_drain1')).toBe('active');
  });

  test('[P6] time lost by its last commit keeps a match awake: the next process gives it back', async () => {
    const world = await leaveAlone({ turnTimeoutMs: 60_000, disconnectGraceMs: DAY_MS });
    world.host.noteStall(world.clock.now(), world.clock.now() + 2_000);
    await pass(world, 2_000);
    world.faults.next.push('held');
    expect(await drain(world)).toBe(false);
    await pass(world, 40_000);
    release(world.faults);
    await pass(world, 10, 5);
    expect(await wakeTimes(world)).toBe('due 0 awake 1');
    const next = await openWorld({ kept: world.kept, clock: world.clock, node: 'nod_2' });
    await next.host.recover();
    await passMaintained(next, 50_000);
    expect(await fateOf(next, ID)).toBe('active');
    await passMaintained(next, 12_000);
    expect(await fateOf(next, ID)).toBe('ended afk_timeout');
  });

  test('[P6] a store that fails does not keep the process from stopping', async () => {
    const world = await leaveAlone();
    world.faults.failSleeps = true;
    expect(await drain(world)).toBe(true);
    const next = await restart(world);
    expect(await next.host.recover()).toBe(1);
  });
});
