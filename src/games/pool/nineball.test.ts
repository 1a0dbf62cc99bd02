/** Nine-ball by the rule book: lowest ball first, push-out, three fouls, and the 9. */

import { describe, expect, test } from 'bun:test';
import type { ShotAction } from './action.ts';
import type { Verdict } from './eightball.ts';
import type { Facts } from './facts.ts';
import { judgeNineball } from './nineball.ts';
import { FOOT_SPOT_X } from './physics/table.ts';
import { factsOf, initialOf, laid, play, refusalOf, shotOf } from './positions.test-kit.ts';
import type { Place } from './rack.ts';
import type { PoolState } from './state.ts';

const balls: Readonly<Record<number, Place>> = {
  0: [0, 0],
  2: [0.3, 0.2],
  5: [0.3, -0.2],
  9: [-0.3, 0.2],
};
const nine: Partial<PoolState> = { variant: 'nineball' };
const plain = shotOf({});
const pushing: ShotAction = { ...plain, pushOut: true };

function fall(...numbers: readonly number[]): Facts['pocketed'] {
  return numbers.map((ball) => ({ ball, pocket: 'foot-left' as const }));
}

function judge(state: PoolState, facts: Partial<Facts>, action: ShotAction = plain): Verdict {
  return judgeNineball(state, action, factsOf({ first: 2, ...facts }));
}

describe('the break', () => {
  const start = initialOf('nineball');

  test('[G-POOL-15] the 1 first, and a ball in a pocket or four to a cushion', () => {
    expect(judge(start, { first: 1, pocketed: fall(3), railed: 0 })).toMatchObject({
      foul: null,
      seat: 0,
      mayPushOut: true,
      isBreak: false,
    });
    expect(judge(start, { first: 1 })).toMatchObject({ foul: null, seat: 1, mayPushOut: true });
    const fouls: readonly (readonly [Partial<Facts>, string])[] = [
      [{ first: 2 }, 'wrong_ball_first'],
      [{ first: 1, railed: 3 }, 'weak_break'],
      [{ first: 1, scratched: 'foot-left', pocketed: fall(9) }, 'scratch'],
      [{ first: null, railed: 0, isRailed: false }, 'no_contact'],
    ];
    for (const [facts, foul] of fouls) {
      expect(judge(start, facts)).toMatchObject({
        foul,
        seat: 1,
        inHand: 'anywhere',
        mayPushOut: false,
        fouls: [1, 0],
      });
    }
  });

  test('[G-POOL-15] the 9 on the break wins, except with a foul: then it is spotted', () => {
    const won = { winner: 0, reason: 'nine_pocketed' } as const;
    expect(judge(start, { first: 1, pocketed: fall(9) }).result).toEqual(won);
    const foul = judge(start, { first: 2, pocketed: fall(9) });
    expect([foul.result, foul.spot]).toEqual([undefined, [9]]);
  });
});

describe('a shot', () => {
  const state = laid(balls, nine);

  test('[G-POOL-15] the lowest ball first; any ball that falls continues; nothing is called', () => {
    expect(judge(state, { pocketed: fall(5) })).toMatchObject({ foul: null, seat: 0 });
    expect(judge(state, {})).toMatchObject({ foul: null, seat: 1, mayPushOut: false });
    for (const [facts, foul] of [
      [{ first: 5 }, 'wrong_ball_first'],
      [{ isRailed: false }, 'no_rail'],
      [{ first: null, isRailed: false }, 'no_contact'],
      [{ scratched: 'side-left' as const }, 'scratch'],
    ] as const) {
      expect(judge(state, facts)).toMatchObject({ foul, seat: 1, inHand: 'anywhere' });
    }
    const call = { ball: 2, pocket: 'foot-left' } as const;
    expect(refusalOf(state, { ...plain, call })).toBe('Nothing is called in nineball');
    expect(refusalOf(state, { ...plain, safety: true })).toBe('Nothing is called in nineball');
  });

  test('[G-POOL-15] the 9 wins whenever it falls without a foul', () => {
    const won = { winner: 0, reason: 'nine_pocketed' } as const;
    expect(judge(state, { pocketed: fall(9) }).result).toEqual(won);
    expect(judge(state, { first: 5, pocketed: fall(9) })).toMatchObject({ spot: [9], seat: 1 });
  });

  test('[G-POOL-16] a push-out may hit anything; the opponent continues or hands back', () => {
    const may = { ...state, mayPushOut: true };
    const pushed = judge(may, { first: null, isRailed: false }, pushing);
    expect(pushed).toMatchObject({
      foul: null,
      seat: 1,
      choices: ['accept', 'pass'],
      fouls: [0, 0],
    });
    const spotted = judge(may, { pocketed: fall(5, 9) }, pushing);
    expect(spotted).toMatchObject({ seat: 1, spot: [9] });
    expect(spotted.result).toBeUndefined();
    expect(judge(may, { scratched: 'head-left' }, pushing)).toMatchObject({
      foul: 'scratch',
      inHand: 'anywhere',
      choices: [],
      mayPushOut: false,
    });
    expect(refusalOf(state, pushing)).toContain('push-out');
    const after = play(may, { ...shotOf({ aim: 2.2, speed: 0.3 }), pushOut: true });
    expect(after).toMatchObject({ seat: 1, choices: ['accept', 'pass'], mayPushOut: false });
    expect(play(after, { choose: 'accept' })).toMatchObject({ seat: 1, choices: [] });
    expect(play(after, { choose: 'pass' })).toMatchObject({ seat: 0, choices: [], isBreak: false });
    expect(play(after, { choose: 'pass' }).table).toEqual(after.table);
  });

  test('[G-POOL-16] three fouls in a row lose; a legal shot in between restarts the count', () => {
    const miss = { first: null, isRailed: false };
    const second = { ...state, fouls: [2, 1] as const };
    expect(judge(second, miss)).toMatchObject({
      fouls: [3, 1],
      result: { winner: 1, reason: 'three_fouls' },
    });
    expect(judge(second, {}).fouls).toEqual([0, 1]);
    const other = judge({ ...second, seat: 1 }, miss);
    expect([other.fouls, other.result]).toEqual([[2, 2], undefined]);
  });

  test('[G-POOL-15] on the table: a 9 that falls with a foul returns to the foot spot', () => {
    const before = laid({ 0: [0, 0.1], 2: [-0.5, 0], 9: [0, 0.4] }, nine);
    const after = play(before, shotOf({ aim: Math.PI / 2, speed: 1.5, follow: -0.008 }));
    expect(after.last).toMatchObject({ foul: 'wrong_ball_first', spotted: [9] });
    expect(after.table[9]).toEqual([FOOT_SPOT_X, 0]);
    expect(after).toMatchObject({ seat: 1, fouls: [1, 0], inHand: 'anywhere', result: null });
  });
});
