/** Movement, throws, blocks, bolts and simultaneous attacks. */

import { expect, test } from 'bun:test';
import { scaled } from './contact.ts';
import { DASH, DOWN, HEAVY, LEFT, LIGHT, MASK_MAX, RIGHT, SPECIAL, THROW, UP } from './controls.ts';
import { change, hold, openFight, playWhile, poise, startFight } from './fight.test-kit.ts';
import { MOVES } from './moves.ts';
import {
  BACKDASH_TICKS,
  BODY_WIDTH,
  BREAK_SLIDE,
  BUFFER_TICKS,
  DASH_SPEED,
  DASH_TICKS,
  DOWN_TICKS,
  HEALTH_MAX,
  LANDING_TICKS,
  PREJUMP_TICKS,
  START_X,
  WALK_BACK,
  WALK_FORWARD,
  X_MAX,
  X_MIN,
} from './stage.ts';
import type { Fighter } from './state.ts';
import { step } from './step.ts';

const start = startFight();

function first(state: { fighters: readonly [Fighter, Fighter] }): Fighter {
  return state.fighters[0];
}

test('[G-FIGHT-2] walks forward, and back more slowly; both directions at once count as neither', () => {
  expect(first(hold(start, [RIGHT, 0], 10)).x).toBe(START_X[0] + 10 * WALK_FORWARD);
  expect(first(hold(start, [LEFT, 0], 10)).x).toBe(START_X[0] - 10 * WALK_BACK);
  expect(first(hold(start, [LEFT | RIGHT, 0], 10)).x).toBe(START_X[0]);
  expect(first(hold(start, [RIGHT | DOWN, 0], 10))).toMatchObject({
    x: START_X[0],
    isCrouching: true,
  });
});

test('[G-FIGHT-2] the walls of the stage stop fighters', () => {
  expect(first(hold(start, [LEFT, 0], 1_000)).x).toBe(X_MIN);
  expect(hold(start, [0, RIGHT], 1_000).fighters[1].x).toBe(X_MAX);
});

test('[G-FIGHT-2] bodies push each other and never overlap', () => {
  const met = hold(start, [RIGHT, 0], 200);
  expect(met.fighters[1].x - met.fighters[0].x).toBe(BODY_WIDTH);
  expect(met.fighters[1].x).toBeGreaterThan(START_X[1]);
  const cornered = hold(start, [RIGHT, 0], 1_000);
  expect(cornered.fighters.map(({ x }) => x)).toEqual([X_MAX - BODY_WIDTH, X_MAX]);
});

test('[G-FIGHT-2] a jump leaves the ground, lands where it was aimed, and turns around', () => {
  const near = change(start, { x: START_X[1] - 1_500 });
  const rising = hold(near, [UP | RIGHT, 0], PREJUMP_TICKS + 1);
  expect(first(rising).act).toBe('air');
  const landed = playWhile(rising, [0, 0], ({ fighters }) => fighters[0].act !== 'free');
  const { x, y, facing } = first(landed);
  expect(y).toBe(0);
  expect(x).toBeGreaterThan(START_X[1]);
  expect([facing, landed.fighters[1].facing]).toEqual([-1, 1]);
});

test('[G-FIGHT-2] a dash goes forward, or back if back is held', () => {
  const dashed = hold(hold(start, [DASH, 0]), [0, 0], DASH_TICKS - 1);
  expect(first(dashed)).toMatchObject({ x: START_X[0] + DASH_TICKS * DASH_SPEED, act: 'dash' });
  expect(first(hold(dashed, [0, 0])).act).toBe('free');
  const back = hold(start, [DASH | LEFT, 0]);
  expect(first(back).act).toBe('backdash');
  expect(first(hold(back, [0, 0], 30)).x).toBeLessThan(START_X[0]);
});

test.each([
  [UP, 'prejump', PREJUMP_TICKS],
  [DASH, 'dash', DASH_TICKS],
  [DASH | LEFT, 'backdash', BACKDASH_TICKS],
] as const)('[G-FIGHT-2] mask %d leads to %s for its ticks', (mask, act, ticks) => {
  const begun = hold(start, [mask, 0]);
  expect(first(hold(begun, [0, 0], ticks - 1)).act).toBe(act);
  expect(first(hold(begun, [0, 0], ticks)).act).not.toBe(act);
});

test('[G-FIGHT-2] a landing takes its ticks', () => {
  const touching = change(start, { act: 'air', y: 1, vy: -100 });
  const landed = hold(touching, [0, 0]);
  expect(first(landed).act).toBe('landing');
  expect(first(hold(landed, [0, 0], LANDING_TICKS - 1)).act).toBe('landing');
  expect(first(hold(landed, [0, 0], LANDING_TICKS)).act).toBe('free');
});

test('[G-FIGHT-2] a button counts when it is pressed, not while it is held', () => {
  const once = hold(start, [LIGHT, 0], 100);
  expect(first(once).act).toBe('free');
  const again = hold(hold(once, [0, 0]), [LIGHT, 0]);
  expect(first(again).move).toBe('light');
});

test('[G-FIGHT-2] a button pressed a little too early still counts, much too early it does not', () => {
  const total = MOVES.light.startup + MOVES.light.active + MOVES.light.recovery - 1;
  const pressedBefore = (ticks: number) => {
    const busy = hold(start, [LIGHT, 0], total - ticks);
    return hold(hold(busy, [HEAVY, 0]), [0, 0], ticks);
  };
  expect(first(pressedBefore(BUFFER_TICKS - 1)).move).toBe('heavy');
  expect(first(pressedBefore(BUFFER_TICKS + 1)).move).toBeNull();
});

test.each([
  [LIGHT, 'light'],
  [HEAVY, 'heavy'],
  [LIGHT | DOWN, 'lowLight'],
  [HEAVY | DOWN, 'sweep'],
  [SPECIAL, 'bolt'],
  [SPECIAL | DOWN, 'rise'],
  [THROW, 'throw'],
] as const)('[G-FIGHT-2] mask %d on the ground is %s', (mask, name) => {
  expect(first(hold(start, [mask, 0]))).toMatchObject({ act: 'attack', age: 1, move: name });
});

test.each([
  [LIGHT, 'airLight'],
  [HEAVY, 'airHeavy'],
] as const)('[G-FIGHT-2] mask %d in the air is %s, and ends with the landing', (mask, name) => {
  const high = hold(start, [UP, 0], 20);
  const struck = hold(high, [mask, 0]);
  expect(first(struck).move).toBe(name);
  const landed = playWhile(struck, [0, 0], ({ fighters }) => fighters[0].y > 0);
  expect(first(landed)).toMatchObject({ act: 'landing', move: null, vx: 0, vy: 0 });
});

test('[G-FIGHT-2] before and after the round nobody acts', () => {
  const early = hold(openFight(), [LIGHT | RIGHT, HEAVY | LEFT], 50);
  expect(early.fighters.map(({ x, act }) => [x, act])).toEqual([
    [START_X[0], 'free'],
    [START_X[1], 'free'],
  ]);
});

test('[G-FIGHT-3] two attacks in the same tick both hit', () => {
  const state = change(
    poise('heavy'),
    {},
    {
      act: 'attack',
      move: 'heavy',
      age: MOVES.heavy.startup - 1,
    },
  );
  const traded = step(state, [0, 0]);
  expect(traded.fighters.map(({ health, act }) => [health, act])).toEqual([
    [HEALTH_MAX - MOVES.heavy.damage, 'hit'],
    [HEALTH_MAX - MOVES.heavy.damage, 'hit'],
  ]);
});

test('[G-FIGHT-3] an earlier attack stops the other', () => {
  const state = change(poise('light'), {}, { act: 'attack', move: 'heavy', age: 5 });
  const after = hold(state, [0, 0], 60);
  expect(first(after).health).toBe(HEALTH_MAX);
  expect(after.fighters[1].health).toBe(HEALTH_MAX - MOVES.light.damage);
});

test('[G-FIGHT-3] a rise cannot be hit in its safe ticks, only after them', () => {
  const against = (age: number) =>
    step(change(poise('heavy'), {}, { act: 'attack', move: 'rise', age: age - 1 }), [0, 0]);
  expect(against(MOVES.rise.safeTicks).fighters[1].health).toBe(HEALTH_MAX);
  expect(against(MOVES.rise.safeTicks + 1).fighters[1].health).toBeLessThan(HEALTH_MAX);
});

test('[G-FIGHT-3] a throw grabs a blocking, crouching or attacking fighter, but not a stunned or airborne one', () => {
  const against = (target: Partial<Fighter>, mask = 0) =>
    step(change(poise('throw'), {}, target), [0, mask]).fighters[1].health < HEALTH_MAX;
  expect(against({}, RIGHT)).toBe(true);
  expect(against({}, RIGHT | DOWN)).toBe(true);
  expect(against({ act: 'attack', move: 'heavy', age: 3 })).toBe(true);
  expect(against({ act: 'attack', move: 'throw', age: 20 })).toBe(true);
  for (const act of ['hit', 'block'] as const) expect(against({ act, stun: 9 })).toBe(false);
  expect(against({ act: 'prejump', age: 1 })).toBe(false);
  expect(against({ act: 'air', y: 200, vy: 50 })).toBe(false);
  expect(against({ act: 'down', stun: 20 })).toBe(false);
});

test('[G-FIGHT-3] simultaneous throws break: no damage, both pushed apart', () => {
  for (const age of [1, MOVES.throw.startup - 1]) {
    const state = change(poise('throw'), {}, { act: 'attack', move: 'throw', age });
    const broken = step(state, [0, 0]);
    const after = hold(broken, [0, 0], 60);
    expect(after.fighters.map(({ health }) => health)).toEqual([HEALTH_MAX, HEALTH_MAX]);
    const gap = after.fighters[1].x - after.fighters[0].x;
    expect(gap).toBe(state.fighters[1].x - state.fighters[0].x + 2 * BREAK_SLIDE);
  }
});

test('[G-FIGHT-3] a strike beats a throw of the same tick', () => {
  const state = change(
    poise('throw'),
    {},
    { act: 'attack', move: 'light', age: MOVES.light.startup - 1 },
  );
  const after = hold(state, [0, 0], 30);
  expect(after.fighters[1].health).toBe(HEALTH_MAX);
  expect(first(after).health).toBe(HEALTH_MAX - MOVES.light.damage);
});

test('[G-FIGHT-3] a fighter on the ground cannot be hit and gets up after a while', () => {
  const fallen = step(poise('sweep'), [0, 0]);
  const lying = playWhile(fallen, [0, 0], ({ fighters }) => fighters[1].act !== 'down');
  const attacked = change(lying, {
    act: 'attack',
    move: 'sweep',
    age: MOVES.sweep.startup - 1,
    hasContact: false,
    x: lying.fighters[1].x - 700,
  });
  expect(step(attacked, [0, 0]).fighters[1].health).toBe(lying.fighters[1].health);
  expect(hold(lying, [0, 0], DOWN_TICKS).fighters[1].act).toBe('down');
  expect(hold(lying, [0, 0], DOWN_TICKS + 1).fighters[1].act).toBe('free');
});

test('[G-FIGHT-3] a fighter hit in the air falls', () => {
  const state = change(poise('rise'), {}, { act: 'air', y: 600, vy: 10 });
  expect(step(state, [0, 0]).fighters[1].act).toBe('fall');
  const light = change(poise('light'), {}, { act: 'air', y: 300, vy: 10 });
  expect(step(light, [0, 0]).fighters[1].act).toBe('fall');
});

test('[G-FIGHT-3] after a contact a special may follow at once, after a miss it may not', () => {
  const hit = hold(poise('light'), [0, 0]);
  const cancelled = hold(hold(hit, [SPECIAL | DOWN, 0], MOVES.light.stop), [SPECIAL | DOWN, 0]);
  expect(first(cancelled)).toMatchObject({ move: 'rise', age: 1 });
  const missed = hold(poise('light', { distance: 3_000 }), [SPECIAL | DOWN, 0]);
  expect(first(missed).move).toBe('light');
  const sweep = hold(hold(poise('sweep'), [0, 0]), [SPECIAL | DOWN, 0], MOVES.sweep.stop + 1);
  expect(first(sweep).move).toBe('sweep');
});

test('[G-FIGHT-3] each hit of a combo does less damage', () => {
  expect([0, 1, 2, 3, 4, 9].map((row) => scaled(100, row))).toEqual([100, 80, 60, 45, 30, 30]);
  const second = change(poise('heavy'), {}, { act: 'hit', stun: 5, row: 1 });
  expect(step(second, [0, 0]).fighters[1].health).toBe(HEALTH_MAX - scaled(MOVES.heavy.damage, 1));
  const free = playWhile(second, [0, LEFT], ({ fighters }) => fighters[1].act !== 'free');
  expect(free.fighters[1].row).toBe(0);
});

test('[G-FIGHT-3] a slide stopped by a wall is made up by the other fighter', () => {
  const state = change(poise('light'), { x: X_MAX - 700 }, { x: X_MAX });
  const hit = step(state, [0, 0]);
  const after = hold(hit, [0, 0], MOVES.light.stop + MOVES.light.hitstun);
  expect(after.fighters[1].x).toBe(X_MAX);
  expect(first(after).x).toBe(X_MAX - 700 - MOVES.light.pushback);
});

test('[G-FIGHT-3] a fighter has one bolt at a time, and two that meet are gone', () => {
  const sent = hold(start, [SPECIAL, 0], MOVES.bolt.startup);
  expect(first(sent).boltFacing).toBe(1);
  const both = hold(change(start, { x: X_MIN }, { x: X_MAX }), [SPECIAL, SPECIAL], 20);
  expect(both.fighters.every(({ boltFacing }) => boltFacing !== 0)).toBe(true);
  // Free, with its bolt still flying.
  const flying = change(both, { act: 'free', move: null });
  expect(first(hold(hold(flying, [0, 0]), [SPECIAL, 0])).act).toBe('free');
  const met = hold(both, [0, 0], 60);
  expect(met.fighters.map(({ boltFacing, health }) => [boltFacing, health])).toEqual([
    [0, HEALTH_MAX],
    [0, HEALTH_MAX],
  ]);
});

test('[G-FIGHT-3] a bolt hits whom it should, and misses a jumping fighter', () => {
  const bolt = { boltX: 4_000, boltFacing: 1 } as const;
  const stand = hold(change(start, bolt), [0, 0], 40);
  expect(stand.fighters[1].health).toBe(HEALTH_MAX - MOVES.bolt.damage);
  const crouch = hold(change(start, bolt), [0, DOWN], 40);
  expect(crouch.fighters[1].health).toBe(HEALTH_MAX - MOVES.bolt.damage);
  const jump = hold(change(start, bolt, { act: 'air', y: 1_000, vy: 200 }), [0, 0], 40);
  expect(jump.fighters[1].health).toBe(HEALTH_MAX);
});

test('[G-FIGHT-5] any integers are valid masks: unknown bits are ignored', () => {
  const odd = [-1, 2 ** 31, Number.MAX_SAFE_INTEGER, MASK_MAX + 1, 1e9] as const;
  for (const one of odd) {
    const meant = step(start, [one & MASK_MAX, 0]);
    expect(step(start, [one, 0])).toEqual(meant);
  }
});
