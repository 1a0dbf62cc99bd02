/** How a game of draughts ends, exactly at the limits. */

import { describe, expect, test } from 'bun:test';
import { after, atIn } from '../checkers.test-kit.ts';
import { checkers } from '../checkers.ts';
import { countOn } from './limits.ts';
import type { DraughtsState } from './state.ts';
import { makeState } from './state.ts';
import type { DraughtsVariant } from './variant.ts';
import { DRAUGHTS } from './variant.ts';

const drawn = (reason: string) => ({ winners: [], places: [1, 1], reason, detail: {} });

/** The position after that many quiet plies, of positions that cannot return. */
function withQuietPlies(variant: DraughtsVariant, fen: string, plies: number): DraughtsState {
  const position = atIn(variant, fen);
  const past = Array.from({ length: plies }, (_, at) => `${at}`);
  return makeState(position, past);
}

/** The position with each limit of the variant that many plies before its end. */
function beforeLimits(variant: DraughtsVariant, fen: string, left: number): DraughtsState {
  const counts = DRAUGHTS[variant].limits.map(({ plies }) => plies - left);
  return makeState(atIn(variant, fen), [], counts);
}

describe('losses and repetition', () => {
  test('[G-CHK] a seat without a piece, or without a move, has lost', () => {
    const lost = after(atIn('russian', 'W:Wc3:Bd4'), 'c3:e5');
    expect(checkers.outcome(lost)).toMatchObject({ winners: [0], reason: 'no_pieces' });
    const shut = after(atIn('russian', 'W:Wa1,c1:Ba3'), 'a1-b2');
    expect([checkers.turn(shut), checkers.legalActions(shut)]).toEqual([null, []]);
    expect(checkers.outcome(shut)).toMatchObject({ winners: [0], reason: 'no_moves' });
    expect(checkers.outcome(after(atIn('russian', 'W:Wa1,c1:Ba3,h8'), 'a1-b2'))).toBeNull();
  });

  test('[G-CHK] the same position a third time is drawn, the second is not', () => {
    const ROUND = ['c1-b2', 'b8-a7', 'b2-c1', 'a7-b8'];
    const start = atIn('russian', 'W:WKc1,h2:BKb8,h4');
    const seventh = after(start, ...ROUND, ...ROUND.slice(0, 3));
    expect(checkers.outcome(seventh)).toBeNull();
    expect(checkers.outcome(after(seventh, 'a7-b8'))).toEqual(drawn('repetition'));
  });
});

describe('kings only', () => {
  const MANY: Readonly<Record<DraughtsVariant, readonly [string, string, string]>> = {
    russian: ['W:WKa1,a3,c3,e3:BKh2,h6,f6,f8', 'a1-b2', 'a3-b4'],
    brazilian: ['W:WK29,21,22,23:BK28,8,7,4', '29-25', '21-17'],
    international: ['W:WK46,31,32,33:BK45,15,14,5', '46-41', '31-27'],
  };
  test.each([
    ['russian', 30],
    ['brazilian', 40],
    ['international', 50],
  ] as const)('[G-CHK] %s is drawn after %d plies of kings only, not before', (variant, plies) => {
    const [fen, kingMove, manMove] = MANY[variant];
    expect(DRAUGHTS[variant].quietPliesMax).toBe(plies);
    const before = after(withQuietPlies(variant, fen, plies - 2), kingMove);
    expect([before.past.length, checkers.outcome(before)]).toEqual([plies - 1, null]);
    const last = after(withQuietPlies(variant, fen, plies - 1), kingMove);
    expect(checkers.outcome(last)).toEqual(drawn('no_progress'));
    const moved = after(withQuietPlies(variant, fen, plies - 1), manMove);
    expect([moved.past.length, checkers.outcome(moved)]).toEqual([0, null]);
  });

  test('[G-CHK] a capture, whole, is one ply and restarts the count; a win has priority over a draw', () => {
    const state = after(withQuietPlies('russian', 'W:WKa1:Bb2,d4,h8', 29), 'a1:c3:e5');
    expect([state.past.length, checkers.outcome(state)]).toEqual([0, null]);
    const won = after(withQuietPlies('russian', 'W:WKa1:Bb2', 29), 'a1:h8');
    expect(checkers.outcome(won)).toMatchObject({ reason: 'no_pieces' });
  });
});

describe('few pieces', () => {
  const LIMITED: readonly (readonly [DraughtsVariant, string, string, number])[] = [
    ['international', 'W:WK46,K47,K48:BK3', '46-41', 32],
    ['international', 'W:WK46,K47,38:BK3', '46-41', 32],
    ['international', 'W:WK46,37,38:BK4', '46-41', 32],
    ['international', 'W:WK46,K47:BK3', '46-41', 10],
    ['international', 'W:WK46,38:BK3', '46-41', 10],
    ['international', 'W:WK46:BK3', '46-41', 10],
    ['russian', 'W:WKe1,Kg1:BKb8', 'e1-f2', 10],
    ['russian', 'W:WKe1,a3:BKb8', 'e1-f2', 10],
    ['russian', 'W:WKe1:BKb8', 'e1-f2', 10],
    ['russian', 'W:WKe1,Kg1,Kc1:BKh8', 'e1-h4', 10],
    ['russian', 'W:WKe1,a3:BKb8,h6,h4', 'a3-b4', 60],
    ['russian', 'W:WKe1,a3,c3:BKb8,h6,h4', 'a3-b4', 120],
    ['brazilian', 'W:WK31,K32:BK1,K5', '31-27', 10],
    ['brazilian', 'W:WK31,K32:BK1', '31-27', 10],
    ['brazilian', 'W:WK31,K32:BK1,12', '31-27', 10],
    ['brazilian', 'W:WK31:BK1', '31-27', 10],
    ['brazilian', 'W:WK31:BK1,12', '31-27', 10],
  ];
  test.each(LIMITED)('[G-CHK] %s %s is drawn with its last ply', (variant, fen, move, plies) => {
    const { limits } = DRAUGHTS[variant];
    const state = after(beforeLimits(variant, fen, 1), move);
    expect(checkers.outcome(state)).toEqual(drawn('no_progress'));
    const reached = limits.filter((limit, n) => state.counts[n] === limit.plies);
    expect(reached.map((limit) => limit.plies)).toContain(plies);
    expect(Math.min(...reached.map((limit) => limit.plies))).toBe(plies);
    expect(checkers.outcome(after(beforeLimits(variant, fen, 2), move))).toBeNull();
  });

  test.each([
    ['international', 'W:WK46,K47,K48,K49:BK3', '46-41'],
    ['international', 'W:WK46,K47:BK3,7', '46-41'],
    ['international', 'W:W46,47:BK3', '46-41'],
    ['russian', 'W:WKe1,Kg1,Kc1:BKb8', 'e1-h4'],
    ['brazilian', 'W:WK31,K32,K30:BK1', '31-27'],
    ['brazilian', 'W:WK31,30:BK1,12', '31-27'],
  ] as const)('[G-CHK] %s %s has no limit but that of kings only', (variant, fen, move) => {
    const state = after(beforeLimits(variant, fen, 1), move);
    const counted = DRAUGHTS[variant].limits.filter((_, n) => state.counts[n] !== 0);
    // In russian, four pieces including a king each count towards their thirty moves.
    const most = variant === 'russian' ? [60] : [];
    expect(counted.map(({ plies }) => plies)).toEqual(most);
  });

  test('[G-CHK] a limit begins to count with the ply after the one that causes it', () => {
    const taken = after(atIn('international', 'W:WK46,K47,K48:BK2,14'), '46x5');
    expect(taken.counts).toEqual([0, 0]);
    expect(after(taken, '2-7').counts).toEqual([1, 0]);
  });

  test('[G-CHK] what restarts a count does so, and sixteen moves continue after a capture', () => {
    const two = { men: [0, 0], kings: [2, 1], onLongDiagonal: [false, false] } as const;
    const one = { men: [0, 0], kings: [1, 1], onLongDiagonal: [false, false] } as const;
    const capture = { isCapture: true, crowns: false };
    const [sixteen] = DRAUGHTS.international.limits;
    const [five] = DRAUGHTS.brazilian.limits;
    expect(countOn(sixteen!, 7, two, one, capture)).toBe(8);
    expect(countOn(five!, 7, two, one, capture)).toBe(0);
    const five64 = { men: [1, 1], kings: [1, 1], onLongDiagonal: [false, false] } as const;
    const crowned = { men: [0, 1], kings: [2, 1], onLongDiagonal: [false, false] } as const;
    const [, thirty] = DRAUGHTS.russian.limits;
    expect(countOn(thirty!, 7, five64, crowned, { isCapture: false, crowns: true })).toBe(0);
    expect(countOn(thirty!, 7, five64, five64, { isCapture: false, crowns: false })).toBe(8);
  });
});
