/** Checkers against the contract of games, and its actions, views and events. */

import { describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { gameContractSuite } from '../contract-suite.ts';
import type { CheckersAction } from './action.ts';
import { after, at, eventsOf, initial, written } from './checkers.test-kit.ts';
import { checkers } from './checkers.ts';

// No cast: see tictactoe.test.ts.
const game: AnyGame = checkers;
gameContractSuite('G-CHK', game, { inputsMax: 1_000, gamesPerSetup: 3 });

const refuse = (fen: string, action: CheckersAction, seat = 0) =>
  checkers.apply(
    at(fen),
    seat,
    action,
    makeRandom('', () => '', 0),
  );

/** A man that captures two pieces by 9 or by 11, and a king that can go round either way. */
const TWO_WAYS = 'B:W6,7,14,15:B2';
const ROUND = 'B:W6,7,14,15:BK2';

interface View {
  readonly board: readonly ({ readonly seat: number; readonly king: boolean } | null)[];
  readonly mustCapture: boolean;
}

describe('the board', () => {
  const viewOf = (fen: string) => checkers.view(at(fen), null) as unknown as View;

  test('[G-CHK] seat 0 is red, begins, and is at the bottom; row 0 is at the top', () => {
    const { board, mustCapture } = checkers.view(initial, null) as unknown as View;
    const cells = (seat: number) =>
      board.flatMap((piece, cell) => (piece?.seat === seat ? [cell] : []));
    expect(checkers.turn(initial)).toBe(0);
    expect(board).toHaveLength(64);
    expect(cells(0)).toEqual([40, 42, 44, 46, 49, 51, 53, 55, 56, 58, 60, 62]);
    expect(cells(1)).toEqual([1, 3, 5, 7, 8, 10, 12, 14, 17, 19, 21, 23]);
    expect(board.some((piece) => piece?.king)).toBe(false);
    expect(mustCapture).toBe(false);
  });

  test('[G-CHK] red moves up: 11-15 of PDN goes from cell 42 to cell 35', () => {
    expect(checkers.parseNotation(initial, '11-15')).toEqual({ from: 42, to: 35 });
    const state = after(initial, '11-15');
    expect(checkers.turn(state)).toBe(1);
    const { board } = checkers.view(state, 1) as unknown as View;
    expect([board[42], board[35]]).toEqual([null, { seat: 0, king: false }]);
  });

  test('[G-CHK] a view shows kings, and whether the seat to move must capture', () => {
    const { board, mustCapture } = viewOf('B:WK32:BK1,7');
    expect([board[62], board[1]]).toEqual([
      { seat: 0, king: true },
      { seat: 1, king: true },
    ]);
    expect(mustCapture).toBe(false);
    expect(viewOf('B:W6:B1').mustCapture).toBe(true);
    expect(viewOf('W:W6:B1').mustCapture).toBe(false);
    expect(checkers.view(after(at('B:W6:B1'), '1x10'), 1)).toMatchObject({ mustCapture: false });
  });
});

describe('moves', () => {
  test('[G-CHK] men step forward, kings on any diagonal, one square', () => {
    expect(written(at('B:W32:B14'))).toEqual(['14-17', '14-18']);
    expect(written(at('W:W14:B1'))).toEqual(['14-10', '14-9']);
    expect(written(at('B:W32:BK14'))).toEqual(['14-10', '14-17', '14-18', '14-9']);
  });

  test('[G-CHK] no step crosses an edge of the board', () => {
    expect(written(at('B:W32:B5'))).toEqual(['5-9']);
    expect(written(at('B:W32:B12'))).toEqual(['12-16']);
    expect(written(at('B:W32:BK4'))).toEqual(['4-8']);
    expect(written(at('B:WK1:BK29'))).toEqual(['29-25']);
    expect(written(at('B:W8,11:B4,12'))).toEqual(['12-16']);
  });

  test('[G-CHK] a capture is compulsory, any of several may be chosen, and each must be completed', () => {
    expect(written(at('B:W15,16,22,32:B10,11,20'))).toEqual(['10x19', '11x25']);
    const state = after(at('B:W15,16,22,32:B10,11,20'), '11x25');
    expect(checkers.makeNotation(at('B:W15,22,32:B11'), { from: 42, to: 14 })).toBe('11x25');
    const { board } = checkers.view(state, null) as unknown as View;
    expect(board.filter((piece) => piece?.seat === 1)).toHaveLength(2);
  });

  test('[G-CHK] a man captures forward only, a king both ways', () => {
    expect(written(at('B:W10,32:B14'))).toEqual(['14-17', '14-18']);
    expect(written(at('B:W10,32:BK14'))).toEqual(['14x7']);
  });

  test('[G-CHK] a man that reaches the king row is crowned and stops, even between captures', () => {
    const state = after(at('B:W26,27:B22'), '22x31');
    expect(checkers.turn(state)).toBe(1);
    const { board } = checkers.view(state, null) as unknown as View;
    expect(board[3]).toEqual({ seat: 0, king: true });
    expect(written(at('B:W26,27:BK22'))).toEqual(['22x24']);
  });

  test('[G-CHK] a king may end where it began, and jumps nothing twice', () => {
    expect(written(at(ROUND))).toEqual(['2x11x18x9x2', '2x9x18x11x2']);
    expect(checkers.outcome(after(at(ROUND), '2x9x18x11x2'))).toMatchObject({
      winners: [0],
      reason: 'no_pieces',
    });
  });

  test('[G-CHK] crowning emits an event with the seat and the cell', () => {
    const told = (cell: number, seat: number) => [
      { type: 'checkers.crowned', data: { seat, square: cell } },
    ];
    expect(eventsOf(at('B:WK1:B26'), '26-31')).toEqual(told(3, 0));
    expect(eventsOf(at('W:W7:BK32'), '7-2')).toEqual(told(60, 1));
    expect(eventsOf(at('B:W26,27:B22'), '22x31')).toEqual(told(3, 0));
    expect(eventsOf(at('B:WK1:BK26'), '26-31')).toEqual([]);
    expect(eventsOf(initial, '11-15')).toEqual([]);
  });
});

describe('what is sent', () => {
  test('[G-CHK] a path is given if two captures share both ends, and only then', () => {
    expect(checkers.legalActions(at(TWO_WAYS))).toEqual([
      { from: 60, to: 28, path: [42] },
      { from: 60, to: 28, path: [46] },
    ]);
    expect(checkers.legalActions(at(ROUND))).toEqual([
      { from: 60, to: 60, path: [42, 28, 46] },
      { from: 60, to: 60, path: [46, 28, 42] },
    ]);
    expect(checkers.legalActions(at('B:W7,15:B2'))).toEqual([{ from: 60, to: 28 }]);
  });

  test('[G-CHK] without its path such a capture is ambiguous_move, and the paths are named', () => {
    expect(refuse(TWO_WAYS, { from: 60, to: 28 })).toEqual({
      code: 'ambiguous_move',
      error: 'Several captures go from cell 60 to cell 28: give the path, [42] or [46]',
    });
    expect(refuse(ROUND, { from: 60, to: 60 })).toMatchObject({ code: 'ambiguous_move' });
  });

  test('[G-CHK] each path takes what lies on it', () => {
    const blackAfter = (path: readonly number[]) => {
      const applied = refuse(TWO_WAYS, { from: 60, to: 28, path });
      const { board } = checkers.view(
        (applied as { state: typeof initial }).state,
        null,
      ) as unknown as View;
      return board.flatMap((piece, cell) => (piece?.seat === 1 ? [cell] : []));
    };
    expect(blackAfter([42])).toEqual([37, 53]);
    expect(blackAfter([46])).toEqual([35, 51]);
  });

  const REFUSED: readonly (readonly [string, CheckersAction, string])[] = [
    [
      TWO_WAYS,
      { from: 60, to: 28, path: [44] },
      'No capture from cell 60 to cell 28 goes by that path',
    ],
    [
      'B:W7,15:B2',
      { from: 60, to: 28, path: [42] },
      'Only one move goes from cell 60 to cell 28: leave out the path',
    ],
    ['B:W32:B14', { from: 37, to: 44 }, 'The piece on cell 37 cannot move to cell 44'],
    ['B:W32:B14', { from: 36, to: 28 }, 'Seat 0 has no piece on cell 36'],
    ['B:W32:B14', { from: 1, to: 8 }, 'Seat 0 has no piece on cell 1'],
    ['B:W32:B14', { from: 0, to: 63 }, 'Seat 0 has no piece on cell 0'],
    ['B:W32:B14', { from: 64, to: 37 }, 'Seat 0 has no piece on cell 64'],
    ['B:W32:B14', { from: 37, to: 99 }, 'The piece on cell 37 cannot move to cell 99'],
    [
      'B:W6:B1,12',
      { from: 40, to: 33 },
      'The piece on cell 40 cannot capture, and another one has to',
    ],
    [
      'B:W7,15:B2',
      { from: 60, to: 42 },
      'The piece on cell 60 has to capture as far as it can, which does not end on cell 42',
    ],
  ];
  test.each(REFUSED)('[G-CHK] %s %j is refused: %s', (fen, action, error) => {
    expect(refuse(fen, action)).toEqual({ code: 'illegal_move', error });
  });

  test('[G-CHK] out of turn and after the end no action is accepted', () => {
    const turn = refuse('B:W32:B14', { from: 1, to: 8 }, 1);
    expect(turn).toEqual({ code: 'not_your_turn', error: "It is seat 0's turn" });
    const ended = refuse('W:W5:B1', { from: 55, to: 62 }, 1);
    expect(ended).toEqual({ code: 'illegal_move', error: 'The game is over' });
  });

  test('[G-CHK] an action is two cells of the largest board, and up to nineteen cells of path', () => {
    const read = checkers.parseAction;
    expect(read({ from: 0, to: 99 })).toEqual({ from: 0, to: 99 });
    expect(read({ from: 1, to: 2, path: [] })).toEqual({ from: 1, to: 2, path: [] });
    expect(read({ from: 1, to: 2, path: Array(19).fill(5) })).not.toBeNull();
    const junk = [-1, 100, 0.5, Number.NaN, Infinity, '3', [3], true, null, undefined];
    for (const cell of junk) {
      expect(read({ from: cell, to: 1 })).toBeNull();
      expect(read({ from: 1, to: cell })).toBeNull();
      expect(read({ from: 1, to: 1, path: [1, cell] })).toBeNull();
    }
    for (const path of [null, 1, '1', {}, Array(20).fill(5), Array(2), { 0: 1, length: 1 }]) {
      expect(read({ from: 1, to: 1, path })).toBeNull();
    }
    const zeros = read({ from: -0, to: -0, path: [-0] })!;
    for (const cell of [zeros.from, zeros.to, ...zeros.path!])
      expect(Object.is(cell, 0)).toBe(true);
  });
});

describe('what is written', () => {
  test('[G-CHK] a capture may be written whole, short, or with dashes', () => {
    const state = at('B:W15,22,32:B11');
    for (const text of ['11x25', '11x18x25', '11-25', '11-18-25']) {
      expect(checkers.parseNotation(state, text)).toEqual({ from: 42, to: 14 });
    }
    for (const text of ['11x18', '11x19x25', '11x18x18x25', '11x', 'x25', '11 x 25', '011x25']) {
      expect(checkers.parseNotation(state, text)).toBeNull();
    }
  });

  test('[G-CHK] where two captures share both ends the short form means neither', () => {
    expect(written(at(TWO_WAYS))).toEqual(['2x11x18', '2x9x18']);
    expect(checkers.parseNotation(at(TWO_WAYS), '2x18')).toBeNull();
    expect(checkers.parseNotation(at(TWO_WAYS), '2x9x18')).toEqual({
      from: 60,
      to: 28,
      path: [46],
    });
  });

  test('[G-CHK] a step is written with a dash, and squares are 1 to 32', () => {
    for (const text of ['11x15', '0-4', '33-37', '99-1', '11-11', '11-16-20', '', '11']) {
      expect(checkers.parseNotation(initial, text)).toBeNull();
    }
  });
});
