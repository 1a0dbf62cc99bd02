/** Positions of checkers for tests. */

import type { Applied } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { american } from './american/american.ts';
import type { AmericanState } from './american/state.ts';
import { checkers } from './checkers.ts';
import type { Variant } from './dialect.ts';
import { brazilian, international, russian } from './draughts/draughts.ts';
import type { DraughtsState } from './draughts/state.ts';
import type { DraughtsVariant } from './draughts/variant.ts';
import { isFenFault, makeFen, parseFen } from './fen.ts';
import type { Diagram } from './rule-set.ts';
import { diagramOf } from './rule-set.ts';
import type { CheckersState } from './rule-sets.ts';
import { RULE_SETS, rulesOf } from './rule-sets.ts';

const noChance = makeRandom('', () => '', 0);

export const initialOf = (variant: Variant): CheckersState =>
  checkers.initial({ variant, seats: 2, options: {} });
export const initial = initialOf('american');

function read(variant: Variant, fen: string): Diagram {
  const diagram = parseFen(RULE_SETS[variant].dialect, fen);
  if (isFenFault(diagram)) throw new Error(`${fen}: ${diagram.error}`);
  return diagram;
}

/** A game of American checkers that begins with a position in PDN-FEN. */
export const at = (fen: string): AmericanState => american.begin(read('american', fen));

const DRAUGHTS = { russian, brazilian, international };
/** The same of a variant with flying kings. */
export const atIn = (variant: DraughtsVariant, fen: string): DraughtsState =>
  DRAUGHTS[variant].begin(read(variant, fen));

export function fenOf(state: CheckersState): string {
  const rules = rulesOf(state);
  return makeFen(rules.dialect, diagramOf(rules, state));
}

function applyWritten(state: CheckersState, text: string): Applied<CheckersState> {
  const action = checkers.parseNotation(state, text);
  if (action === null) throw new Error(`${text} is not legal`);
  const applied = checkers.apply(state, state.turn, action, noChance);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied;
}

/** The state after moves as players write them. */
export function after<State extends CheckersState>(
  state: State,
  ...moves: readonly string[]
): State {
  // A game never changes its variant.
  return moves.reduce((before, text) => applyWritten(before, text).state as State, state);
}

/** The events of a move. */
export function eventsOf(state: CheckersState, move: string): readonly object[] {
  return applyWritten(state, move).events;
}

/** The legal moves as players write them, in the order of their letters. */
export function written(state: CheckersState): readonly string[] {
  const actions = checkers.legalActions(state) ?? [];
  return actions.map((action) => checkers.makeNotation(state, action)).sort();
}
