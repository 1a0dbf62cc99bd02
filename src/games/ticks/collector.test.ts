/** What the server does with masks that come early, late, twice or not at all, and its commits. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import {
  advance,
  BATCH_TICKS_MAX,
  countTicks,
  makeRuns,
  parseMasks,
  parseRuns,
  ticksOf,
} from '../../../game/src/tick-game.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { LEFT, MASK_MAX, RIGHT } from '../fight-arena/controls.ts';
import { openFight } from '../fight-arena/fight.test-kit.ts';
import { fightArena } from '../fight-arena/fight-arena.ts';
import type { FightState } from '../fight-arena/state.ts';
import { step } from '../fight-arena/step.ts';
import { AHEAD_TICKS_MAX, LATE_TICKS_MAX, makeCollector } from './collector.ts';
import type { Feed } from './feed.ts';
import { FRAME_TICKS, IDLE_FRAME_TICKS, makeFeed, UNCOMMITTED_TICKS_MAX } from './feed.ts';

describe('gathering', () => {
  test('[G-FIGHT-7] a tick with all inputs is played at its time, not before', () => {
    const collector = makeCollector(2, 0);
    collector.accept(0, 0, [1, 2, 4], 0);
    collector.accept(1, 0, [8, 8, 8], 0);
    expect(collector.take(0)).toEqual([[1, 8]]);
    expect(collector.take(0)).toEqual([]);
    expect(collector.take(5)).toEqual([
      [2, 8],
      [4, 8],
    ]);
    expect(collector.nextTick()).toBe(3);
  });

  test('[G-FIGHT-7] a late input is filled with the last known mask, after its grace period', () => {
    const collector = makeCollector(2, 0);
    collector.accept(0, 0, [RIGHT, RIGHT], 0);
    collector.accept(1, 0, [LEFT], 0);
    expect(collector.take(LATE_TICKS_MAX)).toEqual([[RIGHT, LEFT]]);
    expect(collector.take(LATE_TICKS_MAX + 1)).toEqual([[RIGHT, LEFT]]);
    expect(collector.stats[1]).toMatchObject({ filled: 1 });
    // Later masks are too late for their tick, and count from the next one on.
    collector.accept(1, 1, [0, RIGHT], LATE_TICKS_MAX + 1);
    collector.accept(0, 2, [0], LATE_TICKS_MAX + 1);
    expect(collector.take(LATE_TICKS_MAX + 1)).toEqual([[0, RIGHT]]);
    expect(collector.stats[1]).toMatchObject({ late: 1 });
  });

  test('[G-FIGHT-7] an input is final: a repeat changes nothing', () => {
    const collector = makeCollector(2, 0);
    collector.accept(0, 0, [1, 1], 0);
    collector.accept(0, 0, [2, 2, 2], 0);
    collector.accept(1, 0, [0, 0, 0], 0);
    expect(collector.take(2)).toEqual([
      [1, 0],
      [1, 0],
      [2, 0],
    ]);
  });

  test('[G-FIGHT-7] a gap is filled with the mask before it', () => {
    const collector = makeCollector(2, 0);
    collector.accept(0, 0, [RIGHT], 0);
    collector.accept(0, 3, [LEFT], 0);
    collector.accept(1, 0, [0, 0, 0, 0], 0);
    expect(collector.take(3).map(([mask]) => mask)).toEqual([RIGHT, RIGHT, RIGHT, LEFT]);
  });

  test('[G-FIGHT-7] masks too far ahead are refused and change nothing', () => {
    const collector = makeCollector(2, 0);
    expect(collector.accept(0, AHEAD_TICKS_MAX, [1], 0)).toBe('too_far_ahead');
    expect(collector.accept(0, Number.MAX_SAFE_INTEGER, [1], 0)).toBe('too_far_ahead');
    collector.accept(1, 0, [0], 0);
    expect(collector.take(0)).toEqual([]);
    expect(collector.accept(0, AHEAD_TICKS_MAX - 1, [1], 0)).toBeNull();
  });

  test('[G-FIGHT-7] a seat whose player has left releases everything and is not waited for, until it is back', () => {
    const collector = makeCollector(2, 10);
    collector.accept(0, 10, [RIGHT, RIGHT], 10);
    collector.accept(1, 10, [LEFT], 10);
    collector.release(1);
    expect(collector.take(11)).toEqual([
      [RIGHT, 0],
      [RIGHT, 0],
    ]);
    collector.accept(1, 13, [LEFT], 12);
    collector.accept(0, 12, [0, 0], 12);
    expect(collector.take(13)).toEqual([
      [0, 0],
      [0, LEFT],
    ]);
  });
});

describe('telling', () => {
  /** Plays ticks into a feed. */
  function makePlay(): { feed: Feed<FightState>; add: (mask: number, ticks: number) => void } {
    let state = openFight();
    const feed = makeFeed(fightArena.ticks, state);
    const add = (mask: number, ticks: number): void => {
      for (let n = 0; n < ticks; n += 1) {
        state = step(state, [mask, 0]);
        feed.add([mask, 0], state);
      }
    };
    return { feed, add };
  }

  test('[G-FIGHT-7] a frame is sent sooner after a change, and names what is committed', () => {
    const { feed, add } = makePlay();
    add(RIGHT, FRAME_TICKS - 1);
    expect(feed.frame()).toBeNull();
    add(RIGHT, 1);
    expect(feed.frame()).toEqual({ from: 0, inputs: [[RIGHT, 0, FRAME_TICKS]], committed: 0 });
    add(RIGHT, IDLE_FRAME_TICKS - 1);
    expect(feed.frame()).toBeNull();
    add(RIGHT, 1);
    expect(feed.frame()).toMatchObject({ from: FRAME_TICKS, inputs: [[RIGHT, 0, 9]] });
    add(LEFT, 1);
    expect(feed.frame(true)?.inputs).toEqual([[LEFT, 0, 1]]);
    expect(feed.frame(true)).toBeNull();
  });

  test('[G-FIGHT-7] one batch at a time, of at most 250 ms, and never more than was sent', () => {
    const { feed, add } = makePlay();
    add(RIGHT, 40);
    expect(feed.batch(true)).toBeNull();
    feed.frame();
    expect(feed.batch()).toMatchObject({ from: 0, runs: [[RIGHT, 0, BATCH_TICKS_MAX]] });
    expect(feed.batch()).toBeNull();
    feed.committed(15);
    expect(feed.batch()).toMatchObject({ from: BATCH_TICKS_MAX });
    feed.committed(30);
    expect(feed.batch()).toBeNull();
    expect(feed.batch(true)).toMatchObject({ from: 30, runs: [[RIGHT, 0, 10]] });
    feed.committed(40);
    add(LEFT, 3);
    expect(feed.frame()).toMatchObject({ from: 40, committed: 40 });
  });

  test(`[G-FIGHT-7] a batch has its result, wherever batches end (seed ${TEST_SEED})`, () => {
    const chance = makeRandom(`${TEST_SEED}`, () => 'batches', 0);
    let brought = 0;
    for (let fight = 0; fight < 20; fight += 1) {
      const { feed, add } = makePlay();
      let state = openFight();
      for (let n = 0; n < 200; n += 1) {
        add([0, LEFT, RIGHT][chance.integer(3)]!, 1 + chance.integer(4));
        const isLast = chance.integer(20) === 0;
        // Sometimes more was played than sent.
        if (chance.integer(4) > 0) feed.frame(isLast);
        const batch = feed.batch(isLast);
        if (batch === null) continue;
        const { state: after } = advance(fightArena, state, batch.runs);
        if (batch.played !== null) {
          brought += 1;
          expect(batch.played).toEqual({ before: state, after });
        }
        state = after;
        feed.committed(fightArena.ticks.tickOf(state));
      }
    }
    expect(brought).toBeGreaterThan(100);
  });

  test('[G-FIGHT-7] after a whole state come the ticks that are sent but not committed', () => {
    const { feed, add } = makePlay();
    expect(feed.rest()).toBeNull();
    add(RIGHT, 20);
    feed.frame();
    feed.batch();
    feed.committed(15);
    add(RIGHT, 2);
    expect(feed.rest()).toEqual({ from: 15, inputs: [[RIGHT, 0, 5]], committed: 15 });
  });

  test('[G-FIGHT-7] a hash is sent every second, of the state after the last tick sent', () => {
    const { feed, add } = makePlay();
    let hashes = 0;
    for (let n = 0; n < 60; n += 1) {
      add(n, 3);
      if (feed.frame()?.hash !== undefined) hashes += 1;
      feed.batch(true);
      feed.committed(3 * (n + 1));
    }
    expect(hashes).toBe(3);
  });

  test('[G-FIGHT-7] with too many uncommitted ticks nothing more is played', () => {
    const { feed, add } = makePlay();
    add(0, UNCOMMITTED_TICKS_MAX - 1);
    expect(feed.isFull()).toBe(false);
    add(0, 1);
    expect(feed.isFull()).toBe(true);
  });
});

describe('the wire', () => {
  test('[G-FIGHT-7] runs and ticks are equivalent', () => {
    const ticks = [
      [1, 2],
      [1, 2],
      [1, 3],
      [1, 2],
      [1, 2],
      [1, 2],
    ];
    const runs = makeRuns(ticks);
    expect(runs).toEqual([
      [1, 2, 2],
      [1, 3, 1],
      [1, 2, 3],
    ]);
    expect(ticksOf(runs)).toEqual(ticks);
    expect(countTicks(runs)).toBe(6);
    expect(parseRuns(runs, { seats: 2, maskMax: MASK_MAX, ticksMax: 6 })).toEqual(runs);
    expect(makeRuns([])).toEqual([]);
  });

  const bounds = { seats: 2, maskMax: MASK_MAX, ticksMax: 15 };
  test.each([
    [null],
    [{}],
    ['1,2,3'],
    [[1, 2, 3]],
    [[[1, 2]]],
    [[[1, 2, 3, 4]]],
    [[[1, 2, 0]]],
    [[[1, 2, -1]]],
    [[[1, 2, 1.5]]],
    [[[1, 512, 1]]],
    [[[1, '2', 1]]],
    [[[1, Number.NaN, 1]]],
    [[[1, 2, 16]]],
    [
      [
        [1, 2, 10],
        [1, 3, 6],
      ],
    ],
    [Array(16).fill([1, 2, 1])],
  ])('[G-FIGHT-7] %j are no runs', (junk) => {
    expect(parseRuns(junk, bounds)).toBeNull();
  });

  test.each([
    [null],
    [[]],
    [[512]],
    [[-1]],
    [[0.5]],
    [['1']],
    [[1, null]],
    [Array(16).fill(0)],
    ['12'],
  ])('[G-FIGHT-7] %j are no masks', (junk) => {
    expect(parseMasks(junk, bounds)).toBeNull();
  });
});
