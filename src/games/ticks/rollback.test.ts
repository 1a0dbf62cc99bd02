/** Prediction and rollback: alone, and between two players over all kinds of networks. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { LEFT, LIGHT, RIGHT } from '../fight-arena/controls.ts';
import { hold, makeMasher, openFight, startFight } from '../fight-arena/fight.test-kit.ts';
import { fightArena } from '../fight-arena/fight-arena.ts';
import { hashFight } from '../fight-arena/hash.ts';
import type { FightState } from '../fight-arena/state.ts';
import type { Network } from './network.test-kit.ts';
import { GOOD, playOver } from './network.test-kit.ts';
import type { Rollback } from './rollback.ts';
import {
  AHEAD_TICKS_MAX,
  DELAY_TICKS_MAX,
  makeRollback,
  ROLLBACK_TICKS_MAX,
  SEND_TICKS,
} from './rollback.ts';

const opening = startFight();
const base = opening.tick;

function makePlayer(delayTicks = 0, seat: number | null = 0): Rollback<FightState> {
  const { step, hash, tickOf } = fightArena.ticks;
  return makeRollback({ step, hash, tickOf, seats: 2, seat, state: opening, delayTicks });
}

function tickMany(player: Rollback<FightState>, mask: number, ticks: number): void {
  for (let n = 0; n < ticks; n += 1) player.tick(mask);
}

describe('one player', () => {
  test('[G-FIGHT-6] predicts with the same step: a correct prediction is never rolled back', () => {
    const player = makePlayer();
    tickMany(player, RIGHT, 10);
    expect(player.shown()).toEqual(hold(opening, [RIGHT, 0], 10));
    player.receive({ from: base, inputs: [[RIGHT, 0, 10]], committed: base });
    expect(player.confirmed()).toEqual(player.shown());
    expect(player.stats).toMatchObject({ rollbacks: 0, replayed: 0 });
  });

  test('[G-FIGHT-6] a wrong prediction is rolled back, and the result is as if it had been correct', () => {
    const player = makePlayer();
    tickMany(player, RIGHT, 12);
    player.receive({
      from: base,
      inputs: [
        [RIGHT, 0, 4],
        [RIGHT, LEFT, 2],
      ],
      committed: base,
    });
    const known = hold(hold(opening, [RIGHT, 0], 4), [RIGHT, LEFT], 8);
    expect(player.shown()).toEqual(known);
    expect(player.stats).toMatchObject({ rollbacks: 1, deepest: 8, replayed: 6 });
  });

  test(`[G-FIGHT-6] wrong for more than ${ROLLBACK_TICKS_MAX} ticks it jumps, without a resync`, () => {
    for (const [ticks, counted] of [
      [ROLLBACK_TICKS_MAX, { rollbacks: 1, deepest: ROLLBACK_TICKS_MAX, jumps: 0 }],
      [ROLLBACK_TICKS_MAX + 1, { rollbacks: 0, deepest: 0, jumps: 1 }],
      [AHEAD_TICKS_MAX, { rollbacks: 0, deepest: 0, jumps: 1 }],
    ] as const) {
      const player = makePlayer();
      tickMany(player, RIGHT, ticks);
      player.receive({ from: base, inputs: [[RIGHT, LIGHT, 1]], committed: base });
      expect(player.stats).toMatchObject({ ...counted, resyncs: 0, replayed: ticks - 1 });
      expect(player.syncReason()).toBeNull();
      // Own masks under way stay as they were pressed.
      expect(player.shown()).toEqual(hold(opening, [RIGHT, LIGHT], ticks));
      expect(player.tick(0)).toBe(true);
    }
  });

  test('[G-FIGHT-6] continues from a whole state', () => {
    const player = makePlayer();
    tickMany(player, 0, 20);
    player.receive({ from: base + 2, inputs: [[0, LIGHT, 1]], committed: base });
    expect(player.tick(0)).toBe(false);
    const state = hold(opening, [0, LIGHT], 20);
    player.restart(state);
    expect([player.syncReason(), player.committed()]).toEqual([null, state.tick]);
    expect(player.shown()).toBe(state);
    tickMany(player, RIGHT, 3);
    expect(player.shown()).toEqual(hold(state, [RIGHT, 0], 3));
    expect(player.outgoing()).toEqual({ from: state.tick, masks: [RIGHT, RIGHT, RIGHT] });
  });

  test('[G-FIGHT-6] missing ticks and a different hash cause a resync', () => {
    const gap = makePlayer();
    gap.receive({ from: base + 1, inputs: [[0, 0, 3]], committed: base });
    expect(gap.syncReason()).toBe('gap');
    const other = makePlayer();
    other.receive({ from: base, inputs: [[0, 0, 3]], committed: base, hash: '00000000' });
    expect(other.syncReason()).toBe('hash_differs');
    expect(other.stats).toMatchObject({ resyncs: 1, desyncs: 1 });
    const same = makePlayer();
    const hash = hashFight(hold(opening, [0, 0], 3));
    same.receive({ from: base, inputs: [[0, 0, 3]], committed: base, hash });
    expect(same.syncReason()).toBeNull();
  });

  test('[G-FIGHT-6] repeated ticks are ignored, also in part', () => {
    const player = makePlayer();
    player.receive({ from: base, inputs: [[0, RIGHT, 6]], committed: base });
    player.receive({ from: base, inputs: [[0, RIGHT, 6]], committed: base });
    player.receive({
      from: base + 3,
      inputs: [
        [0, RIGHT, 3],
        [0, LEFT, 2],
      ],
      committed: base + 6,
    });
    expect(player.confirmed()).toEqual(hold(hold(opening, [0, RIGHT], 6), [0, LEFT], 2));
    expect(player.committed()).toBe(base + 6);
  });

  test(`[G-FIGHT-6] own input is delayed by at most ${DELAY_TICKS_MAX} ticks`, () => {
    const player = makePlayer(9);
    tickMany(player, RIGHT, 10);
    const held = hold(hold(opening, [0, 0], DELAY_TICKS_MAX), [RIGHT, 0], 10 - DELAY_TICKS_MAX);
    expect(player.shown()).toEqual(held);
  });

  test('[G-FIGHT-6] a changing delay neither loses nor doubles a tick', () => {
    const player = makePlayer(0);
    const sent: number[] = [];
    let from = base;
    for (let n = 0; n < 60; n += 1) {
      player.setDelay([0, 3, 1, 2][Math.floor(n / 5) % 4]!);
      player.tick(n % 2 === 0 ? RIGHT : LEFT);
      const frame = player.outgoing();
      if (frame === null) continue;
      expect(frame.from).toBe(from + sent.length);
      sent.push(...frame.masks);
    }
    from = base;
    const runs = sent.map((mask) => [mask, 0, 1]);
    player.receive({ from, inputs: runs.slice(0, 40), committed: base });
    expect(player.stats).toMatchObject({ rollbacks: 0, refused: 0 });
  });

  test(`[G-FIGHT-6] waits after ${AHEAD_TICKS_MAX} ticks that the server has not confirmed`, () => {
    const player = makePlayer();
    tickMany(player, 0, AHEAD_TICKS_MAX);
    expect(player.tick(0)).toBe(false);
    expect([player.shown().tick, player.stats.waits]).toEqual([base + AHEAD_TICKS_MAX, 1]);
    player.receive({ from: base, inputs: [[0, 0, 5]], committed: base });
    expect(player.tick(0)).toBe(true);
  });

  test('[G-FIGHT-6] sends sooner after a change', () => {
    const player = makePlayer();
    tickMany(player, RIGHT, SEND_TICKS - 1);
    expect(player.outgoing()).toBeNull();
    player.tick(RIGHT);
    expect(player.outgoing()?.masks.length).toBe(SEND_TICKS);
    tickMany(player, RIGHT, SEND_TICKS);
    expect(player.outgoing()).toBeNull();
    player.tick(RIGHT);
    expect(player.outgoing()).toMatchObject({ from: base + SEND_TICKS });
  });

  test('[G-FIGHT-6] counts own masks that came too late, and shows what the server used instead', () => {
    const player = makePlayer();
    tickMany(player, RIGHT, SEND_TICKS);
    player.outgoing();
    player.receive({ from: base, inputs: [[0, 0, SEND_TICKS]], committed: base });
    expect(player.stats.refused).toBe(SEND_TICKS);
    expect(player.shown()).toEqual(hold(opening, [0, 0], SEND_TICKS));
  });

  test('[G-FIGHT-6] a player who was away sends nothing for ticks that were played meanwhile', () => {
    const player = makePlayer();
    tickMany(player, RIGHT, SEND_TICKS);
    player.outgoing();
    // A hidden page receives everything and plays nothing.
    player.receive({ from: base, inputs: [[RIGHT, 0, 200]], committed: base });
    tickMany(player, LEFT, SEND_TICKS);
    expect(player.outgoing()).toEqual({ from: base + 200, masks: [LEFT, LEFT, LEFT] });
    expect(player.stats).toMatchObject({ refused: 0, rollbacks: 0 });
  });

  test('[G-FIGHT-6] a watcher predicts and sends nothing', () => {
    const watcher = makePlayer(0, null);
    tickMany(watcher, RIGHT, 5);
    watcher.receive({ from: base, inputs: [[RIGHT, LEFT, 2]], committed: base });
    expect(watcher.shown()).toEqual(hold(opening, [RIGHT, LEFT], 5));
    expect(watcher.outgoing()).toBeNull();
  });

  test('[G-FIGHT-6] a client that is behind the server catches up', () => {
    const player = makePlayer();
    tickMany(player, RIGHT, 2);
    player.receive({ from: base, inputs: [[RIGHT, 0, 9]], committed: base });
    expect(player.shown()).toEqual(hold(opening, [RIGHT, 0], 9));
    expect(player.tick(RIGHT)).toBe(true);
  });
});

/** The most per player: resyncs, jumps, ticks of a correction. */
interface Bounds {
  readonly resyncs: number;
  readonly jumps: number;
  readonly deepest: number;
}

const BAD_LINE = { ...GOOD, latencyMs: 60, jitterMs: 15, lossPerMille: 10, delayTicks: 3 };
const NETWORKS: readonly (readonly [string, Network, Bounds])[] = [
  ['good', GOOD, { resyncs: 0, jumps: 0, deepest: 10 }],
  [
    'a continent',
    { ...GOOD, latencyMs: 45, jitterMs: 15, delayTicks: 3 },
    { resyncs: 0, jumps: 0, deepest: 13 },
  ],
  [
    'an ocean',
    { ...GOOD, latencyMs: 80, jitterMs: 15, delayTicks: 3 },
    { resyncs: 0, jumps: 5, deepest: 15 },
  ],
  [
    'clocks that are wrong',
    { ...GOOD, clockErrorMs: [25, -25] },
    { resyncs: 0, jumps: 0, deepest: 15 },
  ],
  ['a slow disk', { ...GOOD, commitMs: 240 }, { resyncs: 0, jumps: 0, deepest: 10 }],
  ['retransmissions', { ...GOOD, lossPerMille: 10 }, { resyncs: 0, jumps: 15, deepest: 15 }],
  ['a bad line that stalls', BAD_LINE, { resyncs: 0, jumps: 40, deepest: 15 }],
  [
    'breaks',
    { ...GOOD, jitterMs: 20, lossPerMille: 5, dropPerMille: 5 },
    { resyncs: 30, jumps: 15, deepest: 15 },
  ],
];

describe('two players', () => {
  test.each(NETWORKS)(
    `[G-FIGHT-6] %s: both end with the state that the server played and the log has (seed ${TEST_SEED})`,
    (name, network, most) => {
      const random = makeRandom(`${TEST_SEED}`, () => name, 0);
      const world = playOver(network, [makeMasher(random), makeMasher(random)], random);
      const live = hashFight(world.live());
      expect(fightArena.outcome(world.live())).not.toBeNull();
      expect(hashFight(world.logged())).toBe(live);
      for (const { rollback } of world.players) {
        expect(hashFight(rollback.confirmed())).toBe(live);
        expect(rollback.stats.resyncs).toBeLessThanOrEqual(most.resyncs);
        expect(rollback.stats.desyncs).toBe(0);
        expect(rollback.stats.jumps).toBeLessThanOrEqual(most.jumps);
        expect(rollback.stats.deepest).toBeLessThanOrEqual(most.deepest);
        expect(rollback.stats.rollbacks).toBeGreaterThan(0);
      }
    },
    20_000,
  );

  test(`[G-FIGHT-6] at most 12 kbit/s of payload each way for a player, 20 frames a second (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'payload', 0);
    const world = playOver(GOOD, [makeMasher(random), makeMasher(random)], random);
    const seconds = world.elapsedMs() / 1_000;
    for (const { up, down } of world.players) {
      for (const { bytes, frames } of [up, down]) {
        expect((bytes * 8) / seconds).toBeLessThanOrEqual(12_000);
        expect(frames / seconds).toBeLessThanOrEqual(20);
      }
    }
  });

  test(`[G-FIGHT-6] an idle player is always predicted correctly (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'still', 0);
    const still = () => 0;
    const world = playOver(GOOD, [still, still], random, 600);
    for (const { rollback } of world.players) {
      expect(rollback.stats).toMatchObject({ rollbacks: 0, resyncs: 0, waits: 0, refused: 0 });
      expect(rollback.confirmed()).toEqual(hold(openFight({ roundSeconds: 30 }), [0, 0], 600));
    }
  });
});
