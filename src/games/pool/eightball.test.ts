/** Eight-ball by the rule book: every outcome of a break and of a shot, then whole shots on the table. */

import { describe, expect, test } from 'bun:test';
import type { ShotAction } from './action.ts';
import type { Verdict } from './eightball.ts';
import { groupOf, isOnEight, judgeEightball } from './eightball.ts';
import type { Facts } from './facts.ts';
import { FOOT_SPOT_X, HEAD_STRING_X, Y_MAX } from './physics/table.ts';
import { pool } from './pool.ts';
import {
  factsOf,
  initialOf,
  laid,
  noChance,
  play,
  refusalOf,
  shotOf,
} from './positions.test-kit.ts';
import type { Place } from './rack.ts';
import type { PoolState } from './state.ts';
import { SHOTS_MAX } from './state.ts';

const plain = shotOf({});
const someBalls: Readonly<Record<number, Place>> = {
  0: [0, 0],
  1: [0.3, 0.2],
  2: [0.3, -0.2],
  8: [-0.3, 0.2],
  9: [-0.3, -0.2],
  10: [0.6, 0],
};
const SOLIDS: Partial<PoolState> = { groups: ['solids', 'stripes'] };

function fall(...balls: readonly number[]): Facts['pocketed'] {
  return balls.map((ball) => ({ ball, pocket: 'foot-left' as const }));
}

function calling(ball: number): ShotAction {
  return { ...plain, call: { ball, pocket: 'foot-left' } };
}

describe('the break', () => {
  const breaking = (facts: Partial<Facts>): Verdict =>
    judgeEightball(initialOf('eightball'), plain, factsOf(facts));

  test('[G-POOL-10] a player who pockets a ball continues, otherwise the turn passes, and the table is open', () => {
    expect(breaking({ pocketed: fall(3), railed: 0 })).toMatchObject({
      foul: null,
      seat: 0,
      inHand: null,
      choices: [],
      isBreak: false,
    });
    expect(breaking({ railed: 4 })).toMatchObject({ foul: null, seat: 1, choices: [] });
    expect(breaking({ pocketed: fall(3, 4) }).groups).toBeUndefined();
  });

  test('[G-POOL-10] fewer than four balls to a cushion: the opponent accepts, breaks, or passes', () => {
    for (const railed of [0, 3]) {
      expect(breaking({ railed })).toMatchObject({
        foul: 'weak_break',
        seat: 1,
        choices: ['accept', 'rerack', 'pass'],
        inHand: null,
      });
    }
    const scratched = breaking({ railed: 2, scratched: 'foot-left' });
    expect(scratched).toMatchObject({ foul: 'scratch', seat: 1, inHand: 'behind_head_string' });
    expect(scratched.choices).toEqual(['accept', 'rerack', 'pass']);
  });

  test('[G-POOL-10] a break may hit any ball first, and one that hits none is a weak one', () => {
    expect(breaking({ first: 9 })).toMatchObject({ foul: null, seat: 1, choices: [] });
    expect(breaking({ first: null, isRailed: false, railed: 0 })).toMatchObject({
      foul: 'weak_break',
      seat: 1,
      choices: ['accept', 'rerack', 'pass'],
    });
  });

  test('[G-POOL-10] a foul on the break: the cue ball is in hand behind the head string', () => {
    const foul = { foul: 'scratch', seat: 1, choices: [], inHand: 'behind_head_string' } as const;
    expect(breaking({ scratched: 'head-left' })).toMatchObject(foul);
    expect(breaking({ scratched: 'head-left', pocketed: fall(2) })).toMatchObject(foul);
  });

  test('[G-POOL-10] the 8 on the break: the breaker spots it or breaks again; after a foul the opponent', () => {
    const choices = ['spot', 'rerack'] as const;
    expect(breaking({ pocketed: fall(8) })).toMatchObject({ foul: null, seat: 0, choices });
    expect(breaking({ pocketed: fall(8), scratched: 'side-left' })).toMatchObject({
      foul: 'scratch',
      seat: 1,
      choices,
      inHand: 'behind_head_string',
    });
  });

  test('[G-POOL-10] accepting continues, reracking breaks, passing lets the opponent break again', () => {
    const weak = laid(someBalls, { seat: 1, choices: ['accept', 'rerack', 'pass'] });
    expect(play(weak, { choose: 'accept' })).toMatchObject({
      seat: 1,
      choices: [],
      isBreak: false,
    });
    const rack = { isBreak: true, inHand: 'behind_head_string', choices: [], shots: 1 } as const;
    const reracked = play(weak, { choose: 'rerack' });
    expect(reracked).toMatchObject({ seat: 1, ...rack });
    expect(reracked.table).toEqual(initialOf('eightball').table);
    expect(play(weak, { choose: 'pass' })).toMatchObject({ seat: 0, ...rack });
    expect(refusalOf(weak, { choose: 'spot' })).toBe('The choice is between accept, rerack, pass');
    expect(refusalOf(weak, plain)).toBe('First choose: accept, rerack, pass');
    expect(refusalOf(laid(someBalls), { choose: 'accept' })).toContain('nothing to choose');
  });

  test('[G-POOL-10] spotting puts the 8 on the foot spot, or behind balls there', () => {
    const { 8: _eight, 10: _ten, ...others } = someBalls;
    const choosing = { choices: ['spot', 'rerack'] } as const;
    const free = play(laid(others, choosing), { choose: 'spot' });
    expect(free.table[8]).toEqual([FOOT_SPOT_X, 0]);
    expect(free.choices).toEqual([]);
    const blocked = laid({ ...others, 3: [FOOT_SPOT_X + 0.01, 0.01] }, choosing);
    const [x, y] = play(blocked, { choose: 'spot' }).table[8]!;
    expect(y).toBe(0);
    expect(Math.sqrt((x - FOOT_SPOT_X - 0.01) ** 2 + 0.01 ** 2)).toBeCloseTo(0.05716, 5);
    expect(x).toBeGreaterThan(FOOT_SPOT_X);
  });

  test('[G-POOL-10] a real break: the rack is slightly uneven, drawn by the match, and scatters', () => {
    const start = initialOf('eightball');
    const strike = shotOf({ speed: 11 }, { place: { x: -0.6, y: 0.05 } });
    const aimed = { ...strike, shot: { ...strike.shot, aim: Math.atan2(-0.05, 1.0953) } };
    const states = [1, 2].map(() => play(start, aimed));
    for (const { last, shots } of states) {
      expect(shots).toBe(1);
      for (const [n, place] of last!.before.entries()) {
        if (n === 0) continue;
        const off = place!.map((value, axis) => Math.abs(value - start.table[n]![axis]!));
        expect(Math.max(...off)).toBeLessThan(2.001e-5);
      }
    }
    expect(states[0]!.last!.before).not.toEqual(states[1]!.last!.before);
    expect(states[0]!.table).not.toEqual(states[1]!.table);
  });
});

describe('a shot', () => {
  const judge = (state: PoolState, action: ShotAction, facts: Partial<Facts>): Verdict =>
    judgeEightball(state, action, factsOf(facts));
  const open = laid(someBalls);
  const solids = laid(someBalls, SOLIDS);
  const { 1: _one, 2: _two, ...noSolids } = someBalls;
  const onEight = laid(noSolids, SOLIDS);

  test('[G-POOL-11] the called ball in the called pocket decides the groups and continues', () => {
    expect(judge(open, calling(1), { pocketed: fall(1) })).toMatchObject({
      foul: null,
      seat: 0,
      groups: ['solids', 'stripes'],
    });
    const stripes = judge(open, calling(9), { first: 9, pocketed: fall(1, 9) });
    expect(stripes).toMatchObject({ seat: 0, groups: ['stripes', 'solids'] });
    const second = judge({ ...open, seat: 1 }, calling(1), { pocketed: fall(1) });
    expect(second).toMatchObject({ seat: 1, groups: ['stripes', 'solids'] });
  });

  test('[G-POOL-11] another ball, another pocket or a safety passes the turn and leaves the table open', () => {
    const elsewhere: Facts['pocketed'] = [{ ball: 1, pocket: 'head-left' }];
    for (const [action, pocketed] of [
      [calling(1), fall(2)],
      [calling(1), elsewhere],
      [calling(1), fall()],
      [{ ...plain, safety: true as const }, fall(1)],
    ] as const) {
      const verdict = judge(open, action, { pocketed });
      expect(verdict).toMatchObject({ foul: null, seat: 1, inHand: null });
      expect(verdict.groups).toBeUndefined();
    }
  });

  test('[G-POOL-11] a safety may be called under every rule of calls, and never continues', () => {
    for (const callPocket of ['all', 'eight', 'none'] as const) {
      const state = laid(someBalls, { callPocket });
      const safety = shotOf({ aim: 2 }, { safety: true });
      expect(refusalOf(state, safety)).toBeNull();
      const verdict = judge(state, safety, { pocketed: fall(1, 9) });
      expect(verdict).toMatchObject({ foul: null, seat: 1, inHand: null });
      expect(verdict.groups).toBeUndefined();
    }
  });

  test('[G-POOL-11] if only the 8 is called, or nothing, any own ball continues', () => {
    for (const callPocket of ['eight', 'none'] as const) {
      const loose = laid(someBalls, { callPocket });
      expect(judge(loose, plain, { pocketed: fall(9, 1) })).toMatchObject({
        seat: 0,
        groups: ['stripes', 'solids'],
      });
      const own = { ...loose, ...SOLIDS };
      expect(judge(own, plain, { pocketed: fall(9, 1) }).seat).toBe(0);
      expect(judge(own, plain, { pocketed: fall(9) }).seat).toBe(1);
    }
  });

  test('[G-POOL-12] each foul is named and gives the opponent the cue ball anywhere', () => {
    const fouls: readonly (readonly [PoolState, Partial<Facts>, string])[] = [
      [open, { scratched: 'side-left', pocketed: fall(1) }, 'scratch'],
      [open, { first: null, isRailed: false }, 'no_contact'],
      [open, { first: 8 }, 'wrong_ball_first'],
      [solids, { first: 9 }, 'wrong_ball_first'],
      [solids, { first: 8 }, 'wrong_ball_first'],
      [onEight, { first: 9 }, 'wrong_ball_first'],
      [open, { isRailed: false }, 'no_rail'],
      [{ ...open, inHand: 'behind_head_string' }, { isBehindString: true }, 'behind_head_string'],
    ];
    for (const [state, facts, foul] of fouls) {
      const verdict = judge(state, calling(1), facts);
      expect(verdict).toMatchObject({ foul, seat: 1, inHand: 'anywhere' });
      expect([verdict.groups, verdict.result]).toEqual([undefined, undefined]);
    }
  });

  test('[G-POOL-12] no foul: any ball but the 8 first on an open table, the 8 first when it is next', () => {
    for (const first of [1, 9]) expect(judge(open, calling(1), { first }).foul).toBeNull();
    expect(judge(onEight, calling(8), { first: 8 }).foul).toBeNull();
    expect(judge(open, calling(1), { isBehindString: true }).foul).toBeNull();
  });

  test('[G-POOL-13] the 8 in the called pocket wins, once the own group is gone', () => {
    const won = { winner: 0, reason: 'eight_pocketed' } as const;
    const eight = { first: 8, pocketed: fall(8) };
    expect(judge(onEight, calling(8), eight).result).toEqual(won);
    expect(judge({ ...onEight, callPocket: 'eight' }, calling(8), eight).result).toEqual(won);
    expect(judge({ ...onEight, callPocket: 'none' }, plain, eight).result).toEqual(won);
  });

  test('[G-POOL-13] the 8 too early, with a foul or in another pocket loses', () => {
    const lost = (state: PoolState, facts: Partial<Facts>, action: ShotAction = calling(8)) =>
      judge(state, action, facts).result;
    const elsewhere: Facts['pocketed'] = [{ ball: 8, pocket: 'side-left' }];
    expect(lost(open, { pocketed: fall(8) })).toEqual({ winner: 1, reason: 'eight_early' });
    expect(lost(solids, { pocketed: fall(1, 8) })).toEqual({ winner: 1, reason: 'eight_early' });
    for (const facts of [
      { first: 8, pocketed: fall(8), scratched: 'side-left' as const },
      { first: 9, pocketed: fall(8) },
    ]) {
      expect(lost(onEight, facts)).toEqual({ winner: 1, reason: 'eight_with_foul' });
    }
    for (const action of [calling(8), { ...plain, safety: true as const }]) {
      const result = lost(onEight, { first: 8, pocketed: elsewhere }, action);
      expect(result).toEqual({ winner: 1, reason: 'eight_wrong_pocket' });
    }
  });

  test('[G-POOL-13] an open table with only the 8 left: the shooter plays for it', () => {
    const alone = laid({ 0: [0, 0], 8: [-0.3, 0.2] });
    expect(isOnEight(alone)).toBe(true);
    expect(refusalOf(alone, calling(8))).toBeNull();
    const facts = { first: 8, pocketed: fall(8) };
    expect(judge(alone, calling(8), facts).result).toEqual({ winner: 0, reason: 'eight_pocketed' });
  });

  test('[G-POOL-13] the last own ball must be gone before the shot', () => {
    expect([isOnEight(solids), isOnEight(onEight), isOnEight(open)]).toEqual([false, true, false]);
    expect([1, 7, 8, 9, 15].map(groupOf)).toEqual([
      ...(['solids', 'solids', null, 'stripes', 'stripes'] as const),
    ]);
  });
});

describe('on the table', () => {
  /** The 1 is in front of the left side pocket, the cue ball straight below it. */
  const straight = { 0: [0, 0.1], 1: [0, 0.4], 9: [0.5, 0], 8: [-0.5, 0] } as const;
  const up = { aim: Math.PI / 2, speed: 1.5, follow: -0.008 };

  test('[G-POOL-11] a straight shot pockets the called ball and the shooter continues', () => {
    const after = play(laid(straight), shotOf(up, { call: { ball: 1, pocket: 'side-left' } }));
    expect(after.last).toMatchObject({
      pocketed: [{ ball: 1, pocket: 'side-left' }],
      foul: null,
      scratched: null,
      end: 'rest',
    });
    expect(after).toMatchObject({ seat: 0, groups: ['solids', 'stripes'], shots: 2 });
    expect(after.table[1]).toBeNull();
    expect(after.table[9]).toEqual([0.5, 0]);
  });

  test('[G-POOL-12] a cue ball that follows into the pocket is a scratch, and is in hand next', () => {
    const shot = shotOf(
      { ...up, follow: 0.012, speed: 3 },
      { call: { ball: 1, pocket: 'side-left' } },
    );
    const after = play(laid(straight), shot);
    expect(after.last).toMatchObject({ foul: 'scratch', scratched: 'side-left' });
    expect(after).toMatchObject({ seat: 1, inHand: 'anywhere', groups: null });
    expect(after.table[0]).toBeNull();
    const again = shotOf({}, { safety: true });
    expect(refusalOf(after, again)).toBe('The cue ball is in hand: place it');
    expect(refusalOf(after, { ...again, place: { x: 0.5, y: 0.05 } })).toContain('overlap ball 9');
    expect(refusalOf(after, { ...again, place: { x: 0.97, y: 0 } })).toContain('has to lie within');
    const placed = play(after, { ...again, place: { x: -0.2, y: 0.3 } });
    expect(placed.last!.before[0]).toEqual([-0.2, 0.3]);
  });

  test('[G-POOL-12] behind the head string: placed there, and out of it before hitting a ball there', () => {
    const balls = { 1: [-0.8, 0], 9: [0.5, 0.2], 8: [0.5, -0.3] } as const;
    const state = laid(balls, { inHand: 'behind_head_string' });
    const call = { ball: 1, pocket: 'head-left' } as const;
    const from = (x: number, strike: object) => shotOf(strike, { call, place: { x, y: 0.001 } });
    expect(refusalOf(state, from(HEAD_STRING_X, {}))).toContain('behind the head string');
    const direct = play(state, from(-0.55, { aim: Math.PI, speed: 2 }));
    expect(direct.last!.foul).toBe('behind_head_string');
    // Off the foot cushion and back: it has crossed the string.
    const around = play(state, from(-0.55, { aim: 0, speed: 4 }));
    expect([around.last!.foul, around.seat]).toEqual([null, 1]);
  });

  test('[G-POOL-12] a ball frozen to a cushion counts when it leaves it and hits one again', () => {
    const frozen = { 0: [0.3, 0.2], 1: [0.3, Y_MAX], 9: [-0.5, 0], 8: [-0.5, 0.2] } as const;
    const soft = shotOf({ aim: Math.PI / 2, speed: 0.35 }, { safety: true });
    expect(play(laid(frozen), soft).last!.foul).toBe('no_rail');
    const hard = shotOf({ aim: Math.PI / 2, speed: 4 }, { safety: true });
    expect(play(laid(frozen), hard).last!.foul).toBeNull();
  });

  test('[G-POOL-14] impossible strikes, calls and places are refused by name', () => {
    const state = laid(someBalls);
    const call = { ball: 1, pocket: 'foot-left' } as const;
    const refusals: readonly (readonly [PoolState, ShotAction, string])[] = [
      [state, shotOf({ speed: 12.1 }, { call }), 'The speed has'],
      [state, shotOf({ speed: 0 }, { call }), 'The speed has'],
      [state, shotOf({ aim: 7 }, { call }), 'The aim has'],
      [state, shotOf({ side: 0.011, follow: 0.011 }, { call }), 'Side and follow'],
      [state, shotOf({ elevation: -0.1 }, { call }), 'The elevation has'],
      [state, shotOf({}), 'needs a call'],
      [state, shotOf({}, { call, safety: true }), 'A safety calls no ball'],
      [state, shotOf({}, { call, pushOut: true }), 'push-out'],
      [state, shotOf({}, { call, place: { x: 0, y: 0 } }), 'not in hand'],
      [state, shotOf({}, { call: { ...call, ball: 3 } }), 'not on the table'],
      [state, shotOf({}, { call: { ...call, ball: 8 } }), 'once the own group is gone'],
      [{ ...state, ...SOLIDS }, shotOf({}, { call: { ...call, ball: 9 } }), 'not of the solids'],
      [{ ...state, callPocket: 'none' }, shotOf({}, { call }), 'not called'],
      [initialOf('eightball'), shotOf({}, { call, place: { x: -0.6, y: 0 } }), 'on a break'],
    ];
    for (const [from, action, error] of refusals) expect(refusalOf(from, action)).toContain(error);
  });

  test(`[G-POOL-14] after ${SHOTS_MAX} shots the game is drawn`, () => {
    const last = laid(someBalls, { shots: SHOTS_MAX - 1 });
    const after = play(last, shotOf({}, { safety: true }));
    expect(pool.outcome(after)).toEqual({
      winners: [],
      places: [1, 1],
      reason: 'shot_limit',
      detail: {},
    });
    expect(pool.turn(after)).toBeNull();
    const refused = pool.apply(after, after.seat, shotOf({}, { safety: true }), noChance);
    expect(refused).toEqual({ code: 'illegal_move', error: 'The game is over' });
  });
});
