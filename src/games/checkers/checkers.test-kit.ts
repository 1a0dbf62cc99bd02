/** Positions of checkers set up and played on, for tests. */

import type { Applied } from '../game.ts';
import { isRefusal } from '../game.ts';
import { makeRandom } from '../random.ts';
import { checkers } from './checkers.ts';
import { isFenFault, parseFen } from './fen.ts';
import type { CheckersState } from './state.ts';
import { makeState } from './state.ts';

const noChance = makeRandom('', () => '', 0);

export const initial = checkers.initial({ variant: 'american', seats: 2, options: {} });

/** A game that begins with a position in PDN-FEN. */
export function at(fen: string): CheckersState {
  const position = parseFen(fen);
  if (isFenFault(position)) throw new Error(`${fen}: ${position.error}`);
  return makeState(position);
}

function applyWritten(state: CheckersState, text: string): Applied<CheckersState> {
  const action = checkers.parseNotation(state, text);
  if (action === null) throw new Error(`${text} is not legal`);
  const applied = checkers.apply(state, state.turn, action, noChance);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied;
}

/** The state after moves as players write them. */
export function after(state: CheckersState, ...moves: readonly string[]): CheckersState {
  return moves.reduce((before, text) => applyWritten(before, text).state, state);
}

/** What a move tells beside the state. */
export function eventsOf(state: CheckersState, move: string): readonly object[] {
  return applyWritten(state, move).events;
}

/** The legal moves as players write them, in the order of their letters. */
export function written(state: CheckersState): readonly string[] {
  const actions = checkers.legalActions(state) ?? [];
  return actions.map((action) => checkers.makeNotation(state, action)).sort();
}
