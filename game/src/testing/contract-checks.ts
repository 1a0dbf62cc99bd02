/** The contract of games as a list of checks that any test runner can run. */

import type { AnyGame, Game } from '../game.ts';
import {
  checkActions,
  checkIllegal,
  checkJunk,
  checkLegal,
  checkNotation,
} from './action-checks.ts';
import { checkImagined, checkViews } from './hidden-checks.ts';
import { checkLeaks } from './leak-checks.ts';
import {
  checkArguments,
  checkDeclaration,
  checkEliminated,
  checkEnds,
  checkReplay,
  checkRounds,
  checkSetups,
  checkTicks,
  checkTurnLimits,
  checkTurns,
} from './play-checks.ts';
import type { Check, Contract } from './subject.ts';
import { makeSubject } from './subject.ts';

export type { Contract } from './subject.ts';

/** The games that a check applies to; all without it. */
type AppliesTo = (game: AnyGame) => boolean;

const CHECKS: readonly (readonly [what: string, check: Check, appliesTo?: AppliesTo])[] = [
  ['the declaration is valid', checkDeclaration],
  ['every setup starts', checkSetups],
  ['random games end with a consistent outcome', checkEnds],
  ['a replay reproduces every state', checkReplay],
  ['seats can act until the game is over', checkTurns],
  ['a seat acts once per round', checkRounds, ({ acting }) => acting !== undefined],
  ['turn limits are within bounds', checkTurnLimits, (game) => game.turnLimitMs !== undefined],
  [
    'a seat that is out stays out and can leave at no cost',
    checkEliminated,
    ({ isOut }) => isOut !== undefined,
  ],
  [
    'each step is one tick, and a finished game does not change',
    checkTicks,
    ({ ticks }) => ticks !== undefined,
  ],
  ['functions do not mutate their arguments', checkArguments],
  ['views are plain JSON without the seed', checkViews],
  [
    'hidden information does not show in views, legal actions or refusals',
    checkImagined,
    hasHiddenInformation,
  ],
  ['hidden information does not show in events or shown actions', checkLeaks, hasHiddenInformation],
  ['legal actions apply, from acting seats only', checkLegal],
  ['illegal actions are refused', checkIllegal],
  ['malformed input is refused and changes nothing', checkJunk],
  ['actions survive JSON and hold no unknown fields', checkActions, hasActions],
  ['notation round-trips', checkNotation, hasActions],
];

function hasHiddenInformation({ imagine }: AnyGame): boolean {
  return imagine !== undefined;
}

function hasActions({ ticks }: AnyGame): boolean {
  return ticks === undefined;
}

/** One check, to be registered as a test. */
export interface ContractCheck {
  /** The test's title, with the seed. */
  readonly what: string;
  /** Throws an Error that names the random game, the position and the violation. */
  readonly run: () => void;
}

/**
 * The contract checks of one game. Register each as a test with any test runner:
 * `for (const { what, run } of gameContractChecks(game)) test(what, run);`
 */
export function gameContractChecks<State, Action>(
  game: Game<State, Action>,
  contract: Contract<State, Action> = {},
): readonly ContractCheck[] {
  // The checks verify at run time that states and actions are plain JSON.
  const subject = makeSubject(game as unknown as AnyGame, contract as unknown as Contract);
  return CHECKS.flatMap(([what, check, appliesTo]) =>
    appliesTo?.(subject.game) === false
      ? []
      : [{ what: `${what} (seed ${subject.seed})`, run: () => check(subject) }],
  );
}
