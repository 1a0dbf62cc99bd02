/** Failed commits: only the log says what their outcome was. */

import { beforeEach, describe, expect, test } from 'bun:test';
import { openMemoryStore } from '../../../store/sqlite/memory-store.ts';
import type { CoreStore } from '../../../store/store.ts';
import type { CommitFault } from '../../../testing/faulty-store.ts';
import { release } from '../../../testing/faulty-store.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  attach,
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
  restart,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';
import type { WorkOutcome } from '../work.ts';

const ID = 'ses_fault1';

let world: World;
let x: Probe;
let o: Probe;
beforeEach(async () => {
  world = await openWorld();
  [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
});

/** As the socket does when notified: it attaches again and shows the whole state. */
async function comeBack(in_: World, probe: Probe): Promise<Probe> {
  const fresh = makeProbe(probe.viewer);
  await attach(in_, ID, fresh);
  return fresh;
}

/** A process with a match on that store. */
async function startOn(kept: CoreStore): Promise<World> {
  const started = await openWorld({ kept });
  await startMatch(started, ID);
  return started;
}

describe('[P4] a commit of unknown outcome', () => {
  test('[P4] that was written is found in the log and acknowledged, once', async () => {
    world.faults.next.push('unknown_committed');
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['ack 4', 'update 4']);
    expect(namesOf(o.take())).toEqual(['update 4']);
    expect(world.host.stats.unknowns).toBe(1);
    expect([x.losses, o.losses]).toEqual([0, 0]);
    await play(world, ID, o, mark(0));
    expect(namesOf(o.take())).toEqual(['ack 5', 'update 5']);
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['action', 'action']);
  });

  test('[P4] that was not written is unavailable; the same command sent again succeeds once', async () => {
    world.faults.next.push('unknown_lost');
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    expect([x.losses, o.losses]).toEqual([1, 1]);
    expect(namesOf(o.take())).toEqual([]);
    const [again, other] = [await comeBack(world, x), await comeBack(world, o)];
    await play(world, ID, again, mark(4));
    await play(world, ID, again, mark(4));
    expect(namesOf(again.take())).toEqual(['ack 4', 'update 4', 'ack 4']);
    expect(namesOf(other.take())).toEqual(['update 4']);
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['action']);
  });

  test('[P4] that can only be read later is unavailable, and known as accepted once it can be read', async () => {
    world.faults.next.push('unknown_committed');
    world.faults.failLoads = true;
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    world.faults.failLoads = false;
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['ack 4']);
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['action']);
  });

  test('[P4] does not block later callers', async () => {
    world.faults.next.push('unknown_lost');
    world.host.play(ID, 0, mark(4), x);
    world.host.play(ID, 1, mark(0), o);
    await settle();
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    expect(namesOf(o.take())).toEqual(['reject unavailable']);
  });

  test('[P4] of a move that ends the match is shown completely or not at all', async () => {
    for (const [n, position] of [0, 3, 1, 4].entries()) {
      await play(world, ID, n % 2 === 0 ? x : o, mark(position));
    }
    for (const probe of [x, o]) probe.take();
    world.faults.next.push('unknown_lost');
    await play(world, ID, x, mark(2));
    expect(await fateOf(world, ID)).toBe('active');
    const again = await comeBack(world, x);
    world.faults.next.push('unknown_committed');
    await play(world, ID, again, mark(2));
    expect(namesOf(again.take())).toEqual(['ack 8', 'update 8', 'over 9']);
    expect(await fateOf(world, ID)).toBe('ended three_in_a_row');
    const stored = (await world.kept.loadSession(ID))!;
    expect((await world.host.peek(ID))!.row).toEqual(stored.row);
  });
});

describe('[S5] a conflict', () => {
  test('[S5] means that another node has written: the match is reloaded and all clients are updated', async () => {
    const foreign = await restart(world);
    const theirs = makeProbe(1);
    await attach(foreign, ID, theirs);
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['owned', 'connected']);
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    expect(world.host.stats.conflicts).toBe(1);
    expect([x.losses, o.losses]).toEqual([1, 1]);
    const again = await comeBack(world, x);
    await play(world, ID, again, mark(4));
    expect(namesOf(again.take().filter(({ t }) => t === 'ack'))).toEqual(['ack 8']);
    expect((await kindsOf(world, ID)).filter((kind) => kind === 'action').length).toBe(1);
  });

  test('[S5] that no other node caused heals by itself', async () => {
    world.faults.next.push('conflict');
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    const again = await comeBack(world, x);
    await play(world, ID, again, mark(4));
    expect(namesOf(again.take())).toEqual(['ack 4', 'update 4']);
  });
});

describe('[P6] after a failed commit', () => {
  const faults: CommitFault[] = ['unknown_lost', 'conflict'];
  for (const fault of faults) {
    test(`[P6] (${fault}) the turn still runs out, without any request for the match`, async () => {
      const id = 'ses_fault2';
      const setup = { turnTimeoutMs: 5_000 };
      for (const probe of await startMatch(world, id, { setup })) world.host.detach(id, probe);
      await settle();
      world.faults.next.push(fault, fault);
      // The turn gets its earlier rest, and at least ten seconds; then it is over.
      await passMaintained(world, 25_000);
      expect(await fateOf(world, id)).toBe('ended afk_timeout');
    });

    test(`[P6] (${fault}) a player who disconnected meanwhile is marked as away`, async () => {
      world.faults.next.push(fault);
      await play(world, ID, x, mark(4));
      // X reconnects, O's socket does not.
      const again = await comeBack(world, x);
      expect(again.losses).toBe(0);
      world.host.detach(ID, o);
      await settle();
      await passMaintained(world, 2_000);
      const { seats } = (await world.host.peek(ID))!.session;
      expect(seats.map(({ connected }) => connected)).toEqual([true, false]);
    });
  }

  test('[P6] of a disconnection the player is marked as away all the same', async () => {
    world.faults.next.push('unknown_lost');
    world.host.detach(ID, o);
    await settle();
    await passMaintained(world, 2_000);
    const { seats } = (await world.host.peek(ID))!.session;
    expect(seats[1]!.connected).toBe(false);
    await comeBack(world, x);
    await passMaintained(world, 1_000);
    await passMaintained(world, 60_000);
    expect(await fateOf(world, ID)).toMatch(/^ended/);
  });

  test('[P6] while the store cannot be read: all players are served again once it can', async () => {
    world.faults.next.push('unknown_lost');
    world.faults.failLoads = true;
    await play(world, ID, x, mark(4));
    await passMaintained(world, 5_000);
    expect(world.host.size()).toBe(0);
    world.faults.failLoads = false;
    await passMaintained(world, 70_000);
    expect(await fateOf(world, ID)).toMatch(/^ended/);
  });

  test('[P6] an unreadable match is retried, and stops giving other matches time back after a while', async () => {
    world.faults.next.push('unknown_lost');
    world.faults.failLoads = true;
    await play(world, ID, x, mark(4));
    await passMaintained(world, 50_000);
    expect(world.host.isLostTimeDue()).toBe(true);
    await passMaintained(world, 15_000);
    expect(world.host.isLostTimeDue()).toBe(false);
    world.faults.failLoads = false;
    await passMaintained(world, 1_000);
    expect(world.host.size()).toBe(1);
  });
});

test('[N3] a match that is being read as all are released is reloaded: another node may have continued it', async () => {
  const bare = openMemoryStore();
  const gate = Promise.withResolvers<void>();
  let isSlow = false;
  const kept: CoreStore = {
    ...bare,
    async loadSession(id) {
      const stored = await bare.loadSession(id);
      if (isSlow) await gate.promise;
      return stored;
    },
  };
  world = await restart(await startOn(kept));
  isSlow = true;
  const told: WorkOutcome[] = [];
  world.host.attach(ID, makeProbe(0), (result) => void told.push(result));
  await settle();
  world.host.releaseAll();
  expect(told).toMatchObject([{ kind: 'rejected', isUndone: true }]);
  isSlow = false;
  gate.resolve();
  await settle();
  expect(world.host.has(ID)).toBe(false);
  await passMaintained(world, 1_000);
  expect(world.host.has(ID)).toBe(true);
});

test('[N3] a match released during a commit is read once that commit is answered', async () => {
  const bare = openMemoryStore();
  let write: (() => void) | null = null;
  let isHeld = false;
  const kept: CoreStore = {
    ...bare,
    commit(commit, done) {
      if (isHeld) write = () => bare.commit(commit, done);
      else bare.commit(commit, done);
      isHeld = false;
    },
  };
  world = await openWorld({ kept });
  [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
  isHeld = true;
  await play(world, ID, x, mark(4));
  // The node's lease expired and was renewed, and no other node has taken the match meanwhile.
  world.host.releaseAll();
  const fresh = makeProbe(1);
  world.host.attach(ID, fresh, () => {});
  await settle();
  write!();
  await settle();
  expect(namesOf(x.take())).toContain('ack 4');
  await play(world, ID, fresh, mark(0));
  expect(namesOf(fresh.take())).toContain('ack 5');
  expect((await kindsOf(world, ID)).slice(4)).toEqual(['action', 'action']);
});

test('[N3] a caller that waits for one commit of a match is not forgotten because of another', async () => {
  const bare = openMemoryStore();
  const held: (() => void)[] = [];
  let isHeld = false;
  const kept: CoreStore = {
    ...bare,
    commit: (asked, done) =>
      bare.commit(asked, (outcome) => {
        if (isHeld) held.push(() => done(outcome));
        else done(outcome);
      }),
  };
  const other = await openWorld({ kept });
  await startMatch(other, 'ses_twice1');
  const stored = (await bare.loadSession('ses_twice1'))!;
  isHeld = true;
  const told: string[] = [];
  const run = async (name: string, seat: number): Promise<void> => {
    const command = () => ({ kind: 'disconnect', seat }) as const;
    other.host.run('ses_twice1', { command, done: () => void told.push(name) });
    await settle();
  };
  await run('first', 0);
  other.host.release('ses_twice1');
  await run('waits', 1);
  // The sender of the commit gets its answer late.
  other.host.adopt(stored);
  await run('second', 1);
  other.host.release('ses_twice1');
  isHeld = false;
  for (const go of held.splice(0)) go();
  for (let n = 0; n < 20; n++) await settle();
  await run('last', 1);
  for (let n = 0; n < 20; n++) await settle();
  expect(told).toContain('waits');
  expect(told).toContain('last');
});

test('[N3] a match whose commit fails meanwhile is read, too', async () => {
  for (const fault of ['conflict', 'unknown_lost', 'unknown_committed'] as const) {
    world = await openWorld();
    [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
    world.faults.next.push(fault);
    world.host.play(ID, 0, mark(4), x);
    world.host.release(ID);
    const fresh = await comeBack(world, x);
    const moves = fault === 'unknown_committed' ? 1 : 0;
    expect((await world.host.peek(ID))!.session.v).toBe(3 + moves);
    await play(world, ID, fresh, mark(4));
    expect(namesOf(fresh.take())).toContain('ack 4');
  }
});

test('[P6] a move whose commit is in progress when its time runs out counts, and nothing hangs', async () => {
  await pass(world, 59_999);
  world.faults.next.push('held');
  await play(world, ID, x, mark(4));
  await pass(world, 500, 100);
  release(world.faults);
  await settle();
  expect(namesOf(x.take()).slice(-2)).toEqual(['ack 4', 'update 4']);
  expect(await fateOf(world, ID)).toBe('active');
  // The next turn has its own time, which begins with the move.
  await pass(world, 59_000);
  expect(await fateOf(world, ID)).toBe('active');
  await pass(world, 500);
  expect(await fateOf(world, ID)).toBe('ended afk_timeout');
  expect((await logOf(world, ID)).at(-1)!.at - (await logOf(world, ID))[4]!.at).toBe(60_000);
});
