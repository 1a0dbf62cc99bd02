/** The contract of games: what every engine has to keep, as checks that any test runner can run. */

import type { AnyGame, Game } from '../game.ts';
import {
  checkActions,
  checkIllegal,
  checkJunk,
  checkLegal,
  checkNotation,
} from './action-checks.ts';
import {
  checkArguments,
  checkDeclaration,
  checkEnds,
  checkOut,
  checkReplay,
  checkSetups,
  checkTicks,
  checkTimes,
  checkTurns,
  checkWaiting,
} from './play-checks.ts';
import { checkImagined, checkViews } from './secret-checks.ts';
import type { Check, Contract } from './subject.ts';
import { makeSubject } from './subject.ts';
import { checkTold } from './told-checks.ts';

export type { Contract } from './subject.ts';

/** Which games a check is for; without it, all. */
type AppliesTo = (game: AnyGame) => boolean;

const CHECKS: readonly (readonly [what: string, check: Check, appliesTo?: AppliesTo])[] = [
  ['declares itself within bounds', checkDeclaration],
  ['every setup begins with a position that can be played', checkSetups],
  ['random play ends, with an outcome that fits', checkEnds],
  ['replaying the inputs over stored states gives the same hashes', checkReplay],
  ['somebody is to act exactly while it goes on', checkTurns],
  ['whoever has acted waits for the others', checkWaiting, ({ acting }) => acting !== undefined],
  ['a turn has a time within bounds', checkTimes, (game) => game.turnLimitMs !== undefined],
  [
    'a seat that is out stays out, at no cost if it leaves',
    checkOut,
    ({ isOut }) => isOut !== undefined,
  ],
  ['a step is one tick, and none follows the end', checkTicks, ({ ticks }) => ticks !== undefined],
  ['an input changes neither the state nor the action it is given', checkArguments],
  ['a view is plain JSON and shows no secret', checkViews],
  ['what a viewer cannot see makes no difference to it', checkImagined, hasSecrets],
  ['what is told of an action tells no secret', checkTold, hasSecrets],
  ['what is legal applies, by the seats to act alone', checkLegal],
  ['what is not legal is refused', checkIllegal],
  ['any junk is refused and changes nothing', checkJunk],
  ['an action is its own wire form and brings nothing along', checkActions, hasActions],
  ['notation round-trips', checkNotation, hasActions],
];

function hasSecrets({ imagine }: AnyGame): boolean {
  return imagine !== undefined;
}

function hasActions({ ticks }: AnyGame): boolean {
  return ticks === undefined;
}

/** One check of the contract, to be registered as a test. */
export interface ContractCheck {
  /** What it holds, with the seed: the test's title. */
  readonly what: string;
  /** Throws an Error that says where the game breaks the contract. */
  readonly run: () => void;
}

/**
 * The contract's checks of one game. Register each as a test, with whatever runs tests:
 * `for (const { what, run } of gameContractChecks(game)) test(what, run);`
 */
export function gameContractChecks<State, Action>(
  game: Game<State, Action>,
  contract: Contract<State, Action> = {},
): readonly ContractCheck[] {
  // Plain JSON is what the checks find out; the compiler cannot say it of an author's own types.
  const subject = makeSubject(game as unknown as AnyGame, contract as unknown as Contract);
  return CHECKS.flatMap(([what, check, appliesTo]) =>
    appliesTo?.(subject.game) === false
      ? []
      : [{ what: `${what} (seed ${subject.seed})`, run: () => check(subject) }],
  );
}
