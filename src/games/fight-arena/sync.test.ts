/** The same inputs give the same fight: rolled back, stored and restored, mirrored, with seats swapped. */

import { expect, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { deepFreeze } from '../../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { mirrorMask } from './controls.ts';
import { change, makeMasher, mirror, openFight, swap } from './fight.test-kit.ts';
import { hashFight } from './hash.ts';
import { MOVE_NAMES } from './moves.ts';
import { STAGE_WIDTH, X_MAX, X_MIN } from './stage.ts';
import type { Fighter, FightState } from './state.ts';
import { ACTS } from './state.ts';
import { step } from './step.ts';

const MATCHES = 6;
const ROLLBACK_MAX = 15;

interface Tick {
  readonly before: FightState;
  readonly masks: readonly [number, number];
  readonly after: FightState;
}

/** Whole matches of two players with random inputs, tick by tick. */
function* playMatches(name: string): Generator<Tick> {
  for (let match = 0; match < MATCHES; match += 1) {
    const chance = makeRandom(`${TEST_SEED}`, () => `${name} ${match}`, 0);
    const mashers = [makeMasher(chance), makeMasher(chance)] as const;
    let before = openFight({ roundSeconds: 60 });
    while (before.phase !== 'over') {
      const masks = [mashers[0](), mashers[1]()] as const;
      const after = step(before, masks);
      yield { before, masks, after };
      before = after;
    }
  }
}

test(`[G-FIGHT-5] SyncTest: rolled back one tick in every tick, the result is the same (seed ${TEST_SEED})`, () => {
  for (const { before, masks, after } of playMatches('sync')) {
    const restored = JSON.parse(JSON.stringify(before)) as FightState;
    const again = step(deepFreeze(restored), masks);
    if (hashFight(again) !== hashFight(after)) throw new Error(`differs at tick ${after.tick}`);
    if (after.tick % 30 === 0) expect(again).toEqual(after);
  }
});

test(`[G-FIGHT-5] rolled back up to 15 ticks, over wrong predictions, the result is the same (seed ${TEST_SEED})`, () => {
  const chance = makeRandom(`${TEST_SEED}`, () => 'rollback', 0);
  let recent: Tick[] = [];
  for (const tick of playMatches('rollback')) {
    if (tick.before.tick === 0) recent = [];
    recent = [...recent, tick].slice(-ROLLBACK_MAX);
    if (tick.after.tick % 7 !== 0) continue;
    const from = chance.integer(recent.length);
    const played = recent.slice(from);
    let guessed = played[0]!.before;
    for (const { masks } of played) guessed = step(guessed, [masks[0] ^ 16, masks[1]]);
    let again = played[0]!.before;
    for (const { masks } of played) again = step(again, masks);
    expect(hashFight(again)).toBe(hashFight(tick.after));
  }
});

test(`[G-FIGHT-5] random fights contain every act and every attack (seed ${TEST_SEED})`, () => {
  const acts = new Set<string>();
  const moves = new Set<string | null>();
  const ends = new Set<string>();
  for (const { after } of playMatches('sync')) {
    for (const { act, move } of after.fighters) {
      acts.add(act);
      moves.add(move);
    }
    for (const { by } of after.rounds) ends.add(by);
  }
  expect([...acts].sort()).toEqual([...ACTS].sort());
  expect([...moves].sort()).toEqual([...MOVE_NAMES, null].sort());
  expect(ends.has('knockout')).toBe(true);
});

test(`[G-FIGHT-5] a state has whole numbers within bounds, and fighters never leave the stage (seed ${TEST_SEED})`, () => {
  for (const { after } of playMatches('bounds')) {
    for (const fighter of after.fighters) {
      for (const [field, value] of Object.entries(fighter)) {
        if (typeof value !== 'number') continue;
        if (Number.isInteger(value) && !Object.is(value, -0)) continue;
        throw new Error(`${field} is ${value} at tick ${after.tick}`);
      }
      const { x, y, health, boltX } = fighter;
      const isWithin = x >= X_MIN && x <= X_MAX && y >= 0 && boltX >= 0 && boltX <= STAGE_WIDTH;
      if (!isWithin || health < 0) throw new Error(`out of bounds at tick ${after.tick}`);
    }
  }
});

/** A new round puts seat 0 on the left, whoever was there, so it is no mirror image. */
function isNewRound({ before, after }: Tick): boolean {
  return before.phase === 'pause' && after.phase === 'ready';
}

test(`[G-FIGHT-5] mirrored inputs give the mirrored fight (seed ${TEST_SEED})`, () => {
  for (const tick of playMatches('mirror')) {
    if (isNewRound(tick)) continue;
    const { before, masks, after } = tick;
    const mirrored = step(mirror(before), [mirrorMask(masks[0]), mirrorMask(masks[1])]);
    if (hashFight(mirrored) === hashFight(mirror(after))) continue;
    expect(mirrored).toEqual(mirror(after));
  }
});

test(`[G-FIGHT-5] with swapped seats it is the same fight: no seat goes first (seed ${TEST_SEED})`, () => {
  for (const tick of playMatches('swap')) {
    if (isNewRound(tick)) continue;
    const { before, masks, after } = tick;
    const swapped = step(swap(before), [masks[1], masks[0]]);
    if (hashFight(swapped) === hashFight(swap(after))) continue;
    expect(swapped).toEqual(swap(after));
  }
});

test('[G-FIGHT-5] the hash changes with everything in the state', () => {
  const state = openFight();
  const hashes = new Set([hashFight(state)]);
  const add = (other: FightState): void => {
    hashes.add(hashFight(other));
  };
  const others: Partial<Record<keyof Fighter, unknown>> = {
    facing: -1,
    act: 'dash',
    move: 'heavy',
    isCrouching: true,
    hasContact: true,
  };
  const fields = Object.keys(state.fighters[0]) as (keyof Fighter)[];
  for (const field of fields) {
    const value = others[field] ?? Number(state.fighters[0][field]) + 1;
    add(change(state, { [field]: value }));
    add(change(state, {}, { [field]: field === 'facing' ? 1 : value }));
  }
  const fightFields = ['tick', 'left', 'stop', 'roundsToWin', 'roundTicks'] as const;
  for (const field of fightFields) add({ ...state, [field]: state[field] + 1 });
  add({ ...state, phase: 'pause' });
  const round = { winner: 0, by: 'time', health: [2, 1], ticks: 9 } as const;
  add({ ...state, rounds: [round] });
  add({ ...state, rounds: [{ ...round, winner: 1 }] });
  add({ ...state, rounds: [{ ...round, by: 'knockout' }] });
  add({ ...state, rounds: [{ ...round, health: [2, 0] }] });
  add({ ...state, rounds: [{ ...round, ticks: 8 }] });
  expect(hashes.size).toBe(1 + 2 * fields.length + fightFields.length + 1 + 5);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{8}$/);
});
