/** Checkers in all variants: captures are compulsory, men become kings on the far row. */

import type { Applied, Game, Json, Outcome, Refusal, Seat } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import { drawnByTwo, wonBy } from '../../../game/src/outcome.ts';
import { refuseTurn } from '../../../game/src/refusal.ts';
import type { CheckersAction } from './action.ts';
import { actionFault, findMove, makeAction, parseAction } from './action.ts';
import { squareOfCell, VARIANTS } from './dialect.ts';
import { readMove, writeMove } from './notation.ts';
import type { Move } from './rule-set.ts';
import { diagramOf } from './rule-set.ts';
import type { CheckersState } from './rule-sets.ts';
import { initialState, rulesOf } from './rule-sets.ts';

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
  const legal = rulesOf(state).listMoves(state);
  return legal.map((move) => makeAction(move, legal));
}

/** The legal move that an action means in a running game, or why there is none. */
function chooseMove(
  state: CheckersState,
  legal: readonly Move[],
  action: CheckersAction,
): Move | Refusal {
  const { majority, pieceOn } = rulesOf(state);
  const owns = (cell: number) => pieceOn(state, cell)?.seat === state.turn;
  return findMove({ turn: state.turn, legal, majority, owns }, action);
}

function apply(
  state: CheckersState,
  seat: Seat,
  action: CheckersAction,
): Applied<CheckersState> | Refusal {
  const refusal = refuseTurn(turn(state), seat);
  if (refusal !== null) return refusal;
  const { listMoves, afterMove } = rulesOf(state);
  const move = chooseMove(state, listMoves(state), action);
  if (isRefusal(move)) return move;
  const crowned = { type: 'checkers.crowned', data: { seat, square: move.to } };
  return { state: afterMove(state, move), events: move.crowns ? [crowned] : [] };
}

function view(state: CheckersState): Json {
  const rules = rulesOf(state);
  const { board } = diagramOf(rules, state);
  return { board, mustCapture: state.end === null && rules.mustCapture(state) };
}

/** An illegal action is written by its ends, as a step. */
function makeNotation(state: CheckersState, action: CheckersAction): string {
  const { dialect, listMoves } = rulesOf(state);
  const legal = listMoves(state);
  const move = chooseMove(state, legal, action);
  if (!isRefusal(move)) return writeMove(dialect, move, legal);
  return `${squareOfCell(dialect, action.from)}-${squareOfCell(dialect, action.to)}`;
}

function parseNotation(state: CheckersState, text: string): CheckersAction | null {
  if (state.end !== null) return null;
  const { dialect, listMoves } = rulesOf(state);
  const legal = listMoves(state);
  const move = readMove(dialect, text, legal);
  return move === null ? null : makeAction(move, legal);
}

/** Seat 0 begins, from the bottom of the board. */
export const checkers: Game<CheckersState, CheckersAction> = {
  id: 'checkers',
  rulesVersion: 1,
  seats: { min: 2, max: 2, default: 2 },
  variants: VARIANTS,
  options: {},
  turnTimeoutMs: 90_000,
  drawOffers: true,
  openInformation: true,
  initial: ({ variant }) => initialState(variant),
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
