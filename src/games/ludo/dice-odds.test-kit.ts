/**
 * The average results of turns of ludo, calculated by hand for every set of options, and the code
 * that plays them. `V` is the probability of a voided turn: three sixes in a row, 1/6 · 1/6 · 1/6.
 */

import { makeRandom } from '../../../game/src/random.ts';
import type { Place } from './board.ts';
import { DONE, HOME, isDone, walked, YARD } from './board.ts';
import { act, put } from './ludo.test-kit.ts';
import type { LudoRules, LudoState, Snapshot } from './state.ts';

const V = 1 / 216;

export type OptionSet = Omit<LudoRules, 'variant'>;

/** All sixteen. */
export const OPTION_SETS: readonly OptionSet[] = ([true, 'last'] as const).flatMap(
  (thirdSixVoidsTurn) =>
    [false, true].flatMap((ownPairIsBlock) =>
      [false, true].flatMap((captureBeforeHome) =>
        [false, true].map((startSquaresSafe) => ({
          thirdSixVoidsTurn,
          ownPairIsBlock,
          captureBeforeHome,
          startSquaresSafe,
        })),
      ),
    ),
);

/** One turn of seat 0 of two, whose start is square 0; seat 1's is square 26. */
export interface Experiment {
  readonly what: string;
  readonly places: readonly [readonly Place[], readonly Place[]];
  /** The rest of the position when the turn begins or continues. */
  readonly rest?: (options: OptionSet) => Partial<LudoState>;
  /** The counted value of a turn, from the positions before and after it and its number of rolls. */
  readonly count: (before: LudoState, after: LudoState, rolls: number) => number;
  /** Its average. */
  readonly mean: (options: OptionSet) => number;
}

const REST = [DONE, DONE, DONE] as const;
const squares = (before: LudoState, after: LudoState): number =>
  walked(after.tokens[0]![0]!) - walked(before.tokens[0]![0]!);
const inYard = ({ tokens }: LudoState): number =>
  tokens[1]!.filter((place) => place === YARD).length;
const sentBack = (before: LudoState, after: LudoState): number => inYard(after) - inYard(before);

const snapshotOf = ({ tokens, hasCaptured }: LudoState): Snapshot => ({ tokens, hasCaptured });

/** The part of a gain that three later sixes do not take back. */
const kept = ({ thirdSixVoidsTurn }: OptionSet, gain: number, lost: number): number =>
  thirdSixVoidsTurn === true ? gain * (1 - lost) : gain;

export const EXPERIMENTS: readonly Experiment[] = [
  {
    // 1, and 1 more after a six, and 1 more after the second.
    what: 'rolls of a turn in which nothing else earns one',
    places: [[2, ...REST], []],
    count: (_, __, rolls) => rolls,
    mean: () => 1 + 1 / 6 + 1 / 36,
  },
  {
    // 5/6 · 3 + 5/36 · (6 + 3) + 5/216 · (12 + 3), and 12 more with 1/216 if they stand.
    what: 'squares that one token walks on an open track',
    places: [[2, ...REST], []],
    count: squares,
    mean: ({ thirdSixVoidsTurn }) => 885 / 216 + (thirdSixVoidsTurn === true ? 0 : 12 * V),
  },
  {
    // Two sixes have brought the token from 2 to 14. 5/6 · 3, and by a third six 12 back or none.
    what: 'squares walked after two sixes',
    places: [[14, ...REST], []],
    rest: ({ thirdSixVoidsTurn }) => ({
      sixes: 2,
      before: thirdSixVoidsTurn === true ? snapshotOf(put([[2, ...REST], []])) : null,
    }),
    count: squares,
    mean: ({ thirdSixVoidsTurn }) => 5 / 2 - (thirdSixVoidsTurn === true ? 12 / 6 : 0),
  },
  {
    // A six first; two more of them take it back.
    what: 'turns by which a seat comes out of the yard',
    places: [[YARD, ...REST], []],
    count: (_, after) => (after.tokens[0]![0] === YARD ? 0 : 1),
    mean: (options) => kept(options, 1 / 6, 1 / 36),
  },
  {
    // A three captures on square 5; the extra roll may begin three sixes.
    what: 'captures three squares ahead',
    places: [[2, ...REST], [31]],
    count: sentBack,
    mean: (options) => kept(options, 1 / 6, V),
  },
  {
    // A six captures on square 9; both of the next two rolls may be sixes.
    what: 'captures six squares ahead',
    places: [[3, ...REST], [35]],
    count: sentBack,
    mean: (options) => kept(options, 1 / 6, 1 / 36),
  },
  {
    // A six and a three, then three sixes. Without the six the token does not get that far.
    what: 'captures nine squares ahead',
    places: [[1, ...REST], [36]],
    count: sentBack,
    mean: (options) => kept(options, 1 / 36, V),
  },
  {
    // A pair on square 6: a four captures both, unless they are a block.
    what: 'tokens captured of a pair four squares ahead',
    places: [
      [2, ...REST],
      [32, 32],
    ],
    count: sentBack,
    mean: (options) => (options.ownPairIsBlock ? 0 : kept(options, 2 / 6, V)),
  },
  {
    // Behind a block a token walks 1, 2 or 3 in any of the turn's rolls, of which there are 43/36.
    what: 'squares walked with a pair four squares ahead on a star',
    places: [
      [4, ...REST],
      [34, 34],
    ],
    count: squares,
    mean: ({ ownPairIsBlock, thirdSixVoidsTurn }) => {
      if (ownPairIsBlock) return ((1 + 2 + 3) / 6) * (43 / 36);
      return 885 / 216 + (thirdSixVoidsTurn === true ? 0 : 12 * V);
    },
  },
  {
    // Seat 1 is on square 13, a start: a two captures if that is allowed.
    what: 'captures on a start square two squares ahead',
    places: [[11, ...REST], [39]],
    count: sentBack,
    mean: (options) => (options.startSquaresSafe ? 0 : kept(options, 1 / 6, V)),
  },
  {
    // On square 0 a token that comes out meets seat 1's; the six and two more take it back.
    what: 'captures on the own start square',
    places: [[YARD, ...REST], [26]],
    count: sentBack,
    mean: (options) => (options.startSquaresSafe ? 0 : kept(options, 1 / 6, 1 / 36)),
  },
  {
    // From square 50 the goal is a six away, and the last token home ends the game: nothing takes
    // it back.
    what: 'games won from the turn-off',
    places: [[50, ...REST], []],
    count: (_, after) => (isDone(after.tokens[0]![0]!) ? 1 : 0),
    mean: ({ captureBeforeHome }) => (captureBeforeHome ? 0 : 1 / 6),
  },
  {
    // The goal is three away: a three in any of the turn's rolls wins; other rolls except a one and
    // a two move nothing. After a one it is two away, but the turn is over. Sixes move nothing
    // either.
    what: 'games won three squares from the goal',
    places: [[HOME + 2, ...REST], []],
    count: (_, after) => (isDone(after.tokens[0]![0]!) ? 1 : 0),
    mean: () => (1 / 6) * (43 / 36),
  },
];

/** Plays turns and compares their average with the calculated one. */
export function playTurns(
  { places, rest, count, mean }: Experiment,
  options: OptionSet,
  turns: number,
  seed: string,
): { readonly average: number; readonly mean: number; readonly errors: number } {
  const random = makeRandom(seed, () => 'odds', 0);
  const before = put(places, options, rest?.(options));
  let sum = 0;
  let squareSum = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    let state = before;
    let rolls = 0;
    do {
      const action = state.die === null ? ({ roll: true } as const) : { token: 0 };
      rolls += 'roll' in action ? 1 : 0;
      state = act(state, action, random).state;
    } while (state.seat === 0 && state.home.length === 0);
    const counted = count(before, state, rolls);
    sum += counted;
    squareSum += counted * counted;
  }
  const average = sum / turns;
  const spread = Math.sqrt(Math.max(squareSum / turns - average * average, 0) / turns);
  const gap = Math.abs(average - mean(options));
  return { average, mean: mean(options), errors: gap < 1e-12 ? 0 : gap / spread };
}
