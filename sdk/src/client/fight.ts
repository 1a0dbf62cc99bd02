/** Client-side prediction of a fight. Loaded on demand. */

import type { Prediction } from '../../../game/src/prediction.ts';
import { fightArena } from '../../../src/games/fight-arena/fight-arena.ts';
import type { FightState } from '../../../src/games/fight-arena/state.ts';
import type { TickLink } from './prediction.ts';
import { makePrediction } from './prediction.ts';

export type Fight = Prediction<FightState>;

export function makeFight(link: TickLink): Fight {
  return makePrediction(fightArena, stateOf, link);
}

/** A view also has the number of rounds won. */
function stateOf(view: unknown): FightState {
  const { roundsWon: _, ...state } = view as FightState & { readonly roundsWon: unknown };
  return state;
}
