/** How a game of American checkers ends, exactly at the limits. */

import { describe, expect, test } from 'bun:test';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { after, at, written } from '../checkers.test-kit.ts';
import { checkers } from '../checkers.ts';
import { american } from './american.ts';
import type { AmericanState } from './state.ts';
import { countQuietPlies, makeState, PAST_LENGTH, QUIET_PLIES_MAX } from './state.ts';

/** The state after that many quiet plies, whose positions cannot return. */
function withQuietPlies(fen: string, plies: number): AmericanState {
  const past = Array.from({ length: plies * PAST_LENGTH }, (_, at) => 1_000 + at);
  return makeState(at(fen), past);
}

const drawn = (reason: string) => ({ winners: [], places: [1, 1], reason, detail: {} });

describe('losses', () => {
  test('[G-CHK] a seat without a piece has lost', () => {
    const won = (winner: number, places: readonly number[]) => ({
      winners: [winner],
      places,
      reason: 'no_pieces',
      detail: {},
    });
    expect(checkers.outcome(after(at('B:W6:B1'), '1x10'))).toEqual(won(0, [1, 2]));
    expect(checkers.outcome(after(at('W:W10:B6'), '10x1'))).toEqual(won(1, [2, 1]));
  });

  test('[G-CHK] a seat without a move has lost', () => {
    const state = after(at('B:W5:BK6'), '6-1');
    expect(checkers.outcome(state)).toEqual({
      winners: [0],
      places: [1, 2],
      reason: 'no_moves',
      detail: {},
    });
    expect([checkers.turn(state), checkers.legalActions(state)]).toEqual([null, []]);
    expect(checkers.outcome(after(at('B:W5,32:BK6'), '6-1'))).toBeNull();
  });
});

describe('repetition', () => {
  const ROUND = ['1-5', '32-28', '5-1', '28-32'];
  const start = at('B:WK32:BK1');

  test('[G-CHK] the same position a third time is drawn, the second is not', () => {
    const seventh = after(start, ...ROUND, ...ROUND.slice(0, 3));
    expect(checkers.outcome(seventh)).toBeNull();
    const eighth = after(seventh, '28-32');
    expect(checkers.outcome(eighth)).toEqual(drawn('repetition'));
    expect([checkers.turn(eighth), written(eighth)]).toEqual([null, []]);
  });

  test('[G-CHK] the three need not be consecutive', () => {
    const other = ['1-6', '32-27', '6-1', '27-32'];
    expect(checkers.outcome(after(start, ...ROUND, ...other.slice(0, 3)))).toBeNull();
    const state = after(start, ...ROUND, ...other);
    expect(checkers.outcome(state)).toEqual(drawn('repetition'));
  });

  test('[G-CHK] a position with a man instead of a king is a different one', () => {
    // Black's man on 9 becomes a king; the kings are then where they were before.
    const before = at('B:WK32,6:BK18');
    const state = after(before, '18-23', '6-1', '23-18', '1-6', '18-23', '6-1');
    expect(checkers.outcome(state)).toBeNull();
    expect(countQuietPlies(state)).toBe(4);
  });

  test("[G-CHK] positions from before a man's move do not count", () => {
    const before = at('B:WK32,K31:BK1,9');
    const round = ['1-5', '32-28', '5-1', '28-32'];
    const state = after(before, ...round, '9-13', '32-28', '1-5', '28-32');
    expect(countQuietPlies(state)).toBe(3);
    expect(checkers.outcome(state)).toBeNull();
    expect(checkers.outcome(after(state, '5-1', '32-28', '1-5', '28-32'))).toBeNull();
  });
});

describe('lack of progress', () => {
  test('[G-CHK] 80 plies without a capture or a man moved are drawn, 79 are not', () => {
    expect(QUIET_PLIES_MAX).toBe(80);
    const at79 = after(withQuietPlies('B:WK32:BK1', 78), '1-5');
    expect([countQuietPlies(at79), checkers.outcome(at79)]).toEqual([79, null]);
    const at80 = after(at79, '32-28');
    expect(checkers.outcome(at80)).toEqual(drawn('no_progress'));
    expect([checkers.turn(at80), checkers.legalActions(at80)]).toEqual([null, []]);
  });

  test('[G-CHK] a capture, whole, is one ply and restarts the count', () => {
    const state = after(withQuietPlies('B:W7,15,32:BK2', 79), '2x18');
    expect([countQuietPlies(state), checkers.outcome(state)]).toEqual([0, null]);
    const next = after(withQuietPlies('B:WK7,K15,K32:BK2', 79), '2x18', '32-28');
    expect(countQuietPlies(next)).toBe(1);
  });

  test('[G-CHK] a man that steps, or is crowned, restarts the count', () => {
    for (const [fen, move] of [
      ['B:WK32:BK1,9', '9-13'],
      ['B:WK32:BK1,25', '25-30'],
    ] as const) {
      const state = after(withQuietPlies(fen, 79), move);
      expect([countQuietPlies(state), checkers.outcome(state)]).toEqual([0, null]);
    }
  });

  test('[G-CHK] after the end nobody has to capture', () => {
    const state = after(withQuietPlies('B:WK10:BK1', 79), '1-6');
    expect(checkers.outcome(state)).toEqual(drawn('no_progress'));
    expect(american.mustCapture(state)).toBe(true);
    expect(checkers.view(state, null)).toMatchObject({ mustCapture: false });
  });

  test('[G-CHK] a win on the 80th ply is a win', () => {
    const state = after(withQuietPlies('B:W5:BK6', 79), '6-1');
    expect(countQuietPlies(state)).toBe(80);
    expect(checkers.outcome(state)).toMatchObject({ winners: [0], reason: 'no_moves' });
  });

  test(`[G-CHK] kings that move without repeating draw with the 80th ply (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'checkers wandering', 0);
    let state = at('B:WK30,K31,K32:BK1,K2,K3');
    for (let ply = 1; ply <= 80; ply += 1) {
      state = wander(state, (below) => random.integer(below));
      expect(countQuietPlies(state)).toBe(ply);
      expect(checkers.outcome(state)?.reason).toBe(ply === 80 ? 'no_progress' : undefined);
    }
  });
});

/** The state after a step that neither repeats for the third time nor allows a capture. */
function wander(state: AmericanState, pick: (below: number) => number): AmericanState {
  const all = american.listMoves(state).map((move) => american.afterMove(state, move));
  const next = all.filter((each) => each.end !== 'repetition' && !american.mustCapture(each));
  return next[pick(next.length)]!;
}
