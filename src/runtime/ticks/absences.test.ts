/** Fights whose players, process or store are absent for a while. */

import { beforeEach, describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { fightArena } from '../../games/fight-arena/fight-arena.ts';
import { hashFight } from '../../games/fight-arena/hash.ts';
import { shippedGames } from '../../games/registry.ts';
import { IDLE_FRAME_TICKS, UNCOMMITTED_TICKS_MAX } from '../../games/ticks/feed.ts';
import { makeReplay, verifyReplay } from '../../match/replay/replay.ts';
import { release } from '../../testing/faulty-store.ts';
import type { Fighter } from '../../testing/matches/fight-world.ts';
import {
  enter,
  FIGHT,
  fight,
  hear,
  startFight,
  storedSession,
  storedState,
} from '../../testing/matches/fight-world.ts';
import { installGame } from '../../testing/matches/install-game.ts';
import type { SeenFrame, World } from '../../testing/matches/match-world.ts';
import {
  connect,
  createSession,
  fateOf,
  mark,
  namesOf,
  openWorld,
  pass,
  passMaintained,
  play,
  restart,
  settle,
  startMatch,
} from '../../testing/matches/match-world.ts';
import { RulesStoppedError } from '../games/guard.ts';

const ID = 'ses_fight';

/** From a given tick on the engine throws, or is stopped a given number of times. */
const fault = { tick: Number.POSITIVE_INFINITY, stops: 0 };
const engine = fightArena as unknown as AnyGame;
installGame({
  ...engine,
  ticks: {
    ...engine.ticks!,
    step(state, masks) {
      if (engine.ticks!.tickOf(state) >= fault.tick) throw new Error('step is broken');
      if (fault.stops > 0) {
        fault.stops -= 1;
        throw new RulesStoppedError({ game: 'fight-arena', rulesVersion: 1 }, 'step', 1);
      }
      return engine.ticks!.step(state, masks);
    },
  },
});

let world: World;
let fighters: [Fighter, Fighter];

beforeEach(async () => {
  fault.tick = Number.POSITIVE_INFINITY;
  fault.stops = 0;
  world = await openWorld();
  fighters = await startFight(world, ID);
});

function leave(fighter: Fighter): Promise<void> {
  world.host.detach(ID, fighter.probe);
  return settle();
}

function stateNow(): SeenFrame {
  return JSON.parse(world.host.stateFor(ID, null)[0]!);
}

/** When the next tick is due, ms from now; null while play is paused. */
function dueIn(): number | null {
  const { at } = stateNow()['ticks'] as { readonly at: string | null };
  return at === null ? null : Date.parse(at) - world.clock.now();
}

async function tickNow(): Promise<number> {
  return (await storedState(world, ID)).tick;
}

/** Both play on until it is over; the log, the players and the replay agree. */
async function finish(who: readonly Fighter[]): Promise<void> {
  await fight(world, who, 120_000, () => who[0]!.player.result() !== null);
  const session = await storedSession(world, ID);
  expect(session).toMatchObject({ status: 'ended', outcome: { reason: 'rounds_won' } });
  const state = await storedState(world, ID);
  for (const { player } of who) expect(hashFight(player.confirmed()!)).toBe(hashFight(state));
  const { roster, entries } = (await world.kept.loadSession(ID))!;
  expect(verifyReplay(shippedGames, makeReplay(session, roster, entries))).toMatchObject({
    ok: true,
  });
}

describe('players who disconnect', () => {
  test('[P8] a player who drops out releases all input, and the fight continues without waiting', async () => {
    await fight(world, fighters, 3_000);
    await leave(fighters[1]);
    const before = await tickNow();
    fighters[0].probe.take();
    await fight(world, [fighters[0]], 2_000);
    expect((await tickNow()) - before).toBeGreaterThan(90);
    const frames = fighters[0].probe.seen().filter(({ t }) => t === 'ticks');
    const runs = frames.slice(-10).flatMap(({ inputs }) => inputs as number[][]);
    expect(runs.map((run) => run[1])).toEqual(runs.map(() => 0));
    fighters[1] = await enter(world, ID, 1);
    await finish(fighters);
  });

  test('[P8] at the end of the grace the player loses, and its record is in order with the ticks', async () => {
    await fight(world, fighters, 1_000);
    await leave(fighters[1]);
    // No player presses anything, or the fight would be over before their grace is.
    fighters[0] = { ...fighters[0], player: { ...fighters[0].player, play: () => {} } };
    const idle = await startFight(world, 'ses_idle', {
      setup: { ...FIGHT.setup, options: { roundSeconds: 99, roundsToWin: 2 } },
    });
    world.host.detach('ses_idle', idle[1].probe);
    await pass(world, 60_100, 100);
    expect(await fateOf(world, 'ses_idle')).toBe('ended disconnect');
    const session = await storedSession(world, 'ses_idle');
    expect(session.status === 'ended' && session.outcome.winners).toEqual([0]);
  });

  test('[P8] without players it pauses, sleeps, and resumes 3 s after both are connected', async () => {
    await fight(world, fighters, 2_000);
    await leave(fighters[0]);
    await leave(fighters[1]);
    const tick = await tickNow();
    expect(dueIn()).toBeNull();
    // All shown ticks are committed. Those not yet shown had no viewer.
    for (const { player, probe } of fighters) {
      for (const frame of probe.take()) player.receive(frame);
      expect(player.confirmed()!.tick).toBeLessThanOrEqual(tick);
      expect(player.confirmed()!.tick).toBeGreaterThan(tick - IDLE_FRAME_TICKS);
    }
    await passMaintained(world, 12_000);
    expect(world.host.size()).toBe(0);
    fighters[0] = await enter(world, ID, 0);
    await pass(world, 5_000, 100);
    expect(dueIn()).toBeNull();
    expect(await tickNow()).toBe(tick);
    fighters[1] = await enter(world, ID, 1);
    expect(stateNow()).toMatchObject({ ticks: { next: tick } });
    expect(dueIn()).toBe(3_000);
    hear(fighters);
    expect(fighters[0].player.isRunning()).toBe(true);
    await pass(world, 2_990, 10);
    expect(await tickNow()).toBe(tick);
    await finish(fighters);
  });

  test('[S8] both absent past their grace: aborted, no winner', async () => {
    await fight(world, fighters, 2_000);
    await leave(fighters[0]);
    await leave(fighters[1]);
    await passMaintained(world, 61_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
  });

  test('[P10] a resignation ends it at the last committed tick', async () => {
    await fight(world, fighters, 2_000);
    await play(world, ID, fighters[1].probe, { kind: 'resign', id: 'r' });
    hear(fighters);
    const tick = await tickNow();
    expect(fighters[0].player.result()).toMatchObject({ reason: 'resignation', moveCount: tick });
    await fight(world, fighters, 1_000);
    expect(await tickNow()).toBe(tick);
    expect(fighters[0].player.rejects).toEqual([]);
  });
});

describe('a process that restarts', () => {
  test('[P8] after a restart it resumes at the last committed tick, 3 s after both are connected', async () => {
    await fight(world, fighters, 3_100);
    const shown = fighters[0].player.confirmed()!.tick;
    world = await restart(world, 20_000);
    await world.host.recover();
    await settle();
    const tick = await tickNow();
    expect(tick).toBeLessThanOrEqual(shown);
    expect(shown - tick).toBeLessThan(30);
    const first = await enter(world, ID, 0);
    await pass(world, 10_000, 100);
    expect(dueIn()).toBeNull();
    const second = await enter(world, ID, 1);
    expect(dueIn()).toBe(3_000);
    await finish([first, second]);
  });

  test('[P8] a player who does not return loses when the grace period ends', async () => {
    await fight(world, fighters, 2_000);
    world = await restart(world);
    await world.host.recover();
    await enter(world, ID, 0);
    await pass(world, 60_100, 100);
    expect(await fateOf(world, ID)).toBe('ended disconnect');
  });

  test('[P8] a draining process plays no more ticks, and commits the ticks it has shown', async () => {
    await fight(world, fighters, 2_000);
    const drained = world.host.drain();
    await pass(world, 100, 5);
    await drained;
    hear(fighters);
    expect(await tickNow()).toBe(fighters[0].player.confirmed()!.tick);
    const ticks = world.host.stats.ticks;
    await pass(world, 1_000, 50);
    expect(world.host.stats.ticks).toBe(ticks);
  });

  test('[P8] a process that stalled for a second charges it to no player', async () => {
    await fight(world, fighters, 2_000);
    const before = fighters[0].player.confirmed()!.tick;
    // Its timers fire late, as if it had been stopped.
    world.clock.skip(5_000);
    await pass(world, 10, 1);
    expect(dueIn()).toBeGreaterThan(2_900);
    expect(world.host.stats.stalls).toBe(1);
    expect((await tickNow()) - before).toBeLessThan(15);
    await finish(fighters);
    for (const { player } of fighters) expect(player.stats().refused).toBe(0);
  });
});

describe('a store that is slow, or fails', () => {
  test('[P8] 60 ticks past the last commit it pauses, and resumes 3 s after the next commit', async () => {
    await fight(world, fighters, 2_000);
    const committed = await tickNow();
    world.faults.next.push('held');
    await fight(world, fighters, 1_500);
    expect(dueIn()).toBeNull();
    const shown = fighters[0].player.confirmed()!.tick;
    expect(shown).toBeLessThanOrEqual(committed + UNCOMMITTED_TICKS_MAX + 15);
    expect(shown).toBeGreaterThanOrEqual(committed + UNCOMMITTED_TICKS_MAX);
    expect(fighters[0].player.isRunning()).toBe(false);
    await fight(world, fighters, 5_000);
    expect(fighters[0].player.confirmed()!.tick).toBe(shown);
    release(world.faults);
    await settle();
    await settle();
    expect(dueIn()).toBeGreaterThan(2_900);
    expect(await tickNow()).toBe(shown);
    await finish(fighters);
    // Nothing that was shown is lost.
    for (const { player } of fighters) expect(player.stats().refused).toBe(0);
  });

  test.each(['unknown_lost', 'conflict'] as const)(
    '[P8] after a commit that is %s it resumes at the last committed tick',
    async (outcome) => {
      await fight(world, fighters, 2_000);
      world.faults.next.push(outcome);
      await fight(world, fighters, 400);
      for (const { probe } of fighters) expect(probe.losses).toBe(1);
      const tick = await tickNow();
      fighters = [await enter(world, ID, 0), await enter(world, ID, 1)];
      expect(stateNow()).toMatchObject({ ticks: { next: tick } });
      expect(dueIn()).toBeGreaterThan(2_000);
      await finish(fighters);
    },
  );

  test('[P8] a commit without an answer that was written changes nothing', async () => {
    await fight(world, fighters, 2_000);
    world.faults.next.push('unknown_committed');
    await finish(fighters);
    expect(world.host.stats.stalls).toBe(0);
  });

  test('[P8][P9] time lost just before the last commit removes no tick from players who were shown it', async () => {
    await fight(world, fighters, 120_000, () => {
      // The next record here is of the lost time.
      const now = world.clock.now();
      world.host.noteStall(now - 1, now);
      return fighters[0].player.result() !== null;
    });
    const { entries } = (await world.kept.loadSession(ID))!;
    expect(entries.slice(-3).map(({ record }) => record.k)).toEqual(['paused', 'ticks', 'ended']);
    const state = await storedState(world, ID);
    for (const { player } of fighters) expect(player.confirmed()).toEqual(state);
  });

  test('[P10] an engine that throws takes down its own match and no other', async () => {
    const [other] = await startMatch(world, 'ses_other');
    fault.tick = 100;
    await fight(world, fighters, 3_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
    await play(world, 'ses_other', other!, mark(4));
    expect(await fateOf(world, 'ses_other')).toBe('active');
    expect(world.broken.map(([session]) => session)).toEqual([ID]);
    fault.tick = Number.POSITIVE_INFINITY;
    hear(fighters);
    expect(fighters[0].player.result()).toMatchObject({ reason: 'aborted', winner: null });
    expect(namesOf(other!.take())).toEqual(['ack 4', 'update 4']);
  });

  test('[S9f] rules that were stopped once continue from the log; stopped again they end the match', async () => {
    await fight(world, fighters, 1_500);
    fault.stops = 1;
    await fight(world, fighters, 1_000);
    expect(fault.stops).toBe(0);
    expect([await fateOf(world, ID), world.broken]).toEqual(['active', []]);
    await fight(world, fighters, 5_000);
    const state = await storedState(world, ID);
    expect(engine.ticks!.tickOf(state as never)).toBeGreaterThan(150);
    fault.stops = 2;
    await fight(world, fighters, 4_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
  });
});

describe('an absent player while play is paused', () => {
  /** A fight that no attack ends, for a player who will be alone in it for long. */
  const LONG = { ...FIGHT.setup, options: { roundSeconds: 99, roundsToWin: 3 } };

  beforeEach(async () => {
    world = await openWorld();
    await createSession(world, ID, { setup: { ...LONG, disconnectGraceMs: 3_600_000 } });
    fighters = [await enter(world, ID, 0, () => 0), await enter(world, ID, 1, () => 0)];
    hear(fighters);
    await fight(world, fighters, 1_000);
  });

  /** Ticks in the log after some more time with only one player. */
  async function ticksIn(ms: number): Promise<number> {
    const before = await tickNow();
    await fight(world, [fighters[0]], ms);
    return (await tickNow()) - before;
  }

  test('[P8] after a stall of the process the fight continues without the player', async () => {
    await leave(fighters[1]);
    await ticksIn(1_000);
    world.clock.skip(1_500);
    await pass(world, 10, 1);
    expect(dueIn()).toBeGreaterThan(2_900);
    expect(await ticksIn(10_000)).toBeGreaterThan(400);
    expect(world.host.stats.stalls).toBe(1);
    fighters[1] = await enter(world, ID, 1);
    await fight(world, fighters, 1_000);
    expect(fighters[1].player.stats().refused).toBe(0);
  });

  test('[P8] after a slow commit the fight continues without the player', async () => {
    await leave(fighters[1]);
    await ticksIn(1_000);
    world.faults.next.push('held');
    await ticksIn(2_000);
    expect(dueIn()).toBeNull();
    release(world.faults);
    await settle();
    expect(await ticksIn(10_000)).toBeGreaterThan(400);
  });

  test('[P8] a player who leaves just before play resumes is not waited for either', async () => {
    await fight(world, fighters, 100);
    world.faults.next.push('held');
    world.clock.skip(1_500);
    await pass(world, 10, 1);
    expect(dueIn()).toBeNull();
    await leave(fighters[1]);
    release(world.faults);
    await settle();
    const { filled } = world.host.stats;
    expect(await ticksIn(10_000)).toBeGreaterThan(400);
    await leave(fighters[0]);
    expect(world.host.stats.filled - filled).toBeLessThan(15);
  });

  test('[P8] with both away it resumes when both are connected, whatever it paused for', async () => {
    world.faults.next.push('held');
    await fight(world, fighters, 2_000);
    await leave(fighters[0]);
    await leave(fighters[1]);
    release(world.faults);
    await settle();
    fighters[0] = await enter(world, ID, 0);
    await pass(world, 5_000, 100);
    expect(dueIn()).toBeNull();
    fighters[1] = await enter(world, ID, 1);
    expect(dueIn()).toBe(3_000);
  });
});

describe('others in the room', () => {
  test('[S10] watchers get the ticks, and do not keep a fight awake', async () => {
    const watcher = await connect(world, ID, null);
    await fight(world, fighters, 2_000);
    const told = (who: { seen: () => SeenFrame[] }) => who.seen().filter(({ t }) => t === 'ticks');
    expect(told(watcher).length).toBeGreaterThan(10);
    expect(told(watcher)).toEqual(told(fighters[0].probe));
    await leave(fighters[0]);
    await leave(fighters[1]);
    expect(dueIn()).toBeNull();
    const states = watcher.seen().filter(({ t }) => t === 'state');
    expect(states.at(-1)).toMatchObject({ t: 'state', ticks: { at: null } });
  });

  test('[P9] a viewer who attaches during the fight is sent the ticks since the last commit', async () => {
    await fight(world, fighters, 2_070);
    const late = await enter(world, ID, null);
    const [state, rest] = world.host.stateFor(ID, null).map((text) => JSON.parse(text));
    expect(rest).toMatchObject({ t: 'ticks', from: state.view.tick, committed: state.view.tick });
    await fight(world, [...fighters, late], 2_000);
    expect(late.player.stats().resyncs).toBe(0);
    expect(hashFight(late.player.confirmed()!)).toBe(hashFight(fighters[0].player.confirmed()!));
  });

  test('[B4] a seat of the service plays by itself, and beats an idle player', async () => {
    const bout = 'ses_bout';
    await createSession(world, bout, { ...FIGHT, taken: [0] });
    const idle = await enter(world, bout, 0, () => 0);
    world.host.run(bout, {
      command: () => ({ kind: 'join', bot: true, level: 'medium' }),
      done: () => undefined,
    });
    await settle();
    await fight(world, [idle], 60_000, () => idle.player.result() !== null);
    expect(idle.player.result()).toMatchObject({ reason: 'rounds_won', winner: null });
    const session = await storedSession(world, bout);
    expect(session.status === 'ended' && session.outcome.winners).toEqual([1]);
    expect(idle.player.stats().refused).toBe(0);
  });

  test('[P8] a program that has not connected is not waited for', async () => {
    const bout = 'ses_bout';
    await createSession(world, bout, { ...FIGHT, taken: [0] });
    const eager = await enter(world, bout, 0);
    world.host.run(bout, { command: () => ({ kind: 'join', bot: true }), done: () => undefined });
    await settle();
    await fight(world, [eager], 3_000);
    world.host.detach(bout, eager.probe);
    await settle();
    expect((await storedState(world, bout)).tick).toBeGreaterThan(150);
    expect(world.host.stats.filled).toBe(0);
  });
});
