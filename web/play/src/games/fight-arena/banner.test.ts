/** Tests of the messages over the stage. */

import { describe, expect, test } from 'bun:test';
import {
  hold,
  openFight,
  startFight,
} from '../../../../../src/games/fight-arena/fight.test-kit.ts';
import type { FightState, Round } from '../../../../../src/games/fight-arena/state.ts';
import { en } from '../../i18n/en.ts';
import { makeTranslate } from '../../i18n/translate.ts';
import { bannerOf, stallBanner } from './banner.ts';

const t = makeTranslate('en', en);
const NAMES = ['Ada', 'Bea'];
const round = (part: Partial<Round> = {}): Round => ({
  winner: 0,
  by: 'knockout',
  health: [400, 0],
  ticks: 900,
  ...part,
});
const texts = (state: FightState, overFor = 0) => {
  const banner = bannerOf(state, NAMES, overFor, t);
  return banner === null ? null : [banner.text, banner.detail];
};
const paused = (rounds: readonly Round[], left: number): FightState => ({
  ...startFight(),
  phase: 'pause',
  left,
  rounds,
});

describe('a round', () => {
  test('[WEB] starts with a countdown and a call, and then shows no message', () => {
    const open = openFight();
    expect(texts(open)).toEqual(['Round 1', null]);
    expect(texts(hold(open, [0, 0], 70))).toEqual(['Ready', null]);
    expect(texts(startFight())).toEqual(['Fight!', null]);
    expect(texts(hold(startFight(), [0, 0], 60))).toBeNull();
  });

  test('[WEB] that decides the match says so, and one that is repeated says why', () => {
    const at = (rounds: readonly Round[]) => texts({ ...openFight(), rounds });
    expect(at([round(), round({ winner: 1 })])).toEqual(['Round 3', 'This one decides']);
    expect(at([round()])).toEqual(['Round 2', null]);
    expect(at([round({ winner: null, by: 'equal_health' })])).toEqual([
      'Round 2',
      'Once more, as nobody won it',
    ]);
  });

  test('[WEB] ends with the way it ended, then with its winner', () => {
    expect(texts(paused([round()], 110))).toEqual(['K.O.', null]);
    expect(texts(paused([round()], 40))).toEqual(['Ada: round won', null]);
    expect(texts(paused([round({ health: [1_000, 0] })], 40))?.[1]).toBe('Perfect');
    expect(texts(paused([round({ by: 'time' })], 110))?.[0]).toBe('Time!');
    const even = round({ winner: null, by: 'double_knockout', health: [0, 0] });
    expect(texts(paused([even], 110))?.[0]).toBe('Double K.O.');
    expect(texts(paused([even], 40))?.[0]).toBe('No winner');
  });

  test('[WEB] that ends the match shows one last call, then its winner, and then no message', () => {
    const over = { ...paused([round(), round()], 0), phase: 'over' } as const;
    expect(texts(over, 0.2)?.[0]).toBe('K.O.');
    expect(texts(over, 2)).toEqual(['Ada wins', null]);
    expect(texts({ ...over, rounds: [round(), round({ winner: 1 })] }, 2)).toBeNull();
    expect(texts(over, 5)).toBeNull();
  });
});

test('[WEB] a stall shows how long it lasts, or whose connection is lost: the player’s own or the opponent’s', () => {
  expect(stallBanner({ kind: 'resumes', inMs: 2_100 }, t).text).toBe('3');
  expect(stallBanner({ kind: 'own' }, t).text).toBe('Your connection is gone');
  for (const waits of [false, true]) {
    const { text, detail } = stallBanner({ kind: 'other', name: 'Bea', waits }, t);
    expect(text).toBe('Bea’s connection is gone');
    expect(detail).toBe(waits ? 'The fight waits' : 'The fight goes on');
  }
  expect(stallBanner({ kind: 'silent' }, t).text).toBe('Nothing comes from the server');
});
