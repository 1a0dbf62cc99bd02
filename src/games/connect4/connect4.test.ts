/** Connect four against its published counts, and its wins against a list of all lines. */

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import type { AnyGame, Outcome } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { gameContractSuite } from '../contract-suite.ts';
import { winningCells } from './board.ts';
import type { Connect4State } from './connect4.ts';
import { connect4 } from './connect4.ts';

// No cast: see tictactoe.test.ts.
const game: AnyGame = connect4;
gameContractSuite('G-C4', game, { inputsMax: 42, gamesPerSetup: 50 });

const setup = { variant: 'standard', seats: 2, options: {} };
const initial = connect4.initial(setup);
const noChance = makeRandom('', () => '', 0);

function play(state: Connect4State, column: number): Connect4State {
  const applied = connect4.apply(state, connect4.turn(state) ?? 0, { column }, noChance);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** The position after moves written as digits 1 to 7. */
function after(moves: string): Connect4State {
  return [...moves].reduce((state, text) => {
    const action = connect4.parseNotation(state, text);
    if (action === null) throw new Error(`${text} is not legal after ${state.plies} of ${moves}`);
    return play(state, action.column);
  }, initial);
}

/** Every position after one more move. */
function children(state: Connect4State): readonly Connect4State[] {
  return connect4.legalActions(state)!.map(({ column }) => play(state, column));
}

/** Move sequences of exactly `plies`; a game that is over is not extended. */
function perft(state: Connect4State, plies: number): number {
  if (plies === 0) return 1;
  if (plies === 1) return connect4.legalActions(state)!.length;
  return children(state).reduce((sum, child) => sum + perft(child, plies - 1), 0);
}

/** All four-in-a-rows, from coordinates only. */
const LINES: readonly (readonly number[])[] = Array.from({ length: 42 }, (_, cell) => cell).flatMap(
  (cell) =>
    [
      [1, 0],
      [0, 1],
      [1, 1],
      [-1, 1],
    ].flatMap(([right, down]) => {
      const cells = [0, 1, 2, 3].map((step) => {
        const column = (cell % 7) + step * right!;
        const row = Math.floor(cell / 7) + step * down!;
        return column >= 0 && column < 7 && row < 6 ? row * 7 + column : -1;
      });
      return cells.includes(-1) ? [] : [cells];
    }),
);

function isFull(board: string, line: readonly number[]): boolean {
  return board[line[0]!] !== '.' && line.every((cell) => board[cell] === board[line[0]!]);
}

/** The outcome by the list of lines and the number of stones. */
function outcomeByLines({ board }: Connect4State): Outcome | null {
  const full = LINES.filter((line) => isFull(board, line));
  const cells = [...new Set(full.flat())].sort((a, b) => a - b);
  if (cells.length > 0) {
    const [winners, places] = board[cells[0]!] === 'r' ? [[0], [1, 2]] : [[1], [2, 1]];
    return { winners, places, reason: 'four_in_a_row', detail: { cells } };
  }
  if (board.includes('.')) return null;
  return { winners: [], places: [1, 1], reason: 'board_full', detail: {} };
}

function playOut(random: Random): readonly Connect4State[] {
  const states = [initial];
  for (let state = initial; connect4.outcome(state) === null; ) {
    const legal = connect4.legalActions(state)!;
    state = play(state, legal[random.integer(legal.length)]!.column);
    states.push(state);
  }
  return states;
}

describe('counts', () => {
  test('[G-C4] move sequences by ply: 7 49 343 2401 16807 117649 823536', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7].map((plies) => perft(initial, plies));
    expect(counts).toEqual([7, 49, 343, 2401, 16_807, 117_649, 823_536]);
  });

  test('[G-C4] distinct positions by ply: 1 7 49 238 1120 4263 16422 54859, 728 of them over', () => {
    const counts: number[] = [];
    let positions = new Map([[initial.board, initial]]);
    for (let ply = 0; ply <= 7; ply += 1) {
      counts.push(positions.size);
      if (ply === 7) break;
      const next = [...positions.values()].flatMap(children);
      positions = new Map(next.map((state) => [state.board, state]));
    }
    expect(counts).toEqual([1, 7, 49, 238, 1120, 4263, 16_422, 54_859]);
    const over = [...positions.values()].filter((state) => connect4.outcome(state) !== null);
    expect(over.length).toBe(728);
  });
});

describe('the end', () => {
  const RANDOM_GAMES = 1_000;

  test('[G-C4] each of the 69 lines wins from each of its cells, and three of four do not', () => {
    expect(LINES.length).toBe(69);
    const lay = (cells: readonly number[]) =>
      Array.from({ length: 42 }, (_, cell) => (cells.includes(cell) ? 'y' : '.')).join('');
    for (const line of LINES) {
      const cells = [...line].sort((a, b) => a - b);
      for (const cell of cells) {
        expect(winningCells(lay(cells), cell)).toEqual(cells);
        const three = cells.filter((each) => each !== cell);
        for (const each of three) expect(winningCells(lay(three), each)).toEqual([]);
      }
    }
  });

  test(`[G-C4] outcomes equal those of a search of all lines (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'connect4 lines', 0);
    for (let number = 0; number < RANDOM_GAMES; number += 1) {
      for (const state of playOut(random)) {
        expect(connect4.outcome(state), state.board).toEqual(outcomeByLines(state));
      }
    }
  });

  test('[G-C4] four in a row wins and shows its cells, whoever made it', () => {
    expect(connect4.outcome(after('4455667'))).toEqual({
      winners: [0],
      places: [1, 2],
      reason: 'four_in_a_row',
      detail: { cells: [38, 39, 40, 41] },
    });
    expect(connect4.outcome(after('71212121'))).toMatchObject({
      winners: [1],
      places: [2, 1],
      detail: { cells: [14, 21, 28, 35] },
    });
  });

  test('[G-C4] a row does not continue at the other edge', () => {
    // Red has the last three cells of row 4 and the first of row 5, which have consecutive numbers.
    expect(connect4.outcome(after('1556677'))).toBeNull();
  });

  test('[G-C4] a longer line or several lines at once show every cell', () => {
    const cells = (moves: string) => connect4.outcome(after(moves))?.detail['cells'];
    expect(cells('273613514')).toEqual([35, 36, 37, 38, 39]);
    expect(cells('7645527662747')).toHaveLength(7);
    expect(cells('21551234657533166426241123556314')).toHaveLength(13);
  });

  test('[G-C4] a full board is drawn, unless the last stone wins', () => {
    expect(connect4.outcome(after('631572472162577446244466526233533175113157'))).toEqual({
      winners: [],
      places: [1, 1],
      reason: 'board_full',
      detail: {},
    });
    const won = connect4.outcome(after('164172555333253667451631563446727124142277'));
    expect(won).toMatchObject({ winners: [1], reason: 'four_in_a_row' });
  });

  // Public positions, each followed by its solved score; not part of the project.
  const published = new URL('../../../../shared/data/connect4/Test_L3_R1.txt', import.meta.url);
  test.skipIf(!existsSync(new URL('.', published)))(
    '[G-C4] the published endgame positions are reached by legal moves and continue',
    () => {
      const lines = readFileSync(published, 'utf8').trim().split('\n');
      expect(lines.length).toBe(500);
      for (const line of lines) {
        const [moves] = line.split(' ');
        expect(connect4.outcome(after(moves!)), line).toBeNull();
      }
    },
  );
});

describe('one game', () => {
  test('[G-C4] red is seat 0, begins, and stones are in row order with row 0 at the top', () => {
    expect(connect4.turn(initial)).toBe(0);
    const state = after('112');
    expect(connect4.turn(state)).toBe(1);
    const board = Array<string | null>(42).fill(null);
    board[35] = 'red';
    board[28] = 'yellow';
    board[36] = 'red';
    expect(connect4.view(state, null)).toEqual({ board });
  });

  test('[G-C4] refusals name the error and the seat to move', () => {
    const refuse = (moves: string, seat: number, column: number) =>
      connect4.apply(after(moves), seat, { column }, noChance);
    expect(refuse('444444', 0, 3)).toEqual({ code: 'illegal_move', error: 'Column 3 is full' });
    expect(refuse('4', 0, 3)).toEqual({ code: 'not_your_turn', error: "It is seat 1's turn" });
    expect(refuse('4455667', 1, 0)).toEqual({ code: 'illegal_move', error: 'The game is over' });
    expect(refuse('', 0, 7)).toEqual({ code: 'illegal_move', error: 'There is no column 7' });
  });

  test('[G-C4] a full column is not legal', () => {
    const columns = connect4.legalActions(after('444444'))!.map(({ column }) => column);
    expect(columns).toEqual([0, 1, 2, 4, 5, 6]);
  });

  test('[G-C4] an action is an integer column from 0 to 6 and nothing else', () => {
    for (let column = 0; column < 7; column += 1) {
      expect(connect4.parseAction({ column })).toEqual({ column });
    }
    expect(Object.is(connect4.parseAction({ column: -0 })?.column, 0)).toBe(true);
    const junk = [-1, 7, 0.5, Number.NaN, 2 ** 53, Infinity, '3', [3], true, null, undefined];
    for (const column of junk) expect(connect4.parseAction({ column })).toBeNull();
    for (const input of [3, '3', null, undefined, [], {}]) {
      expect(connect4.parseAction(input)).toBeNull();
    }
  });

  test('[G-C4] a move is written as its column from 1 to 7', () => {
    expect(connect4.makeNotation(initial, { column: 0 })).toBe('1');
    expect(connect4.parseNotation(initial, '7')).toEqual({ column: 6 });
    for (const text of ['0', '8', '', ' 1', '01', 'a']) {
      expect(connect4.parseNotation(initial, text)).toBeNull();
    }
    expect(connect4.parseNotation(after('444444'), '4')).toBeNull();
  });
});
