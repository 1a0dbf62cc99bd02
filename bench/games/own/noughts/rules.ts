/** Tic-tac-toe as an operator would write it, to measure the cost of an operator's game. */

import {
  defineGame,
  drawnByTwo,
  illegalMove,
  refuseTurn,
  shape,
  wholeNumber,
  wonBy,
} from '@matchd/game';

type State = { readonly board: string };
type Action = { readonly position: number };

const MARKS = ['X', 'O'];
const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const;
const ACTIONS = Array.from({ length: 9 }, (_, position) => ({ position }));

function lineOf({ board }: State): readonly [number, number, number] | null {
  for (const line of LINES) {
    const mark = board[line[0]];
    if (mark !== '.' && mark === board[line[1]] && mark === board[line[2]]) return line;
  }
  return null;
}

function marksOf({ board }: State): number {
  let marks = 0;
  for (const mark of board) if (mark !== '.') marks += 1;
  return marks;
}

function turnOf(state: State): number | null {
  const marks = marksOf(state);
  return marks === 9 || lineOf(state) !== null ? null : marks % 2;
}

export const game = defineGame<State, Action>({
  id: 'noughts',
  seats: 2,
  action: shape({ position: wholeNumber(0, 8) }),
  initial: () => ({ board: '.........' }),
  turn: turnOf,
  legalActions(state) {
    if (turnOf(state) === null) return [];
    return ACTIONS.filter(({ position }) => state.board[position] === '.');
  },
  apply(state, seat, { position }) {
    const refusal = refuseTurn(turnOf(state), seat);
    if (refusal !== null) return refusal;
    const { board } = state;
    if (board[position] !== '.') return illegalMove(`Position ${position} is taken`);
    const marked = board.slice(0, position) + MARKS[seat] + board.slice(position + 1);
    return { state: { board: marked }, events: [] };
  },
  view: ({ board }) => ({ board: Array.from(board, (mark) => (mark === '.' ? null : mark)) }),
  outcome(state) {
    const line = lineOf(state);
    if (line === null) return marksOf(state) === 9 ? drawnByTwo('board_full') : null;
    return wonBy(MARKS.indexOf(state.board[line[0]]!), 'three_in_a_row', { line });
  },
});
