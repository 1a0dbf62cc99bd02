/** Small valid games of every kind. Tests of the contract break them. */

import { defineGame, defineTickGame } from '../define-game.ts';
import { ownField } from '../field.ts';
import type { Applied, Game, Seat } from '../game.ts';
import { ranked } from '../outcome.ts';
import type { Random } from '../random.ts';
import { illegalMove, refuseSeat, refuseTurn } from '../refusal.ts';
import { onlyOwn, seatAfter, waitingFor } from '../seats.ts';
import { oneOf, shape } from '../shape.ts';

export type RaceState = {
  readonly goal: number;
  readonly scores: readonly number[];
  /** A hidden card by seat, 0 to 51. */
  readonly hands: readonly number[];
  readonly out: readonly Seat[];
  readonly turn: Seat;
};
export type RaceAction = { readonly stake: number };

function throwDice(
  state: RaceState,
  seat: Seat,
  stake: number,
  random: Random,
): Applied<RaceState> {
  const scored = random.integer(6) * stake;
  const moved: RaceState = {
    ...state,
    scores: state.scores.with(seat, state.scores[seat]! + scored),
    hands: state.hands.with(seat, random.integer(52)),
    turn: seatAfter(seat, state.scores.length, state.out),
  };
  return { state: moved, events: [{ type: 'race.scored', data: { seat, scored } }] };
}

function raceTurn(state: RaceState): Seat | null {
  return state.scores.some((score) => score >= state.goal) ? null : state.turn;
}

/** Turns with dice, hidden cards, a deal, options, missed turns, forfeits and a time limit. */
export const race: Game<RaceState, RaceAction> = {
  id: 'race',
  rulesVersion: 1,
  seats: { min: 2, max: 4, default: 4 },
  variants: ['short', 'long'],
  options: {
    goal: { kind: 'integer', min: 1, max: 40, default: 20 },
    open: { kind: 'boolean', default: false },
    pace: { kind: 'choice', values: ['slow', 'fast', false], default: 'slow' },
  },
  turnTimeoutMs: 20_000,
  drawOffers: false,
  openInformation: false,
  initial: ({ variant, seats, options }) => ({
    goal: Number(options['goal']) * (variant === 'long' ? 2 : 1),
    scores: Array<number>(seats).fill(0),
    hands: Array<number>(seats).fill(0),
    out: [],
    turn: 0,
  }),
  deal: (state, random) => ({
    state: { ...state, hands: state.hands.map(() => random.integer(52)) },
    events: [],
  }),
  turn: raceTurn,
  parseAction(input) {
    const stake = ownField(input, 'stake');
    return typeof stake === 'number' && stake > 0 && stake <= 3 ? { stake } : null;
  },
  legalActions: () => null,
  apply(state, seat, { stake }, random) {
    const refusal = refuseTurn(raceTurn(state), seat);
    if (refusal !== null) return refusal;
    if (stake > state.goal) return illegalMove('The stake is above the goal');
    return throwDice(state, seat, stake, random);
  },
  view: (state, seat) => ({
    scores: state.scores,
    turn: state.turn,
    hand: seat === null ? null : state.hands[seat]!,
  }),
  showAction: (_, __, action) => action,
  imagine: (state, viewer, random) => ({
    ...state,
    hands: state.hands.map((hand, seat) => (seat === viewer ? hand : random.integer(52))),
  }),
  outcome: (state) => (raceTurn(state) === null ? ranked(state.scores, 'goal_reached') : null),
  missTurn: (state, seat, random) =>
    state.scores[seat]! > 10 ? null : throwDice(state, seat, 1, random),
  turnLimitMs: (state, turnTimeoutMs) => Math.ceil(turnTimeoutMs / (1 + state.out.length)),
  forfeit: (state, seat) => {
    const out = [...state.out, seat];
    const { turn } = state;
    return {
      ...state,
      out,
      turn: turn === seat ? seatAfter(seat, state.scores.length, out) : turn,
    };
  },
  timeLimitMs: ({ variant }) => (variant === 'long' ? 60_000 : null),
  timeUp: (state) => ranked(state.scores, 'time_up'),
  makeNotation: (_, { stake }) => `x${stake}`,
  parseNotation(_, text) {
    const stake = Number(text.slice(1));
    return text === `x${stake}` && stake > 0 && stake <= 3 ? { stake } : null;
  },
};

export const raceContract = {
  inputsMax: 1_000,
  gamesPerSetup: 5,
  randomAction: (_: RaceState, random: Random) => ({ stake: (1 + random.integer(8)) / 8 }),
};

const COLOURS = ['red', 'green', 'blue'] as const;
type Colour = (typeof COLOURS)[number];
const ROUNDS = 6;

export type PickState = {
  readonly round: number;
  readonly picks: readonly (Colour | null)[];
  /** By seat: the round in which the seat was eliminated; null before. */
  readonly outIn: readonly (number | null)[];
};
export type PickAction = { readonly colour: Colour };

const outOf = ({ outIn }: PickState): readonly Seat[] =>
  outIn.flatMap((round, seat) => (round === null ? [] : [seat]));

/** Ends the round once all have picked. The first colour that was picked loses, unless all picked it. */
function settle(state: PickState): PickState {
  const { picks, outIn, round } = state;
  const inGame = outIn.flatMap((out, seat) => (out === null ? [seat] : []));
  if (waitingFor(picks, outOf(state)).length > 0 || inGame.length < 2) return state;
  const worst = COLOURS.find((colour) => inGame.some((seat) => picks[seat] === colour));
  const isSpared = inGame.every((seat) => picks[seat] === worst);
  return {
    round: round + 1,
    picks: picks.map(() => null),
    outIn: outIn.map((out, seat) =>
      out === null && !isSpared && picks[seat] === worst ? round : out,
    ),
  };
}

const isPickOver = (state: PickState): boolean =>
  state.round >= ROUNDS || outOf(state).length >= state.outIn.length - 1;

/** Up to sixteen seats pick a hidden colour at the same time; losers are eliminated. */
export const pick = defineGame<PickState, PickAction>({
  id: 'pick',
  seats: { min: 2, max: 16, default: 3 },
  openInformation: false,
  action: shape({ colour: oneOf(...COLOURS) }),
  notation: ({ colour }) => colour,
  initial: ({ seats }) => ({
    round: 0,
    picks: Array<null>(seats).fill(null),
    outIn: Array<null>(seats).fill(null),
  }),
  acting: (state) => (isPickOver(state) ? [] : waitingFor(state.picks, outOf(state))),
  legalActions: (state) => (isPickOver(state) ? [] : COLOURS.map((colour) => ({ colour }))),
  apply(state, seat, { colour }) {
    const refusal = refuseSeat(pick.acting!(state), seat);
    if (refusal !== null) return refusal;
    return { state: settle({ ...state, picks: state.picks.with(seat, colour) }), events: [] };
  },
  view: (state, viewer) => ({
    round: state.round,
    outIn: state.outIn,
    picked: state.picks.map((colour) => colour !== null),
    own: onlyOwn(state.picks, viewer),
  }),
  imagine: (state, viewer, random) => ({
    ...state,
    picks: state.picks.map((colour, seat) =>
      colour === null || seat === viewer ? colour : COLOURS[random.integer(COLOURS.length)]!,
    ),
  }),
  outcome: (state) =>
    isPickOver(state)
      ? ranked(
          state.outIn.map((round) => round ?? ROUNDS),
          'last_left',
        )
      : null,
  isOut: (state, seat) => state.outIn[seat] !== null,
  forfeit: (state, seat) =>
    state.outIn[seat] === null
      ? settle({ ...state, outIn: state.outIn.with(seat, state.round) })
      : state,
});

type ClockState = { readonly tick: number; readonly held: readonly number[] };
const TICKS = 40;

/** A tick game: counts the ticks in which each seat holds a key. */
export const clock = defineTickGame<ClockState>({
  id: 'clock',
  seats: 2,
  initial: ({ seats }) => ({ tick: 0, held: Array<number>(seats).fill(0) }),
  outcome: ({ tick, held }) => (tick >= TICKS ? ranked(held, 'time_up') : null),
  ticks: {
    ticksPerSecond: 20,
    maskMax: 1,
    tickOf: ({ tick }) => tick,
    step: (state, masks) =>
      state.tick >= TICKS
        ? state
        : { tick: state.tick + 1, held: state.held.map((count, seat) => count + masks[seat]!) },
  },
});
