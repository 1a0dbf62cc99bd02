/** Every move against its row of the frame data. */

import { describe, expect, test } from 'bun:test';
import { DOWN, LEFT, RIGHT } from './controls.ts';
import { change, hold, poise, ticksUntilFree } from './fight.test-kit.ts';
import { advantage, isActive, MOVE_NAMES, MOVES, totalTicks } from './moves.ts';
import { HEALTH_MAX } from './stage.ts';
import type { FightState } from './state.ts';

/** Seat 1 faces left: away is to the right. */
const BLOCK_HIGH = RIGHT;
const BLOCK_LOW = RIGHT | DOWN;
const HALF_BODY = 280;

const strikes = MOVE_NAMES.filter((name) => name !== 'throw');
const onGround = MOVE_NAMES.filter((name) => MOVES[name].stance !== 'air');
const withBox = MOVE_NAMES.filter((name) => MOVES[name].hitBox !== null);

function lostHealth(state: FightState): number {
  return HEALTH_MAX - state.fighters[1].health;
}

function slid(from: FightState, to: FightState): number {
  return to.fighters[1].x - from.fighters[1].x;
}

describe.each(MOVE_NAMES)('%s', (name) => {
  const move = MOVES[name];

  test('[G-FIGHT-3] hits a standing fighter, with its damage and its stop', () => {
    const hit = hold(poise(name), [0, 0]);
    expect(lostHealth(hit)).toBe(move.damage);
    expect(hit.stop).toBe(move.stop);
    expect(hit.fighters[1].act).toBe(move.knocksDown ? 'fall' : 'hit');
    // Both stand still, and it does not hit again.
    const after = hold(hit, [0, 0], move.stop);
    expect(after.fighters).toEqual(hit.fighters);
    expect(lostHealth(hold(after, [0, 0], totalTicks(move)))).toBe(move.damage);
  });

  test('[G-FIGHT-3] hits in its active ticks and in no other', () => {
    if (move.hitBox === null) return;
    for (let age = 2; age <= totalTicks(move); age += 1) {
      const state = hold(poise(name, { age }), [0, 0]);
      expect([age, lostHealth(state)]).toEqual([age, isActive(move, age) ? move.damage : 0]);
    }
  });
});

test.each(withBox)(
  '[G-FIGHT-3] %s reaches as far as its box, and no millimetre further',
  (name) => {
    const reach = MOVES[name].hitBox!.front + HALF_BODY;
    expect(lostHealth(hold(poise(name, { distance: reach }), [0, 0]))).toBe(MOVES[name].damage);
    expect(lostHealth(hold(poise(name, { distance: reach + 1 }), [0, 0]))).toBe(0);
  },
);

test.each(onGround)('[G-FIGHT-3] a missed %s binds its fighter for its ticks', (name) => {
  const state = poise(name, { age: 1, distance: 5_000 });
  const started = change(state, { age: 0 });
  // The bolt flies on by itself.
  expect(ticksUntilFree(started, 0, [0, 0])).toBe(totalTicks(MOVES[name]) + 1);
  expect(lostHealth(hold(started, [0, 0], totalTicks(MOVES[name])))).toBe(0);
});

test.each(strikes)('[G-FIGHT-3] %s is blocked at its level', (name) => {
  const { level, chip, damage, stop } = MOVES[name];
  for (const [mask, posture] of [
    [BLOCK_HIGH, 'high'],
    [BLOCK_LOW, 'low'],
  ] as const) {
    const state = hold(poise(name), [0, mask]);
    const isBlocked = level === 'mid' || level === posture;
    expect([posture, lostHealth(state)]).toEqual([posture, isBlocked ? chip : damage]);
    expect(state.fighters[1].act === 'block').toBe(isBlocked);
    expect(state.stop).toBe(stop);
  }
  // Towards the attacker, or nothing at all, is no block.
  for (const mask of [0, LEFT, DOWN]) {
    expect(lostHealth(hold(poise(name), [0, mask]))).toBe(damage);
  }
});

test.each(strikes)(
  '[G-FIGHT-3] %s pushes a hit or blocking fighter back as far as its data says',
  (name) => {
    const { level, pushback, hitstun, blockstun, stop, knocksDown } = MOVES[name];
    const block = level === 'low' ? BLOCK_LOW : BLOCK_HIGH;
    const blocked = hold(poise(name), [0, block]);
    const after = hold(blocked, [0, 0], stop + blockstun);
    expect(slid(blocked, after)).toBe(pushback);
    expect(after.fighters[1].act).toBe('block');
    expect(hold(after, [0, 0]).fighters[1].act).toBe('free');
    if (knocksDown) return;
    const hit = hold(poise(name), [0, 0]);
    const stunned = hold(hit, [0, 0], stop + hitstun);
    expect(slid(hit, stunned)).toBe(pushback);
    expect(stunned.fighters[1].act).toBe('hit');
    expect(hold(stunned, [0, 0]).fighters[1].act).toBe('free');
  },
);

test.each(onGround.filter((name) => name !== 'throw'))(
  '[G-FIGHT-3] %s leaves both free at the distance in its data',
  (name) => {
    const move = MOVES[name];
    const block = move.level === 'low' ? BLOCK_LOW : BLOCK_HIGH;
    const gained = (state: FightState): number =>
      ticksUntilFree(state, 1, [0, 0]) - ticksUntilFree(state, 0, [0, 0]);
    expect(gained(hold(poise(name), [0, block]))).toBe(advantage(move, move.blockstun));
    if (move.knocksDown) return;
    expect(gained(hold(poise(name), [0, 0]))).toBe(advantage(move, move.hitstun));
  },
);

test('[G-FIGHT-4] the advantage of a block is never enough for a free hit', () => {
  const fastest = Math.min(...onGround.map((name) => MOVES[name].startup));
  for (const name of onGround) {
    expect(advantage(MOVES[name], MOVES[name].blockstun)).toBeLessThan(fastest);
  }
});

test("[G-FIGHT-4] no attack follows another's hit for free, so no combo is infinite", () => {
  for (const first of onGround) {
    if (MOVES[first].knocksDown) continue;
    const gain = advantage(MOVES[first], MOVES[first].hitstun);
    for (const next of strikes) expect(gain).toBeLessThan(MOVES[next].startup);
  }
});

test('[G-FIGHT-4] the strong attacks lose to the fastest when they are blocked', () => {
  for (const name of ['heavy', 'sweep', 'bolt', 'rise'] as const) {
    const loss = -advantage(MOVES[name], MOVES[name].blockstun);
    expect([name, loss > 0]).toEqual([name, true]);
  }
  for (const name of ['sweep', 'rise'] as const) {
    const loss = -advantage(MOVES[name], MOVES[name].blockstun);
    expect(loss).toBeGreaterThanOrEqual(MOVES.light.startup);
  }
});

test('[G-FIGHT-4] no attack takes more than an eighth of the health', () => {
  for (const name of MOVE_NAMES) expect(MOVES[name].damage).toBeLessThanOrEqual(HEALTH_MAX / 8);
});

test('[G-FIGHT-4] frame data are whole numbers, and only specials do chip damage', () => {
  for (const name of MOVE_NAMES) {
    const move = MOVES[name];
    for (const value of Object.values(move)) {
      if (typeof value === 'number') expect([name, Number.isInteger(value)]).toEqual([name, true]);
    }
    for (const box of [move.hitBox, move.limbBox]) {
      if (box === null) continue;
      expect(Object.values(box).every(Number.isInteger)).toBe(true);
      expect(-box.back <= box.front && box.low < box.high).toBe(true);
    }
    expect(move.chip > 0).toBe(name === 'bolt' || name === 'rise');
  }
});
