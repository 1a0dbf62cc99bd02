/** Checkers by the American rules: men step forward, captures are compulsory, kings go both ways. */

import type { Applied, Game, Json, Outcome, Refusal, Seat } from '../game.ts';
import { isRefusal } from '../game.ts';
import { drawnByTwo, wonBy } from '../outcome.ts';
import { refuseTurn } from '../refusal.ts';
import type { CheckersAction } from './action.ts';
import { findMove, makeAction, parseAction } from './action.ts';
import { bitOfCell, CELLS, START, squareOfCell } from './board.ts';
import { listMoves, mustCapture } from './moves.ts';
import { readMove, writeMove } from './notation.ts';
import type { CheckersState } from './state.ts';
import { afterMove, makeState } from './state.ts';

/** What stands on a cell, by seat and, for kings, 2 more. Shared by all views, so frozen. */
const PIECES: readonly Json[] = [false, true].flatMap((king) =>
  [0, 1].map((seat) => Object.freeze({ seat, king })),
);

function turn(state: CheckersState): Seat | null {
  return state.end === null ? state.turn : null;
}

function outcome({ end, turn: loser }: CheckersState): Outcome | null {
  switch (end) {
    case null:
      return null;
    case 'no_pieces':
    case 'no_moves':
      return wonBy(1 - loser, end, {});
    case 'repetition':
    case 'no_progress':
      return drawnByTwo(end);
  }
}

function legalActions(state: CheckersState): readonly CheckersAction[] {
  if (state.end !== null) return [];
  const legal = listMoves(state);
  return legal.map((move) => makeAction(move, legal));
}

function apply(
  state: CheckersState,
  seat: Seat,
  action: CheckersAction,
): Applied<CheckersState> | Refusal {
  const refusal = refuseTurn(turn(state), seat);
  if (refusal !== null) return refusal;
  const move = findMove(state, listMoves(state), action);
  if (isRefusal(move)) return move;
  const crowned = { type: 'checkers.crowned', data: { seat, square: move.to } };
  return { state: afterMove(state, move), events: move.crowns ? [crowned] : [] };
}

function view(state: CheckersState): Json {
  const board = Array.from({ length: CELLS }, (_, cell) => pieceOn(state, bitOfCell(cell)));
  return { board, mustCapture: state.end === null && mustCapture(state) };
}

function pieceOn({ red, black, kings }: CheckersState, bit: number): Json {
  if (((red | black) & bit) === 0) return null;
  return PIECES[((red & bit) === 0 ? 1 : 0) + ((kings & bit) === 0 ? 0 : 2)]!;
}

/** What is not legal here is written by its ends, as a step. */
function makeNotation(state: CheckersState, action: CheckersAction): string {
  const legal = listMoves(state);
  const move = findMove(state, legal, action);
  if (!isRefusal(move)) return writeMove(move, legal);
  return `${squareOfCell(action.from)}-${squareOfCell(action.to)}`;
}

function parseNotation(state: CheckersState, text: string): CheckersAction | null {
  if (state.end !== null) return null;
  const legal = listMoves(state);
  const move = readMove(text, legal);
  return move === null ? null : makeAction(move, legal);
}

/** Seat 0 is red and begins, from the bottom of the board. */
export const checkers: Game<CheckersState, CheckersAction> = {
  id: 'checkers',
  rulesVersion: 1,
  seats: { min: 2, max: 2, default: 2 },
  variants: ['american'],
  options: {},
  turnTimeoutMs: 90_000,
  drawOffers: true,
  openInformation: true,
  initial: () => makeState(START),
  turn,
  parseAction,
  legalActions,
  apply,
  view,
  outcome,
  makeNotation,
  parseNotation,
};
