/**
 * Rock, paper, scissors for up to sixteen players: all throw at the same time against all others, the worst of each
 * round are eliminated, and the last player wins.
 */

import {
  type Applied,
  defineGame,
  oneOf,
  onlyOwn,
  type Random,
  ranked,
  refuseSeat,
  rollDice,
  type Seat,
  shape,
  waitingFor,
} from '@matchd/game';

const SIGNS = ['rock', 'paper', 'scissors'] as const;
type Sign = (typeof SIGNS)[number];
/** The signs that each sign beats. A missed throw loses to every sign. */
const BEATS: Readonly<Record<Sign | 'none', readonly string[]>> = {
  rock: ['scissors', 'none'],
  paper: ['rock', 'none'],
  scissors: ['paper', 'none'],
  none: [],
};
/** Time limit of a throw after the first round. Milliseconds. */
const LATER_ROUND_MS = 15_000;

export type RpsAction = { readonly throw: Sign };

/** Throws by seat; null before the throw and for eliminated seats. */
type Throws = readonly (Sign | 'none' | null)[];

export type RpsState = {
  /** After this many successive drawn rounds dice decide. */
  readonly drawsMax: number;
  /** Number of finished rounds. */
  readonly round: number;
  /** Successive drawn rounds. */
  readonly draws: number;
  /** Throws of the current round, hidden until all seats have thrown. */
  readonly throws: Throws;
  /** A die by seat, rolled with the throw and hidden unless dice decide; 0 before the throw. */
  readonly dice: readonly number[];
  /** The previous round, public. `dice` is empty if dice did not decide. */
  readonly last: { readonly throws: Throws; readonly dice: readonly number[] } | null;
  /** Finished rounds at elimination by seat; null while the seat plays. */
  readonly outAfter: readonly (number | null)[];
  /** Did the dice of all remaining seats tie? */
  readonly tied: boolean;
};

const remaining = ({ outAfter }: RpsState): readonly Seat[] =>
  outAfter.flatMap((round, seat) => (round === null ? [seat] : []));
const eliminated = ({ outAfter }: RpsState): readonly Seat[] =>
  outAfter.flatMap((round, seat) => (round === null ? [] : [seat]));
const isOver = (state: RpsState): boolean => state.tied || remaining(state).length < 2;

/** The number of throws that a seat's throw beats, minus the number that beat it. */
function pointsOf(throws: Throws, seat: Seat): number {
  const own = throws[seat] ?? 'none';
  const points = throws.map((other) => {
    if (other === null) return 0;
    return Number(BEATS[own].includes(other)) - Number(BEATS[other].includes(own));
  });
  return points.reduce<number>((sum, each) => sum + each, 0);
}

/** The seats with the lowest value; none if all values are equal. */
function worstOf(seats: readonly Seat[], worth: (seat: Seat) => number): readonly Seat[] {
  const least = Math.min(...seats.map(worth));
  const worst = seats.filter((seat) => worth(seat) === least);
  return worst.length === seats.length ? [] : worst;
}

/** Ends the round once all seats have thrown. Draws no random numbers, because a forfeit may end a round. */
function settle(state: RpsState): Applied<RpsState> {
  const inGame = remaining(state);
  if (waitingFor(state.throws, eliminated(state)).length > 0 || inGame.length < 2) {
    return { state, events: [] };
  }
  const { throws, dice, round, drawsMax } = state;
  const beaten = worstOf(inGame, (seat) => pointsOf(throws, seat));
  const draws = beaten.length > 0 ? 0 : state.draws + 1;
  const isDecidedByDice = draws >= drawsMax;
  const worst = isDecidedByDice ? worstOf(inGame, (seat) => dice[seat]!) : beaten;
  const next: RpsState = {
    drawsMax,
    round: round + 1,
    draws: isDecidedByDice ? 0 : draws,
    throws: throws.map(() => null),
    dice: dice.map(() => 0),
    last: { throws, dice: isDecidedByDice ? dice : [] },
    outAfter: state.outAfter.map((after, seat) => (worst.includes(seat) ? round + 1 : after)),
    tied: isDecidedByDice && worst.length === 0,
  };
  const data = { round: round + 1, out: worst };
  return { state: next, events: [{ type: 'rps-tournament.round_ended', data }] };
}

function throwSign(
  state: RpsState,
  seat: Seat,
  sign: Sign | 'none',
  random: Random,
): Applied<RpsState> {
  const [die] = rollDice(1, 6, random);
  return settle({
    ...state,
    throws: state.throws.with(seat, sign),
    dice: state.dice.with(seat, die!),
  });
}

function acting(state: RpsState): readonly Seat[] {
  return isOver(state) ? [] : waitingFor(state.throws, eliminated(state));
}

export const game = defineGame<RpsState, RpsAction>({
  id: 'rps-tournament',
  seats: { min: 2, max: 16, default: 4 },
  options: { drawsMax: { kind: 'integer', min: 1, max: 5, default: 3 } },
  openInformation: false,
  action: shape({ throw: oneOf(...SIGNS) }),
  notation: (action) => action.throw,
  initial: ({ seats, options }) => ({
    drawsMax: Number(options['drawsMax']),
    round: 0,
    draws: 0,
    throws: Array(seats).fill(null),
    dice: Array(seats).fill(0),
    last: null,
    outAfter: Array(seats).fill(null),
    tied: false,
  }),
  acting,
  legalActions: (state) => (isOver(state) ? [] : SIGNS.map((sign) => ({ throw: sign }))),
  apply: (state, seat, action, random) =>
    refuseSeat(acting(state), seat) ?? throwSign(state, seat, action.throw, random),
  // Without `showAction` others see that a seat has thrown, but not its sign.
  view: ({ throws, dice: _, ...open }, viewer) => ({
    ...open,
    throws: onlyOwn(throws, viewer),
    hasThrown: throws.map((sign) => sign !== null),
  }),
  imagine: (state, viewer, random) => ({
    ...state,
    throws: state.throws.map((sign, seat) =>
      sign === null || seat === viewer ? sign : SIGNS[random.integer(SIGNS.length)]!,
    ),
    dice: state.dice.map((die) => (die === 0 ? 0 : 1 + random.integer(6))),
  }),
  outcome: (state) => {
    if (!isOver(state)) return null;
    const rounds = state.outAfter.map((after) => after ?? state.round + 1);
    return ranked(rounds, state.tied ? 'tied' : 'last_left');
  },
  turnLimitMs: ({ round }, turnTimeoutMs) =>
    round === 0 ? turnTimeoutMs : Math.min(turnTimeoutMs, LATER_ROUND_MS),
  missTurn: (state, seat, random) => throwSign(state, seat, 'none', random),
  isOut: (state, seat) => state.outAfter[seat] !== null,
  forfeit(state, seat) {
    if (state.outAfter[seat] !== null) return state;
    const throws = state.throws.with(seat, null);
    return settle({ ...state, throws, outAfter: state.outAfter.with(seat, state.round) }).state;
  },
});
