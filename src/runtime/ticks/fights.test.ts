/** Fights from the first tick to the last record: what is played, shown, committed and refused. */

import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { BATCH_TICKS_MAX } from '../../../game/src/tick-game.ts';
import { RIGHT } from '../../games/fight-arena/controls.ts';
import { hashFight } from '../../games/fight-arena/hash.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { Fighter } from '../../testing/matches/fight-world.ts';
import {
  batchesOf,
  FIGHT,
  fight,
  startFight,
  storedState,
} from '../../testing/matches/fight-world.ts';
import type { SeenFrame, World } from '../../testing/matches/match-world.ts';
import {
  act,
  connect,
  createSession,
  logOf,
  openWorld,
  pass,
  play,
} from '../../testing/matches/match-world.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';

const ID = 'ses_fight';
let world: World;
let fighters: [Fighter, Fighter];

beforeEach(async () => {
  world = await openWorld();
  fighters = await startFight(world, ID);
});

/** The frames that a seat received since the last call, by name. */
function heard(seat: number, name: string): SeenFrame[] {
  return fighters[seat]!.probe.seen().filter(({ t }) => t === name);
}

describe('the time of ticks', () => {
  test('[P8] the first tick is due 250 ms after the start, and `state` says so', async () => {
    const startedAt = (await logOf(world, ID)).find(({ record }) => record.k === 'started')!.at;
    const states = heard(0, 'state').filter(({ status }) => status === 'active');
    expect(states.map(({ ticks }) => ticks)).toEqual([
      { next: 0, at: new Date(startedAt + 250).toISOString() },
    ]);
    await pass(world, 249, 1);
    expect(heard(0, 'ticks')).toEqual([]);
    await pass(world, 301, 1);
    // 18 ticks without any input: each is waited for, for 9.
    expect(heard(0, 'ticks')).toMatchObject([{ from: 0, inputs: [[0, 0, 3]], committed: 0 }]);
  });

  test('[P8] before the start and after the end no tick is due', async () => {
    await createSession(world, 'ses_new', { ...FIGHT, taken: [0] });
    const probe = await connect(world, 'ses_new', 0);
    expect(JSON.parse(world.host.stateFor('ses_new', 0)[0]!).ticks).toEqual({ next: 0, at: null });
    await play(world, ID, fighters[0].probe, { kind: 'resign', id: 'r' });
    expect(JSON.parse(world.host.stateFor(ID, 0)[0]!).ticks).toEqual({ next: 0, at: null });
    expect(probe.seen().every(({ t }) => t !== 'ticks')).toBe(true);
  });

  test('[P8] a tick is played on time when both have sent their input, and 150 ms later without', async () => {
    await pass(world, 250, 1);
    for (const seat of [0, 1]) world.host.hold(ID, seat, 0, Array(6).fill(RIGHT));
    expect(world.host.stats.ticks).toBe(1);
    await pass(world, 50, 1);
    expect(world.host.stats.ticks).toBe(4);
    await pass(world, 100, 1);
    expect(world.host.stats.ticks).toBe(6);
    // Tick 6 is due at 100 ms and had no input.
    await pass(world, 99, 1);
    expect(world.host.stats.ticks).toBe(6);
    await pass(world, 2, 1);
    expect(world.host.stats.ticks).toBe(7);
    await pass(world, 200, 1);
    expect(heard(1, 'ticks')[0]).toMatchObject({ from: 0, inputs: [[RIGHT, RIGHT, 3]] });
    expect(heard(1, 'ticks').flatMap(({ inputs }) => inputs)).not.toContainEqual([0, 0, 1]);
  });
});

describe('held inputs', () => {
  test('[P9] masks of the wrong shape are refused by name, and change nothing', async () => {
    await pass(world, 250, 1);
    const junk = [[], [512], [-1], [0.5], ['1'], Array(61).fill(0), null, 'masks', [[0]]];
    for (const masks of junk) expect(world.host.hold(ID, 0, 0, masks)?.code).toBe('bad_action');
    expect(world.host.stats.ticks).toBe(0);
  });

  test('[P9] masks for more than 30 ticks ahead of the clock are refused', async () => {
    await pass(world, 250, 1);
    expect(world.host.hold(ID, 0, 0, Array(31).fill(0))?.code).toBe('too_far_ahead');
    expect(world.host.hold(ID, 0, 2 ** 52, [0])?.code).toBe('too_far_ahead');
    expect(world.host.hold(ID, 0, 0, Array(30).fill(RIGHT))).toBeNull();
    // An input is final.
    expect(world.host.hold(ID, 0, 0, Array(30).fill(0))).toBeNull();
    world.host.hold(ID, 1, 0, Array(30).fill(0));
    await pass(world, 300, 1);
    expect(heard(0, 'ticks')[0]).toMatchObject({ inputs: [[RIGHT, 0, 3]] });
  });

  test('[P9] masks that were meant for the time before a pause are not reported as faults', async () => {
    await pass(world, 250 + 100, 1);
    // The process stalled for more than a second: play continues in three, from the tick where it
    // paused.
    await pass(world, 1_500, 1_500);
    expect(world.host.stats.stalls).toBe(1);
    const { ticks } = world.host.stats;
    expect(world.host.hold(ID, 0, ticks + 20, [RIGHT])).toBeNull();
    await pass(world, 3_200, 1);
    expect(world.host.hold(ID, 0, ticks + 400, [RIGHT])?.code).toBe('too_far_ahead');
  });

  test('[P9] masks that arrive too late are dropped and counted', async () => {
    await pass(world, 250 + 500, 1);
    const ticks = world.host.stats.ticks;
    expect(ticks).toBeGreaterThan(20);
    expect(world.host.hold(ID, 0, 0, Array(5).fill(RIGHT))).toBeNull();
    await play(world, ID, fighters[0].probe, { kind: 'resign', id: 'r' });
    expect(world.host.stats.late).toBe(5);
    expect(world.host.stats.filled).toBe(2 * ticks);
  });

  test('[P9] before the start, in a game without ticks and by `act` no input can be held', async () => {
    await createSession(world, 'ses_new', { ...FIGHT, taken: [0] });
    expect(world.host.hold('ses_new', 0, 0, [0])?.code).toBe('session_not_active');
    await createSession(world, 'ses_board');
    expect(world.host.hold('ses_board', 0, 0, [0])?.code).toBe('bad_action');
    expect(world.host.hold('ses_nowhere', 0, 0, [0])).toBeNull();
    await play(world, ID, fighters[0].probe, act('a', 17));
    expect(fighters[0].probe.seen().at(-1)).toMatchObject({ t: 'reject', code: 'bad_action' });
  });
});

describe('a whole fight', () => {
  let world: World;
  let fighters: [Fighter, Fighter];
  const types: string[] = [];

  beforeAll(async () => {
    const store = openMemoryStore();
    const noting: typeof store = {
      ...store,
      commit(commit, done) {
        for (const event of commit.events ?? [])
          types.push('type' in event ? event.type : 'record');
        store.commit(commit, done);
      },
    };
    world = await openWorld({ kept: noting });
    fighters = await startFight(world, ID);
    types.length = 0;
    await fight(world, fighters, 60_000, () => fighters[0].player.result() !== null);
  });

  test('[P10] the log holds every tick, in batches of at most 250 ms, and is the whole match', async () => {
    const entries = await logOf(world, ID);
    const batches = batchesOf(entries);
    let next = 0;
    for (const { from, count } of batches) {
      expect(from).toBe(next);
      expect(count).toBeLessThanOrEqual(BATCH_TICKS_MAX);
      next += count;
    }
    const state = await storedState(world, ID);
    expect(state.tick).toBe(next);
    expect(state.phase).toBe('over');
    expect(entries.at(-1)!.record).toMatchObject({ k: 'ended' });
    const { row } = (await world.kept.loadSession(ID))!;
    expect(row.status).toBe('ended');
    expect(fighters[0].player.result()).toMatchObject({ moveCount: next });
  });

  test(`[P9] both players end where the log does, and received all of it (seed ${TEST_SEED})`, async () => {
    const hash = hashFight(await storedState(world, ID));
    for (const { player, probe } of fighters) {
      expect(hashFight(player.confirmed()!)).toBe(hash);
      expect(player.stats().resyncs).toBe(0);
      expect(player.rejects).toEqual([]);
      expect(player.stats().refused).toBe(0);
      const frames = probe.seen().filter(({ t }) => t === 'ticks');
      let next = 0;
      for (const { from, inputs, committed } of frames) {
        expect(from).toBe(next);
        expect(Number(committed)).toBeLessThanOrEqual(next);
        for (const run of inputs as number[][]) next += run.at(-1)!;
      }
      expect(next).toBe(player.confirmed()!.tick);
      const seconds = next / 60;
      const hashes = frames.filter((frame) => 'hash' in frame).length;
      expect(Math.abs(hashes - seconds)).toBeLessThanOrEqual(2);
      // 20 a second when something changes, and fewer when nothing does.
      expect(frames.length / seconds).toBeLessThanOrEqual(20.5);
    }
  });

  test('[P10] the result is sent after the commit, and `over` is the last frame', () => {
    for (const { probe } of fighters) {
      const names = probe.seen().map(({ t }) => t);
      expect(names.at(-1)).toBe('over');
      const over = probe.seen().at(-1)!;
      expect(over['result']).toMatchObject({ reason: expect.stringMatching(/^rounds_/) });
      expect(over['prev']).toBeLessThan(over.v!);
    }
  });

  test('[E1] each round that ended is reported, and no tick is reported as a move', async () => {
    expect(types.filter((type) => type === 'fight.round_ended')).toHaveLength(
      (await storedState(world, ID)).rounds.length,
    );
    expect(types).not.toContain('move.made');
    expect(types).not.toContain('record');
    expect(types).toContain('session.ended');
  });

  test('[P9] input that arrives after the end is ignored', () => {
    expect(world.host.hold(ID, 0, 5_000, [0])).toBeNull();
  });
});
