/** Positions and dice for the tests of ludo. */

import type { Applied, Seat } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import type { Place } from './board.ts';
import { YARD } from './board.ts';
import type { LudoAction } from './ludo.ts';
import { ludo } from './ludo.ts';
import type { LudoRules, LudoState } from './state.ts';

export const OPTIONS = {
  thirdSixVoidsTurn: true,
  ownPairIsBlock: false,
  captureBeforeHome: false,
  startSquaresSafe: true,
} as const;

/** A position with the given tokens by seat; the others are in the yard. */
export function put(
  places: readonly (readonly Place[])[],
  rules: Partial<LudoRules> = {},
  rest: Partial<LudoState> = {},
): LudoState {
  const { variant = 'classic', ...changed } = rules;
  const options = { ...OPTIONS, ...changed };
  const opening = ludo.initial({ variant, seats: places.length, options });
  const tokens = places.map((each) => [0, 1, 2, 3].map((token) => each[token] ?? YARD));
  return { ...opening, tokens, ...rest };
}

/** A die with given results that throws when there are no more. */
export function dice(...falls: readonly number[]): Random {
  const left = [...falls];
  return {
    integer(below) {
      const fall = left.shift();
      if (below !== 6 || fall === undefined) throw new Error('That was not to be rolled');
      return fall - 1;
    },
  };
}

/** The effect of an action of the seat to move. Throws if it is refused. */
export function act(state: LudoState, action: LudoAction, random: Random): Applied<LudoState> {
  const applied = ludo.apply(state, ludo.turn(state) ?? 0, action, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied;
}

/** Rolls a die with given results; with a token if more than one may move. */
export function play(state: LudoState, ...moves: readonly (number | [number, number])[]) {
  return moves.reduce((before, each) => {
    const [die, token] = typeof each === 'number' ? [each, null] : each;
    const rolled = act(before, { roll: true }, dice(die)).state;
    return token === null ? rolled : act(rolled, { token }, dice()).state;
  }, state);
}

/** The places of one seat's tokens. */
export function placesOf(state: LudoState, seat: Seat): readonly Place[] {
  return state.tokens[seat]!;
}

/** Tokens that may move now. */
export function choices(state: LudoState): readonly number[] {
  return ludo.legalActions(state)!.flatMap((each) => ('token' in each ? [each.token] : []));
}
