/** The variants' rules, by variant and by state. The only place that names them all. */

import { american } from './american/american.ts';
import type { AmericanState } from './american/state.ts';
import type { Variant } from './dialect.ts';
import { VARIANTS } from './dialect.ts';
import { brazilian, international, russian } from './draughts/draughts.ts';
import type { DraughtsState } from './draughts/state.ts';
import { isFenFault, parseFen } from './fen.ts';
import type { Move, RuleSet } from './rule-set.ts';

/** American states name no variant: there was only one when the first of them were logged. */
export type CheckersState = AmericanState | DraughtsState;

/** Rules of any variant; they get only their own states and moves. */
export type AnyRuleSet = RuleSet<CheckersState, Move>;

export const RULE_SETS: Readonly<Record<Variant, AnyRuleSet>> = {
  american,
  russian,
  brazilian,
  international,
};

export function rulesOf(state: CheckersState): AnyRuleSet {
  return RULE_SETS['variant' in state ? state.variant : 'american'];
}

/** A game from the start of a variant, which has to be one of `VARIANTS`. */
export function initialState(variant: string): CheckersState {
  const known = VARIANTS.find((each) => each === variant);
  if (known === undefined) throw new Error(`There is no variant ${variant} of checkers`);
  const rules = RULE_SETS[known];
  const diagram = parseFen(rules.dialect, rules.dialect.start);
  if (isFenFault(diagram)) throw new Error(diagram.error);
  return rules.begin(diagram);
}
