/** Tests of the animation after the last hit, and of combos. */

import { describe, expect, test } from 'bun:test';
import { DOWN, LIGHT, SPECIAL } from '../../../../../src/games/fight-arena/controls.ts';
import {
  change,
  hold,
  openFight,
  poise,
  startFight,
} from '../../../../../src/games/fight-arena/fight.test-kit.ts';
import type { FightState } from '../../../../../src/games/fight-arena/state.ts';
import { step } from '../../../../../src/games/fight-arena/step.ts';
import { makeComboCounter } from './combos.ts';
import { isSameEnd, makeEpilogue } from './epilogue.ts';
import { WIN } from './scene/poses.ts';
import { poseOf } from './scene/posture.ts';

/** A match of one round, in the tick of its last hit. */
function lastHit(name: Parameters<typeof poise>[0]): FightState {
  const before = { ...poise(name), roundsToWin: 1 };
  const state = step(change(before, {}, { health: 1 }), [0, 0]);
  expect(state.phase).toBe('over');
  return state;
}

describe('the epilogue', () => {
  test.each(['light', 'heavy', 'sweep', 'airHeavy', 'rise', 'throw'] as const)(
    '[WEB] after %s the fighter falls to the ground and the winner cheers',
    (name) => {
      const end = lastHit(name);
      expect(end.fighters[1].act).toBe('fall');
      const epilogue = makeEpilogue(end);
      expect(epilogue.stateAt(0)).toBe(end);
      const heights = [0.2, 0.3, 0.4, 0.5].map((at) => epilogue.stateAt(at).fighters[1].y);
      expect(Math.max(...heights)).toBeGreaterThan(200);
      const late = epilogue.stateAt(2.6);
      expect(late.fighters[1]).toMatchObject({ act: 'down', y: 0, health: 0 });
      expect(late.fighters[0].act).toBe('free');
      expect(poseOf(late, 0, late.tick).handNear[1]).toBeGreaterThan(WIN.handNear[1] - 60);
    },
  );

  test('[WEB] changes neither the result nor anybody’s health, and ends', () => {
    const end = lastHit('heavy');
    const epilogue = makeEpilogue(end);
    for (const at of [0.5, 1, 2, 60]) {
      const { phase, rounds, fighters, left } = epilogue.stateAt(at);
      expect({ phase, rounds, left }).toEqual({ phase: 'over', rounds: end.rounds, left: 0 });
      expect(fighters.map(({ health }) => health)).toEqual(
        end.fighters.map(({ health }) => health),
      );
    }
    expect(epilogue.stateAt(60)).toBe(epilogue.stateAt(1_000));
  });

  test('[WEB] starts again when the predicted end was wrong', () => {
    const end = lastHit('heavy');
    expect(isSameEnd(end, structuredClone(end))).toBe(true);
    expect(isSameEnd(end, change(end, { x: 1 }))).toBe(false);
    expect(isSameEnd(end, { ...end, tick: end.tick + 1 })).toBe(false);
  });
});

describe('a combo', () => {
  /** Attacks from near by, each as soon as it is possible. */
  function playRow(ticks: number) {
    const counter = makeComboCounter();
    const seen: string[] = [];
    let state = change(startFight(), { x: 4_500 }, { x: 5_150 });
    for (let tick = 0; tick < ticks; tick += 1) {
      const mask = tick < 3 ? LIGHT : tick >= 10 && tick < 18 ? DOWN | SPECIAL : 0;
      state = step(state, [mask, 0]);
      const [own, other] = counter.take(state);
      expect(other).toBeNull();
      const words = own === null ? '-' : `${own.hits} ${own.damage}`;
      if (seen.at(-1) !== words) seen.push(words);
    }
    return { seen, state };
  }

  test('[WEB] is counted with its damage, stays visible for a while, and disappears', () => {
    const { seen, state } = playRow(400);
    expect(state.fighters[1].health).toBe(1_000 - 45 - 80);
    expect(seen).toEqual(['-', '2 125', '-']);
  });

  test('[WEB] that was mispredicted is no longer shown', () => {
    const counter = makeComboCounter();
    const calm = startFight();
    counter.take(calm);
    expect(counter.take(change(calm, {}, { row: 2, health: 900, act: 'hit' }))[0]).toEqual({
      hits: 2,
      damage: 100,
    });
    expect(counter.take(calm)).toEqual([null, null]);
  });

  test('[WEB] of the previous round is no longer shown', () => {
    const counter = makeComboCounter();
    counter.take(startFight());
    counter.take(change(startFight(), {}, { row: 3, health: 0, act: 'fall' }));
    expect(counter.take(hold(openFight(), [0, 0], 1))).toEqual([null, null]);
  });
});
