/** Reversi: contract, published counts, and rules. */

import { expect, test } from 'bun:test';
import { makeRandom } from '@matchd/game';
import { gameContractChecks } from '@matchd/game/testing';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { PERFT, perft, play } from './perft.test-kit.ts';
import type { ReversiState } from './rules.ts';
import { game } from './rules.ts';

for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED, inputsMax: 60 })) {
  test(`[G-REVERSI] ${what}`, run);
}

const noChance = makeRandom('', () => '', 0);
const start = game.initial({ variant: 'standard', seats: 2, options: {} });

/** The position after moves such as `e6 f4`. */
function after(moves: string): ReversiState {
  return moves.split(' ').reduce((state, text) => {
    const action = game.parseNotation(state, text);
    if (action === null) throw new Error(`${text} is not legal`);
    return play(state, action.cell);
  }, start);
}

/** A board of rows from the top, `.` filled up at its end. */
function board(...rows: readonly string[]): string {
  return rows
    .map((row) => row.padEnd(8, '.'))
    .join('')
    .padEnd(64, '.');
}

test('[G-REVERSI] perft to depth 8 matches the published counts', () => {
  const plies = [1, 2, 3, 4, 5, 6, 7, 8];
  expect(plies.map((each) => perft(start, each))).toEqual(PERFT.slice(0, 8));
});

test('[G-REVERSI] black moves first, with d3, c4, f5 and e6', () => {
  expect(start.turn).toBe(0);
  const written = game.legalActions(start)!.map((action) => game.makeNotation(start, action));
  expect(written).toEqual(['d3', 'c4', 'f5', 'e6']);
  expect(game.view(start, null)).toEqual({ ...start, discs: [2, 2] });
});

test('[G-REVERSI] a move flips the discs up to the next own disc, in every direction', () => {
  const state = { board: board('b.b.b', '.www', 'bw.wb', '.www', 'b.b.b'), turn: 0 };
  const next = play(state, 18);
  expect(next.board).toBe(board('b.b.b', '.bbb', 'bbbbb', '.bbb', 'b.b.b'));
});

test('[G-REVERSI] a line that ends at an edge or an empty cell is not flipped', () => {
  const state = { board: board('wwww.wwb', 'ww.w.b'), turn: 0 };
  expect(game.legalActions(state)).toEqual([{ cell: 4 }]);
  // The right side is flipped up to the corner; the left side has no black disc.
  expect(play(state, 4).board).toBe(board('wwwwbbbb', 'ww.w.b'));
});

test('[G-REVERSI] the shortest game: black has all discs after nine moves', () => {
  const state = after('e6 f4 e3 f6 g5 d6 e7 f5 c5');
  expect(game.outcome(state)).toEqual({
    winners: [0],
    places: [1, 2],
    reason: 'no_moves',
    detail: {},
    scores: [13, 0],
  });
  expect([state.turn, game.legalActions(state)]).toEqual([null, []]);
});

test('[G-REVERSI] a seat without a legal move passes automatically', () => {
  // White has no legal move after this, so black moves again.
  const state = { board: board('.wb', '', '.wbbbbbb'), turn: 0 };
  const next = play(state, 0);
  expect(next.board).toBe(board('bbb', '', '.wbbbbbb'));
  expect(next.turn).toBe(0);
  const refused = game.apply(next, 1, { cell: 16 }, noChance);
  expect(refused).toEqual({ code: 'not_your_turn', error: "It is seat 0's turn" });
});

test('[G-REVERSI] on a full board more discs win, and equal numbers are a draw', () => {
  const half = 'b'.repeat(31);
  const full = (discs: string) => game.outcome({ board: discs, turn: null });
  expect(full(`${half}ww${half}`)).toMatchObject({
    winners: [0],
    reason: 'board_full',
    scores: [62, 2],
  });
  expect(full('bw'.repeat(32))).toMatchObject({ winners: [], places: [1, 1], scores: [32, 32] });
});

test('[G-REVERSI] a refusal names the cell', () => {
  const refuse = (cell: number) => game.apply(start, 0, { cell }, noChance);
  expect(refuse(0)).toEqual({ code: 'illegal_move', error: 'A disc in a1 flips no disc' });
  expect(refuse(27)).toEqual({ code: 'illegal_move', error: 'A disc in d4 flips no disc' });
});
