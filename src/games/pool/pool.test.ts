/** Pool on the wire: actions, their text, the view, and a shot drawn from the view. */

import { describe, expect, test } from 'bun:test';
import type { Json } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import type { ShotAction } from './action.ts';
import type { Motion } from './motion.ts';
import { makeMotion, placeOnPath } from './motion.ts';
import type { Placed } from './physics/simulate.ts';
import { simulate } from './physics/simulate.ts';
import { HEAD_STRING_X } from './physics/table.ts';
import { pool } from './pool.ts';
import { initialOf, laid, play, shotOf } from './positions.test-kit.ts';
import { VARIANTS } from './rack.ts';
import type { PoolState } from './state.ts';

const breaking = shotOf({ speed: 10, follow: 0.004 }, { place: { x: -0.6, y: 0.02 } });

interface ViewedShot {
  readonly before: readonly Placed[];
  readonly action: ShotAction;
  readonly motion: Motion;
}

function viewOf(state: PoolState): { readonly [key: string]: Json } {
  return pool.view(state, null) as { readonly [key: string]: Json };
}

function lastOf(state: PoolState): ViewedShot {
  return viewOf(state)['last'] as unknown as ViewedShot;
}

describe('actions', () => {
  const full = {
    shot: { aim: -1.5, speed: 3.25, side: 0.001, follow: -0.002, elevation: 0.1 },
    call: { ball: 12, pocket: 'side-right' },
    place: { x: 0.25, y: -0.125 },
  };

  test('[G-POOL-14] side, follow and elevation are optional, and default to 0', () => {
    expect(pool.parseAction({ shot: { aim: 1, speed: 2 } })).toEqual(shotOf({ aim: 1, speed: 2 }));
    expect(pool.parseAction(full)).toEqual(full as never);
    const negative = pool.parseAction({ shot: { aim: -0, speed: 2, side: -0 } });
    expect(JSON.stringify(negative)).toBe(JSON.stringify(shotOf({ speed: 2 })));
  });

  test('[G-POOL-14] anything of another shape is no action', () => {
    const { shot } = full;
    for (const junk of [
      {},
      { choose: 'maybe' },
      { choose: 'accept', shot },
      { shot: 1 },
      { shot: {} },
      { shot: { aim: 0 } },
      { shot: { ...shot, aim: '1' } },
      { shot: { ...shot, side: null } },
      { shot: { ...shot, speed: Number.NaN } },
      ...[0, 16, 1.5, '3'].map((ball) => ({ shot, call: { ball, pocket: 'foot-left' } })),
      ...['', 'foot', 3, 'toString'].map((pocket) => ({ shot, call: { ball: 3, pocket } })),
      { shot, safety: false },
      { shot, pushOut: 1 },
      { shot, place: { x: 0 } },
      { shot, place: [0, 0] },
      { shot, call: null },
    ]) {
      expect([junk, pool.parseAction(junk)]).toEqual([junk, null]);
    }
  });

  test('[G-POOL-14] a shot is written in one line, and parsed again if it is legal', () => {
    const state = laid({ 0: [0, 0], 12: [0.5, 0.1], 8: [0, 0.3] }, { inHand: 'anywhere' });
    const text = '@ 0.25 -0.125 aim -1.5 3.25 0.001 -0.002 0.1 call 12 side-right';
    expect(pool.makeNotation(state, full as never)).toBe(text);
    expect(pool.parseNotation(state, text)).toEqual(full as never);
    expect(pool.parseNotation(laid({ 0: [0, 0], 12: [0.5, 0] }), text)).toBeNull();
    const safe = 'aim 0 1e-1 0 0 0 safety';
    expect(pool.parseNotation(state, safe)).toEqual(shotOf({ speed: 0.1 }, { safety: true }));
    const may = laid({ 0: [0, 0], 9: [0.5, 0] }, { variant: 'nineball', mayPushOut: true });
    const push = shotOf({ speed: 2 }, { pushOut: true });
    expect(pool.makeNotation(may, push)).toBe('aim 0 2 0 0 0 push-out');
    expect(pool.parseNotation(may, 'aim 0 2 0 0 0 push-out')).toEqual(push);
    for (const junk of ['', 'aim', 'aim 0 1 0 0', 'aim 0 1 0 0 0 ', 'rerack', 'aim 0 .5 0 0 0']) {
      expect([junk, pool.parseNotation(state, junk)]).toEqual([junk, null]);
    }
  });
});

describe('the view', () => {
  test('[G-POOL-17] before the break: the rack, and the cue ball in hand', () => {
    const view = viewOf(initialOf('nineball', 'none'));
    expect(view).toMatchObject({
      variant: 'nineball',
      isBreak: true,
      inHand: 'behind_head_string',
      last: null,
      choices: [],
      groups: null,
      mayPushOut: false,
      fouls: [0, 0],
      shots: 0,
    });
    const balls = view['balls'] as readonly { readonly n: number }[];
    expect(balls.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(viewOf(initialOf('eightball'))['balls']).toHaveLength(15);
  });

  test('[G-POOL-17] the last shot shows the old positions of balls that moved, and their paths', () => {
    const state = play(initialOf('eightball'), breaking);
    const last = lastOf(state);
    expect(last.before).toContainEqual({ n: 0, x: -0.6, y: 0.02 });
    expect(last.before.length).toBeGreaterThan(8);
    for (const { n, x, y } of last.before) {
      expect([x, y]).toEqual([...state.last!.before[n]!]);
      expect([x, y]).not.toEqual([...(state.table[n] ?? [])]);
    }
    for (const [n, place] of state.table.entries()) {
      const path = last.motion.paths.find(([ball]) => ball === n);
      if (path === undefined || place === null) continue;
      const [x, y] = placeOnPath(path, last.motion.duration / 1e6);
      expect(Math.hypot(x - place[0], y - place[1])).toBeLessThan(5e-5);
    }
  });

  test('[G-POOL-17] a client with the simulator can compute the same shot from the view', () => {
    const straight = laid({ 0: [0, 0.1], 1: [0, 0.4], 9: [0.5, 0], 8: [-0.5, 0] });
    const call = { ball: 1, pocket: 'side-left' } as const;
    const view = viewOf(play(straight, shotOf({ aim: Math.PI / 2, speed: 1.5 }, { call })));
    const { before, action, motion } = view['last'] as unknown as ViewedShot;
    const balls = view['balls'] as unknown as readonly Placed[];
    const lay = [...before, ...balls.filter(({ n }) => before.every((ball) => ball.n !== n))];
    const shot = simulate(
      lay.toSorted((a, b) => a.n - b.n),
      action.shot,
    );
    expect(makeMotion(shot)).toEqual(motion);
    expect(shot.after).toEqual(balls);
  });

  test('[G-POOL-17] no state has a motion: it is computed for each view', () => {
    const state = play(initialOf('eightball'), breaking);
    expect(JSON.stringify(state)).not.toContain('motion');
    expect(JSON.stringify(state).length).toBeLessThan(4_000);
  });

  test('[G-POOL-17] a place behind the head string has an x below that line', () => {
    const edge = { ...breaking, place: { x: HEAD_STRING_X - 1e-9, y: 0.4 } };
    expect(play(initialOf('eightball'), edge).last!.before[0]).toEqual([HEAD_STRING_X - 1e-9, 0.4]);
  });
});

describe('the game', () => {
  test('[G-POOL-14] a turn takes 60 s, there are no draw offers, and seat 0 breaks', () => {
    expect([pool.turnTimeoutMs, pool.drawOffers]).toEqual([60_000, false]);
    for (const variant of VARIANTS) expect(pool.turn(initialOf(variant))).toBe(0);
  });

  test('[G-POOL-17] a break cannot be predicted: the rack is even until it is shot', () => {
    for (const variant of VARIANTS) {
      const start = initialOf(variant);
      const views = ['one', 'another'].map((seed) => {
        const random = makeRandom(seed, () => '', 0);
        const applied = pool.apply(start, 0, breaking, random);
        if ('code' in applied) throw new Error(applied.error);
        return [viewOf(start), viewOf(applied.state)] as const;
      });
      expect(views[0]![0]).toEqual(views[1]![0]);
      expect(views[0]![1]).not.toEqual(views[1]![1]);
    }
  });
});
