/** Tic-tac-toe: three in a row on nine cells. */

import { ownField, wholeNumberFault } from '../../../game/src/field.ts';
import type { Applied, Game, Json, Outcome, Refusal, Seat } from '../../../game/src/game.ts';
import { drawnByTwo, wonBy } from '../../../game/src/outcome.ts';
import { illegalMove, refuseTurn } from '../../../game/src/refusal.ts';

const CELLS = 9;
export const EMPTY = '.';
/** The mark of each seat. */
const MARKS = ['X', 'O'] as const;

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

export type TictactoeState = {
  /** The nine cells in row order, row 0 at the top: `X`, `O` or `.`. */
  readonly board: string;
};

export type TictactoeAction = {
  /** The cell to mark, 0 to 8 in row order. */
  readonly position: number;
};

/** Every action, by position. Shared by all games, so frozen. */
const ACTIONS: readonly TictactoeAction[] = Array.from({ length: CELLS }, (_, position) =>
  Object.freeze({ position }),
);

/** The first full line in the order of `LINES`; the ninth mark can fill two at once. */
function winningLine(board: string): readonly number[] | null {
  for (const line of LINES) {
    const mark = board[line[0]];
    if (mark !== EMPTY && mark === board[line[1]] && mark === board[line[2]]) return line;
  }
  return null;
}

/** How many cells are marked. */
function countMarks(board: string): number {
  let marks = 0;
  for (let position = 0; position < CELLS; position += 1) {
    if (board[position] !== EMPTY) marks += 1;
  }
  return marks;
}

function turn(state: TictactoeState): Seat | null {
  const marks = countMarks(state.board);
  return marks === CELLS || winningLine(state.board) !== null ? null : marks % 2;
}

function outcome(state: TictactoeState): Outcome | null {
  const line = winningLine(state.board);
  if (line !== null) {
    return wonBy(state.board[line[0]!] === MARKS[0] ? 0 : 1, 'three_in_a_row', { line });
  }
  return countMarks(state.board) === CELLS ? drawnByTwo('board_full') : null;
}

function parseAction(input: unknown): TictactoeAction | null {
  const position = ownField(input, 'position');
  return typeof position === 'number' ? (ACTIONS[position] ?? null) : null;
}

function actionFault(input: unknown): string | null {
  return wholeNumberFault(ownField(input, 'position'), 'position', 0, CELLS - 1);
}

function legalActions(state: TictactoeState): readonly TictactoeAction[] {
  if (turn(state) === null) return [];
  return ACTIONS.filter(({ position }) => state.board[position] === EMPTY);
}

function apply(
  state: TictactoeState,
  seat: Seat,
  { position }: TictactoeAction,
): Applied<TictactoeState> | Refusal {
  const refusal = refuseTurn(turn(state), seat);
  if (refusal !== null) return refusal;
  const { board } = state;
  if (ACTIONS[position] === undefined) return illegalMove(`There is no position ${position}`);
  if (board[position] !== EMPTY) return illegalMove(`Position ${position} is taken`);
  const marked = board.slice(0, position) + MARKS[seat] + board.slice(position + 1);
  return { state: { board: marked }, events: [] };
}

function view(state: TictactoeState): Json {
  const board: (string | null)[] = [];
  for (let position = 0; position < CELLS; position += 1) {
    const mark = state.board[position]!;
    board.push(mark === EMPTY ? null : mark);
  }
  return { board };
}

/** The cell counted from 1, as on a telephone. */
function makeNotation(_: TictactoeState, action: TictactoeAction): string {
  return String(action.position + 1);
}

function parseNotation(state: TictactoeState, text: string): TictactoeAction | null {
  return legalActions(state).find((action) => makeNotation(state, action) === text) ?? null;
}

/** Seat 0 is X and begins. */
export const tictactoe: Game<TictactoeState, TictactoeAction> = {
  id: 'tictactoe',
  rulesVersion: 1,
  seats: { min: 2, max: 2, default: 2 },
  variants: ['standard'],
  options: {},
  turnTimeoutMs: 60_000,
  drawOffers: false,
  openInformation: true,
  initial: () => ({ board: EMPTY.repeat(CELLS) }),
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
