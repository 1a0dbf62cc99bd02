// [rules] Tic-tac-toe as a game of your own: `matchd dev --games games`.

import {
  defineGame,
  drawnByTwo,
  illegalMove,
  refuseTurn,
  shape,
  wholeNumber,
  wonBy,
} from '@matchd/game';

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'];

export const game = defineGame({
  id: 'tic-tac-toe',
  seats: 2,
  action: shape({ cell: wholeNumber(0, 8) }),
  initial: () => ({ cells: Array(9).fill(null) }),
  turn: turnOf,
  legalActions(state) {
    if (turnOf(state) === null) return [];
    return [...state.cells.keys()]
      .filter((cell) => state.cells[cell] === null)
      .map((cell) => ({ cell }));
  },
  apply(state, seat, { cell }) {
    const refusal = refuseTurn(turnOf(state), seat);
    if (refusal !== null) return refusal;
    if (state.cells[cell] !== null) return illegalMove('The cell is taken');
    return { state: { cells: state.cells.with(cell, seat) }, events: [] };
  },
  outcome: outcomeOf,
});

function turnOf(state) {
  if (outcomeOf(state) !== null) return null;
  return state.cells.filter((mark) => mark !== null).length % 2;
}

function outcomeOf({ cells }) {
  for (const [a, b, c] of LINES) {
    if (cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c]) {
      return wonBy(cells[a], 'three_in_a_row', {});
    }
  }
  return cells.includes(null) ? null : drawnByTwo('board_full');
}
