/** Tic-tac-toe completely: every possible game, counted against the published numbers. */

import { describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { gameContractSuite } from '../contract-suite.ts';
import type { TictactoeState } from './tictactoe.ts';
import { tictactoe } from './tictactoe.ts';

// No cast: states and actions are type aliases, which are JSON to the compiler; interfaces are not.
const game: AnyGame = tictactoe;
gameContractSuite('G-TTT', game, { inputsMax: 9, gamesPerSetup: 100 });

const setup = { variant: 'standard', seats: 2, options: {} };
const noChance = makeRandom('', () => '', 0);

function play(state: TictactoeState, position: number): TictactoeState {
  const applied = tictactoe.apply(state, tictactoe.turn(state) ?? 0, { position }, noChance);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** The position after moves written as digits 1 to 9. */
function after(moves: string): TictactoeState {
  return [...moves].reduce((state, text) => {
    const action = tictactoe.parseNotation(state, text);
    if (action === null) throw new Error(`${text} is not legal in ${state.board}`);
    return play(state, action.position);
  }, tictactoe.initial(setup));
}

/** The game tree below a position, each node given with the moves that led to it. */
function walk(
  state: TictactoeState,
  moves: readonly number[],
  visit: (state: TictactoeState, moves: readonly number[]) => void,
): void {
  visit(state, moves);
  for (const { position } of tictactoe.legalActions(state)!) {
    walk(play(state, position), [...moves, position], visit);
  }
}

/** The eight symmetries of the board: `symmetry[i]` is the cell that cell i goes to. */
const SYMMETRIES: readonly (readonly number[])[] = [0, 1, 2, 3].flatMap((turns) =>
  [false, true].map((mirrored) =>
    Array.from({ length: 9 }, (_, cell) => {
      let [row, column] = [Math.floor(cell / 3), cell % 3] as [number, number];
      if (mirrored) column = 2 - column;
      for (let turn = 0; turn < turns; turn += 1) [row, column] = [column, 2 - row];
      return row * 3 + column;
    }),
  ),
);

/** The least of the eight images of a text in which character i belongs to cell i. */
function leastBoard(board: string): string {
  return SYMMETRIES.map((symmetry) => symmetry.map((cell) => board[cell]).join('')).sort()[0]!;
}

/** Games below a position when moves that lead to symmetrical positions count as one. */
function countUpToSymmetry(state: TictactoeState): number {
  const next = tictactoe.legalActions(state)!.map(({ position }) => play(state, position));
  if (next.length === 0) return 1;
  const different = new Map(next.map((each) => [leastBoard(each.board), each]));
  return [...different.values()].reduce((sum, each) => sum + countUpToSymmetry(each), 0);
}

const initial = tictactoe.initial(setup);

interface Tree {
  readonly nodesByPly: readonly number[];
  readonly gamesByLength: readonly number[];
  readonly wins: { readonly X: number; readonly O: number; readonly none: number };
  /** A board's winner: `X`, `O`, `none`, or null if unfinished. */
  readonly positions: ReadonlyMap<string, 'X' | 'O' | 'none' | null>;
}

function countTree(): Tree {
  const nodesByPly = Array<number>(10).fill(0);
  const gamesByLength = Array<number>(10).fill(0);
  const wins = { X: 0, O: 0, none: 0 };
  const positions = new Map<string, 'X' | 'O' | 'none' | null>();
  walk(initial, [], (state, moves) => {
    nodesByPly[moves.length]! += 1;
    const outcome = tictactoe.outcome(state);
    const winner = outcome && ((['X', 'O'] as const)[outcome.winners[0] ?? 2] ?? 'none');
    positions.set(state.board, winner);
    if (winner === null) return;
    wins[winner] += 1;
    gamesByLength[moves.length]! += 1;
  });
  return { nodesByPly, gamesByLength, wins, positions };
}

describe('the whole game', () => {
  const tree = countTree();
  const over = [...tree.positions].filter(([, winner]) => winner !== null);

  test('[G-TTT] there are 255,168 games: 131,184 won by X, 77,904 by O, 46,080 drawn', () => {
    expect(tree.wins).toEqual({ X: 131_184, O: 77_904, none: 46_080 });
  });

  test('[G-TTT] games by length and nodes by ply are the published ones', () => {
    expect(tree.gamesByLength).toEqual([0, 0, 0, 0, 0, 1440, 5328, 47_952, 72_576, 127_872]);
    expect(tree.nodesByPly).toEqual([
      1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872,
    ]);
  });

  test('[G-TTT] there are 26,830 games up to the symmetry of each position', () => {
    expect(countUpToSymmetry(initial)).toBe(26_830);
  });

  test('[G-TTT] there are 5,478 positions, 765 up to symmetry', () => {
    expect(tree.positions.size).toBe(5478);
    expect(new Set([...tree.positions.keys()].map(leastBoard)).size).toBe(765);
  });

  test('[G-TTT] 958 positions are final: up to symmetry 91 won by X, 44 by O, 3 drawn', () => {
    const least = new Map(over.map(([board, winner]) => [leastBoard(board), winner]));
    const count = (who: string) => [...least.values()].filter((winner) => winner === who).length;
    expect(over.length).toBe(958);
    expect([count('X'), count('O'), count('none')]).toEqual([91, 44, 3]);
  });

  test('[G-TTT] the value is a draw; 2,836 positions are won, 1,052 drawn, 632 lost', () => {
    const values = new Map<string, number>();
    /** 1 if the seat to move wins, 0 if it draws, -1 if it loses. */
    const solve = (state: TictactoeState): number => {
      const known = values.get(state.board);
      if (known !== undefined) return known;
      const outcome = tictactoe.outcome(state);
      if (outcome !== null) return outcome.winners.length === 0 ? 0 : -1;
      const next = tictactoe.legalActions(state)!.map(({ position }) => play(state, position));
      const value = Math.max(...next.map((each) => -solve(each)));
      values.set(state.board, value);
      return value;
    };
    expect(Math.abs(solve(initial))).toBe(0);
    const count = (value: number) => [...values.values()].filter((v) => v === value).length;
    expect([count(1), count(0), count(-1), values.size]).toEqual([2836, 1052, 632, 4520]);
  });

  test('[G-TTT] random play: X wins .58492, O .28810, drawn .12698', () => {
    const chance = { X: 0, O: 0, none: 0 };
    walk(initial, [], (state, moves) => {
      const winner = tree.positions.get(state.board) ?? null;
      if (winner !== null) chance[winner] += moves.reduce((p, _, index) => p / (9 - index), 1);
    });
    expect(chance.X).toBeCloseTo(0.58492, 5);
    expect(chance.O).toBeCloseTo(0.2881, 5);
    expect(chance.none).toBeCloseTo(0.12698, 5);
  });
});

describe('one game', () => {
  test('[G-TTT] X is seat 0, begins, and the view shows its marks in row order', () => {
    expect(tictactoe.turn(initial)).toBe(0);
    const state = after('159');
    expect(tictactoe.turn(state)).toBe(1);
    expect(tictactoe.view(state, null)).toEqual({
      board: ['X', null, null, null, 'O', null, null, null, 'X'],
    });
  });

  test('[G-TTT] three in a row wins and shows its line', () => {
    expect(tictactoe.outcome(after('14253'))).toEqual({
      winners: [0],
      places: [1, 2],
      reason: 'three_in_a_row',
      detail: { line: [0, 1, 2] },
    });
    const won = { winners: [1], places: [2, 1], detail: { line: [0, 4, 8] } };
    expect(tictactoe.outcome(after('213579'))).toMatchObject(won);
    expect(tictactoe.outcome(after('123587'))).toBeNull();
  });

  test('[G-TTT] a full board is drawn, unless the ninth mark wins', () => {
    expect(tictactoe.outcome(after('123586974'))).toEqual({
      winners: [],
      places: [1, 1],
      reason: 'board_full',
      detail: {},
    });
    // The ninth mark fills both diagonals; the first line in order is shown.
    const won = { reason: 'three_in_a_row', detail: { line: [0, 4, 8] } };
    expect(tictactoe.outcome(after('129436785'))).toMatchObject(won);
  });

  test('[G-TTT] refusals name the error and the seat to move', () => {
    const refuse = (moves: string, seat: number, position: number) =>
      tictactoe.apply(after(moves), seat, { position }, noChance);
    expect(refuse('5', 1, 4)).toEqual({ code: 'illegal_move', error: 'Position 4 is taken' });
    expect(refuse('5', 0, 0)).toEqual({ code: 'not_your_turn', error: "It is seat 1's turn" });
    expect(refuse('14253', 1, 8)).toEqual({ code: 'illegal_move', error: 'The game is over' });
    expect(refuse('', 0, 9)).toEqual({ code: 'illegal_move', error: 'There is no position 9' });
  });

  test('[G-TTT] an action is an integer position from 0 to 8 and nothing else', () => {
    for (let position = 0; position < 9; position += 1) {
      expect(tictactoe.parseAction({ position })).toEqual({ position });
    }
    expect(Object.is(tictactoe.parseAction({ position: -0 })?.position, 0)).toBe(true);
    const junk = [-1, 9, 0.5, Number.NaN, 2 ** 53, Infinity, '4', [4], true, null, undefined];
    for (const position of junk) expect(tictactoe.parseAction({ position })).toBeNull();
    for (const input of [4, '4', null, undefined, [], {}]) {
      expect(tictactoe.parseAction(input)).toBeNull();
    }
  });

  test('[G-TTT] a move is written as its cell from 1 to 9', () => {
    expect(tictactoe.makeNotation(initial, { position: 0 })).toBe('1');
    expect(tictactoe.parseNotation(initial, '9')).toEqual({ position: 8 });
    for (const text of ['0', '10', '', ' 1', '01', 'a']) {
      expect(tictactoe.parseNotation(initial, text)).toBeNull();
    }
    expect(tictactoe.parseNotation(after('5'), '5')).toBeNull();
  });
});
