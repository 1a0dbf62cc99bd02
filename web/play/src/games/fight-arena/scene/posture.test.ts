/** Tests of postures: drawings match the hit boxes, and every state has its own posture. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../../../../game/src/random.ts';
import { bodyBox } from '../../../../../../src/games/fight-arena/body.ts';
import {
  change,
  makeMasher,
  startFight,
} from '../../../../../../src/games/fight-arena/fight.test-kit.ts';
import { MOVE_NAMES, MOVES, totalTicks } from '../../../../../../src/games/fight-arena/moves.ts';
import { HEALTH_MAX } from '../../../../../../src/games/fight-arena/stage.ts';
import type { Fighter } from '../../../../../../src/games/fight-arena/state.ts';
import { step } from '../../../../../../src/games/fight-arena/step.ts';
import { TEST_SEED } from '../../../../../../src/testing/test-seed.ts';
import type { Point } from './pose.ts';
import { solve } from './pose.ts';
import { STROKES } from './poses.ts';
import { poseOf, stageOf } from './posture.ts';

const LIMBS = {
  handFar: 'armFar',
  handNear: 'armNear',
  footFar: 'legFar',
  footNear: 'legNear',
} as const;
/** A fist or a foot extends beyond its joint by this much, and an attack may be drawn this much shorter. */
const BEYOND = 60;
const SHORT_MAX = 160;

const bodyOf = (part: Partial<Fighter>) => solve(poseOf(change(startFight(), part), 0));

describe('an active attack', () => {
  const struck = MOVE_NAMES.filter((name) => STROKES[name].limb !== null);
  test.each(struck)('[WEB] %s is drawn where it hits', (name) => {
    const { startup, hitBox, stance } = MOVES[name];
    const joints = bodyOf({
      act: 'attack',
      move: name,
      age: startup,
      isCrouching: stance === 'crouch',
    });
    const [x, y] = joints[LIMBS[STROKES[name].limb!]][2];
    // An uppercut extends vertically.
    const reached = name === 'rise' ? y : x;
    const wanted = name === 'rise' ? hitBox!.high : hitBox!.front;
    expect(wanted - reached - BEYOND).toBeLessThan(SHORT_MAX);
    expect(reached).toBeLessThanOrEqual(wanted + BEYOND);
    expect(y).toBeGreaterThanOrEqual(hitBox!.low - BEYOND);
    expect(y).toBeLessThanOrEqual(hitBox!.high + BEYOND);
  });

  test.each(struck)('[WEB] %s animates its wind-up and recovery', (name) => {
    const { startup, stance } = MOVES[name];
    const tip = (age: number): Point => {
      const part = { act: 'attack', move: name, age, isCrouching: stance === 'crouch' } as const;
      return bodyOf({ ...part, y: stance === 'air' ? 500 : 0 })[LIMBS[STROKES[name].limb!]][2];
    };
    const apart = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by);
    expect(apart(tip(2), tip(startup))).toBeGreaterThan(200);
    expect(apart(tip(totalTicks(MOVES[name])), tip(startup))).toBeGreaterThan(200);
  });
});

test('[WEB] the phases of an attack are those of the frame data', () => {
  for (const name of MOVE_NAMES) {
    const { startup, active } = MOVES[name];
    const stages = Array.from({ length: totalTicks(MOVES[name]) }, (_, n) =>
      stageOf({ move: name, age: n + 1 }),
    );
    expect(stages.indexOf('active')).toBe(startup - 1);
    expect(stages.filter((stage) => stage === 'active')).toHaveLength(active);
    expect(stages.at(-1)).toBe('recovery');
  }
  expect(stageOf({ move: null, age: 3 })).toBeNull();
});

describe('the body', () => {
  const upright: readonly [string, Partial<Fighter>][] = [
    ['standing', {}],
    ['crouching', { isCrouching: true }],
    ['blocking', { act: 'block', stun: 9 }],
    ['blocking low', { act: 'block', stun: 9, isCrouching: true }],
    ['stunned', { act: 'hit', stun: 10, row: 1 }],
    ['in the air', { act: 'air', vy: 0, y: 900 }],
  ];
  test.each(upright)('[WEB] %s fits the box in which it can be hit', (_, part) => {
    const state = change(startFight(), part);
    const { hip, neck, head } = bodyOf(part);
    const box = bodyBox(state.fighters[0]);
    // Heads and hips extend beyond it by no more than a hand's breadth.
    for (const [x, y] of [hip, neck, head]) {
      expect(x).toBeGreaterThan(box.back - 120);
      expect(x).toBeLessThan(box.front + 120);
      expect(y).toBeLessThan(box.high + 100);
    }
    expect(head[1] + 145).toBeGreaterThan(box.high - 290);
  });

  test('[WEB] has a different posture in each state', () => {
    const states: Partial<Fighter>[] = [
      {},
      { isCrouching: true },
      { act: 'dash', age: 8 },
      { act: 'backdash', age: 8 },
      { act: 'prejump', age: 2 },
      { act: 'air', vy: 150, y: 400 },
      { act: 'block', stun: 9 },
      { act: 'block', stun: 9, isCrouching: true },
      { act: 'hit', stun: 11, row: 1 },
      { act: 'hit', stun: 11, row: 2 },
      { act: 'fall', age: 10, y: 400 },
      { act: 'down', age: 10, stun: 20 },
    ];
    const drawn = states.map((part) => {
      const { head, armFar, legNear } = bodyOf(part);
      return [head, armFar[2], legNear[2]].flat();
    });
    for (const [n, one] of drawn.entries()) {
      for (const other of drawn.slice(n + 1)) {
        const most = Math.max(...one.map((value, at) => Math.abs(value - other[at]!)));
        expect(most).toBeGreaterThan(100);
      }
    }
  });

  test('[WEB] a fighter who is knocked out stays down, any other gets up', () => {
    const height = (part: Partial<Fighter>): number => bodyOf({ act: 'down', ...part }).head[1];
    expect(height({ age: 60, stun: 0, health: 0 })).toBeLessThan(300);
    expect(height({ age: 29, stun: 1, health: HEALTH_MAX })).toBeGreaterThan(1_200);
  });

  test(`[WEB] never comes apart, whatever is played (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED} postures`, () => 'postures', 0);
    const mashers = [makeMasher(random), makeMasher(random)];
    let state = startFight();
    for (let tick = 0; tick < 3_000; tick += 1) {
      state = step(
        state,
        mashers.map((mash) => mash()),
      );
      for (const seat of [0, 1] as const) {
        const { hip, neck, armFar, legNear } = solve(poseOf(state, seat));
        const points = [hip, neck, ...armFar, ...legNear].flat();
        expect(points.every((value) => Number.isFinite(value) && Math.abs(value) < 3_500)).toBe(
          true,
        );
        const shin = Math.hypot(legNear[1][0] - legNear[2][0], legNear[1][1] - legNear[2][1]);
        expect(Math.abs(shin - 430)).toBeLessThan(1);
      }
    }
  });
});
