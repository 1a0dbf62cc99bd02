/** Connect four: stones dropped into seven columns of six, four in a row win. */

import { ownField, wholeNumberFault } from '../../../game/src/field.ts';
import type { Applied, Game, Json, Outcome, Refusal, Seat } from '../../../game/src/game.ts';
import { drawnByTwo, wonBy } from '../../../game/src/outcome.ts';
import { illegalMove, refuseTurn } from '../../../game/src/refusal.ts';
import { CELLS, COLUMNS, EMPTY, NO_CELLS, restingCell, STONES, winningCells } from './board.ts';

/** `plies` and `won` follow from `board`; they are stored so that no call scans the board. */
export type Connect4State = {
  /** The 42 cells in row order, row 0 at the top: `r` red, `y` yellow, `.` empty. */
  readonly board: string;
  /** Stones on the board. Red is to move when it is even. */
  readonly plies: number;
  /** The cells of the winner's fours, ascending; empty while nobody has won. */
  readonly won: readonly number[];
};

export type Connect4Action = {
  /** The column to drop a stone into, 0 to 6 from the left. */
  readonly column: number;
};

/** Every action, by column. Shared by all games, so frozen. */
const ACTIONS: readonly Connect4Action[] = Array.from({ length: COLUMNS }, (_, column) =>
  Object.freeze({ column }),
);

function turn(state: Connect4State): Seat | null {
  return state.plies === CELLS || state.won.length > 0 ? null : state.plies % 2;
}

/** `cells` are all winning ones: more than four with a longer line, or several at once. */
function outcome(state: Connect4State): Outcome | null {
  if (state.won.length > 0) {
    return wonBy((state.plies - 1) % 2, 'four_in_a_row', { cells: state.won });
  }
  return state.plies === CELLS ? drawnByTwo('board_full') : null;
}

function parseAction(input: unknown): Connect4Action | null {
  const column = ownField(input, 'column');
  return typeof column === 'number' ? (ACTIONS[column] ?? null) : null;
}

function actionFault(input: unknown): string | null {
  return wholeNumberFault(ownField(input, 'column'), 'column', 0, COLUMNS - 1);
}

function legalActions(state: Connect4State): readonly Connect4Action[] {
  if (turn(state) === null) return [];
  return ACTIONS.filter(({ column }) => state.board[column] === EMPTY);
}

function apply(
  state: Connect4State,
  seat: Seat,
  { column }: Connect4Action,
): Applied<Connect4State> | Refusal {
  const refusal = refuseTurn(turn(state), seat);
  if (refusal !== null) return refusal;
  if (ACTIONS[column] === undefined) return illegalMove(`There is no column ${column}`);
  const cell = restingCell(state.board, column);
  if (cell === null) return illegalMove(`Column ${column} is full`);
  const board = state.board.slice(0, cell) + STONES[seat] + state.board.slice(cell + 1);
  return {
    state: { board, plies: state.plies + 1, won: winningCells(board, cell) },
    events: [],
  };
}

function view(state: Connect4State): Json {
  const { board } = state;
  const colours: Json[] = [];
  for (let cell = 0; cell < board.length; cell += 1) colours.push(colourOf(board[cell]!));
  return { board: colours };
}

function colourOf(stone: string): 'red' | 'yellow' | null {
  if (stone === EMPTY) return null;
  return stone === STONES[0] ? 'red' : 'yellow';
}

/** The column counted from 1, as in the published test sets. */
function makeNotation(_: Connect4State, action: Connect4Action): string {
  return String(action.column + 1);
}

function parseNotation(state: Connect4State, text: string): Connect4Action | null {
  return legalActions(state).find((action) => makeNotation(state, action) === text) ?? null;
}

/** Seat 0 is red and begins. */
export const connect4: Game<Connect4State, Connect4Action> = {
  id: 'connect4',
  rulesVersion: 1,
  seats: { min: 2, max: 2, default: 2 },
  variants: ['standard'],
  options: {},
  turnTimeoutMs: 90_000,
  drawOffers: true,
  openInformation: true,
  initial: () => ({ board: EMPTY.repeat(CELLS), plies: 0, won: NO_CELLS }),
  turn,
  parseAction,
  actionFault,
  legalActions,
  apply,
  view,
  outcome,
  makeNotation,
  parseNotation,
};
