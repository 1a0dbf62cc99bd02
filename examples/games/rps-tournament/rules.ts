/**
 * Rock, paper, scissors for up to sixteen: everybody throws at the same time against everybody else, the worst of
 * each round are out, and the last one left has won.
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
/** What each sign beats. A seat that threw nothing is beaten by all that did. */
const BEATEN_BY: Readonly<Record<Sign | 'none', readonly string[]>> = {
  rock: ['scissors', 'none'],
  paper: ['rock', 'none'],
  scissors: ['paper', 'none'],
  none: [],
};
/** After the first round, in which players come together, a throw takes no longer. Milliseconds. */
const LATER_ROUND_MS = 15_000;

export type RpsAction = { readonly throw: Sign };

/** What was thrown in a round, by seat; null for a seat that was out. */
type Throws = readonly (Sign | 'none' | null)[];

export type RpsState = {
  /** Draws in a row after which the dice decide. */
  readonly drawsMax: number;
  /** Rounds that are over. */
  readonly round: number;
  /** Draws in a row so far. */
  readonly draws: number;
  /** Of this round. Hidden until all have thrown. */
  readonly throws: Throws;
  /** By seat: a die that was rolled with its throw, seen by nobody unless it decides; 0 before. */
  readonly dice: readonly number[];
  /** The round before, for all to see; the dice are empty where they did not decide. */
  readonly last: { readonly throws: Throws; readonly dice: readonly number[] } | null;
  /** By seat: rounds that it was in for; null while it is in. */
  readonly outAfter: readonly (number | null)[];
  /** Neither throws nor dice told those who are left apart. */
  readonly tied: boolean;
};

const seatsIn = ({ outAfter }: RpsState): readonly Seat[] =>
  outAfter.flatMap((round, seat) => (round === null ? [seat] : []));
const seatsOut = ({ outAfter }: RpsState): readonly Seat[] =>
  outAfter.flatMap((round, seat) => (round === null ? [] : [seat]));
const isOver = (state: RpsState): boolean => state.tied || seatsIn(state).length < 2;

/** How many of the others' throws a throw beats, less those that it is beaten by. */
function pointsOf(throws: Throws, seat: Seat): number {
  const own = throws[seat] ?? 'none';
  const points = throws.map((other) => {
    if (other === null) return 0;
    return Number(BEATEN_BY[own].includes(other)) - Number(BEATEN_BY[other].includes(own));
  });
  return points.reduce<number>((sum, each) => sum + each, 0);
}

/** The seats with the least of some values; none where all have the same. */
function worstOf(seats: readonly Seat[], worth: (seat: Seat) => number): readonly Seat[] {
  const least = Math.min(...seats.map(worth));
  const worst = seats.filter((seat) => worth(seat) === least);
  return worst.length === seats.length ? [] : worst;
}

/** Ends the round once nobody is waited for. Takes no chance, as a seat may be the last by leaving. */
function settle(state: RpsState): Applied<RpsState> {
  const inGame = seatsIn(state);
  if (waitingFor(state.throws, seatsOut(state)).length > 0 || inGame.length < 2) {
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
  return isOver(state) ? [] : waitingFor(state.throws, seatsOut(state));
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
  // Without `showAction` others are told that a seat has thrown, and not what.
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
