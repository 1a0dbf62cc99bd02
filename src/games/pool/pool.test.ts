/** Pool on the wire: actions, their text, the view, and a shot drawn from what the view tells. */

import { describe, expect, test } from 'bun:test';
import type { Json } from '../game.ts';
import { legAt } from './course.ts';
import { pool } from './pool.ts';
import { initialOf, laid, play, shotOf } from './positions.test-kit.ts';
import type { Leg } from './simulate.ts';
import type { PoolState } from './state.ts';
import { HEAD_STRING_X } from './table.ts';

const breaking = shotOf({ speed: 10, follow: 0.004 }, { place: { x: -0.6, y: 0.02 } });

interface ViewedShot {
  readonly duration: number;
  readonly before: readonly { readonly n: number; readonly x: number; readonly y: number }[];
  readonly events: readonly { readonly t: number; readonly kind: string }[];
  readonly courses: readonly {
    readonly ball: number;
    readonly legs: readonly (readonly [Leg['motion'], ...number[]])[];
  }[];
}

function viewOf(state: PoolState): { readonly [key: string]: Json } {
  return pool.view(state, null) as { readonly [key: string]: Json };
}

/** A leg out of the ten figures of the wire. */
function readLeg([motion, ...figures]: readonly [Leg['motion'], ...number[]]): Leg {
  const [t, x, y, vx, vy, ax, ay, wx, wy, wz] = figures as [number, ...number[]] as number[];
  return { motion, t, x, y, vx, vy, ax, ay, wx, wy, wz } as Leg;
}

describe('actions', () => {
  const full = {
    shot: { aim: -1.5, speed: 3.25, side: 0.001, follow: -0.002, elevation: 0.1 },
    call: { ball: 12, pocket: 'side-right' },
    place: { x: 0.25, y: -0.125 },
  };

  test('[G-POOL-14] side, follow and elevation may be left out, and are 0 then', () => {
    expect(pool.parseAction({ shot: { aim: 1, speed: 2 } })).toEqual(shotOf({ aim: 1, speed: 2 }));
    expect(pool.parseAction(full)).toEqual(full as never);
    const negative = pool.parseAction({ shot: { aim: -0, speed: 2, side: -0 } });
    expect(JSON.stringify(negative)).toBe(JSON.stringify(shotOf({ speed: 2 })));
  });

  test('[G-POOL-14] what has another shape is none', () => {
    const { shot } = full;
    for (const junk of [
      ...[{}, { choose: 'maybe' }, { choose: 'accept', shot }, { shot: 1 }, { shot: {} }],
      ...[{ shot: { aim: 0 } }, { shot: { ...shot, aim: '1' } }, { shot: { ...shot, side: null } }],
      { shot: { ...shot, speed: Number.NaN } },
      ...[0, 16, 1.5, '3'].map((ball) => ({ shot, call: { ball, pocket: 'foot-left' } })),
      ...['', 'foot', 3, 'toString'].map((pocket) => ({ shot, call: { ball: 3, pocket } })),
      ...[
        { shot, safety: false },
        { shot, pushOut: 1 },
        { shot, place: { x: 0 } },
      ],
      ...[
        { shot, place: [0, 0] },
        { shot, call: null },
      ],
    ]) {
      expect([junk, pool.parseAction(junk)]).toEqual([junk, null]);
    }
  });

  test('[G-POOL-14] a shot is written in one line, and read back where it is legal', () => {
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
      ...{ variant: 'nineball', isBreak: true, inHand: 'behind_head_string', last: null },
      ...{ choices: [], groups: null, mayPushOut: false, fouls: [0, 0], shots: 0 },
    });
    const balls = view['balls'] as readonly { readonly n: number }[];
    expect(balls.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(viewOf(initialOf('eightball'))['balls']).toHaveLength(15);
  });

  test('[G-POOL-17] the legs of every ball join, from where it lay to where it lies', () => {
    const state = play(initialOf('eightball'), breaking);
    const last = viewOf(state)['last'] as unknown as ViewedShot;
    expect(last.before.find(({ n }) => n === 0)).toEqual({ n: 0, x: -0.6, y: 0.02 });
    expect(last.courses.length).toBeGreaterThan(8);
    for (const { ball, legs } of last.courses) {
      const read = legs.map(readLeg);
      const { x, y } = last.before.find(({ n }) => n === ball)!;
      expect(Math.abs(read[0]!.x - x) + Math.abs(read[0]!.y - y)).toBeLessThan(1e-5);
      for (const [index, leg] of read.slice(1).entries()) {
        const end = legAt(read[index]!, leg.t);
        expect(leg.t).toBeGreaterThanOrEqual(read[index]!.t);
        expect(Math.abs(end.x - leg.x) + Math.abs(end.y - leg.y)).toBeLessThan(1e-5);
      }
      const place = state.table[ball];
      if (place !== null) expect([read.at(-1)!.x, read.at(-1)!.y]).toEqual([...place!]);
    }
    expect(last.duration).toBe(last.events.at(-1)!.t);
  });

  test('[G-POOL-17] the text of a break stays far from the limits of a socket', () => {
    const state = play(initialOf('eightball'), breaking);
    expect(JSON.stringify(viewOf(state)).length).toBeLessThan(300_000);
    expect(JSON.stringify(state).length).toBeLessThan(4_000);
  });

  test('[G-POOL-17] a place behind the head string is one with x below that line', () => {
    const edge = { ...breaking, place: { x: HEAD_STRING_X - 1e-9, y: 0.4 } };
    expect(play(initialOf('eightball'), edge).last!.before[0]).toEqual([HEAD_STRING_X - 1e-9, 0.4]);
  });
});
