/**
 * A test game with everything that turn-based games lack: a deal, sealed bids of all seats at once,
 * elimination, scores.
 */

import { ownField } from '../../../game/src/field.ts';
import type { Applied, Game, Json, Outcome, Refusal, Seat } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { illegalMove } from '../../../game/src/refusal.ts';

export type SealedBidsState = {
  /** 0 is the first; the game ends after `ROUNDS`. */
  readonly round: number;
  /** By seat: the value of a round for it. Each seat sees only its own. */
  readonly values: readonly number[];
  /** By seat: the bid of this round, hidden until all have bid; null before it. */
  readonly bids: readonly (number | null)[];
  /** By seat: the public bids of the previous round. Empty at first. */
  readonly shown: readonly number[];
  readonly scores: readonly number[];
  /** Seats that bid no more: eliminated, or departed. */
  readonly out: readonly Seat[];
};

export type SealedBidsAction = { readonly bid: number };

const ROUNDS = 4;
const VALUE_MAX = 9;
const BIDS: readonly SealedBidsAction[] = [{ bid: 0 }, { bid: 1 }, { bid: 2 }, { bid: 3 }];
/** Later rounds are faster. */
const LATER_PART = 0.5;

function isOver({ round, out, scores }: SealedBidsState): boolean {
  return round >= ROUNDS || scores.length - out.length < 2;
}

function acting(state: SealedBidsState): readonly Seat[] {
  if (isOver(state)) return [];
  return [...state.bids.keys()].filter(
    (seat) => state.bids[seat] === null && !state.out.includes(seat),
  );
}

/** The round is over once all have bid: the highest bid scores its value, and the lowest score is eliminated. */
function settle(state: SealedBidsState): SealedBidsState {
  if (isOver(state) || acting(state).length > 0) return state;
  const bids = state.bids.map((bid) => bid ?? 0);
  const inPlay = [...bids.keys()].filter((seat) => !state.out.includes(seat));
  const highest = Math.max(...inPlay.map((seat) => bids[seat]!));
  const scores = state.scores.map((score, seat) => {
    const isPaid = inPlay.includes(seat) && bids[seat] === highest;
    return isPaid ? score + state.values[seat]! - highest : score;
  });
  const lowest = inPlay.toSorted((a, b) => scores[a]! - scores[b]! || b - a)[0]!;
  return {
    ...state,
    round: state.round + 1,
    bids: state.bids.map(() => null),
    shown: bids,
    scores,
    out: inPlay.length > 2 ? [...state.out, lowest] : state.out,
  };
}

function withBid(state: SealedBidsState, seat: Seat, bid: number): SealedBidsState {
  return settle({ ...state, bids: state.bids.map((each, at) => (at === seat ? bid : each)) });
}

function deal(state: SealedBidsState, random: Random): Applied<SealedBidsState> {
  const values = state.values.map(() => random.integer(VALUE_MAX + 1));
  return { state: { ...state, values }, events: [] };
}

function apply(
  state: SealedBidsState,
  seat: Seat,
  { bid }: SealedBidsAction,
): Applied<SealedBidsState> | Refusal {
  if (isOver(state)) return illegalMove('The game is over');
  if (!acting(state).includes(seat)) {
    return { code: 'not_your_turn', error: `Seat ${seat} has bid already` };
  }
  return { state: withBid(state, seat, bid), events: [] };
}

function view({ values, bids, ...open }: SealedBidsState, seat: Seat | null): Json {
  return {
    ...open,
    hasBid: bids.map((bid) => bid !== null),
    value: seat === null ? null : values[seat]!,
    bid: seat === null ? null : bids[seat]!,
  };
}

/** Draws again what `viewer` cannot see. */
function imagine(state: SealedBidsState, viewer: Seat | null, random: Random): SealedBidsState {
  return {
    ...state,
    values: state.values.map((value, seat) =>
      seat === viewer ? value : random.integer(VALUE_MAX + 1),
    ),
    bids: state.bids.map((bid, seat) =>
      bid === null || seat === viewer ? bid : random.integer(BIDS.length),
    ),
  };
}

function outcome(state: SealedBidsState): Outcome | null {
  if (!isOver(state)) return null;
  const { scores, out } = state;
  // A seat eliminated later is placed higher; the remaining ones by their scores.
  const rank = (seat: Seat): number => {
    const at = out.indexOf(seat);
    return at === -1 ? out.length + scores[seat]! + scores.length * 100 : at;
  };
  const places = scores.map(
    (_, seat) => 1 + [...scores.keys()].filter((each) => rank(each) > rank(seat)).length,
  );
  const winners = [...places.keys()].filter((seat) => places[seat] === 1);
  const isDrawn = winners.length === scores.length;
  return { winners: isDrawn ? [] : winners, places, reason: 'rounds_played', detail: {}, scores };
}

export const sealedBids: Game<SealedBidsState, SealedBidsAction> = {
  id: 'ludo',
  rulesVersion: 1,
  seats: { min: 2, max: 16, default: 4 },
  variants: ['standard'],
  options: {},
  turnTimeoutMs: 20_000,
  drawOffers: false,
  openInformation: false,
  initial: ({ seats }) => ({
    round: 0,
    values: Array.from({ length: seats }, () => 0),
    bids: Array.from({ length: seats }, () => null),
    shown: [],
    scores: Array.from({ length: seats }, () => 0),
    out: [],
  }),
  deal,
  turn: () => null,
  acting,
  parseAction(input) {
    const bid = ownField(input, 'bid');
    return typeof bid === 'number' ? (BIDS[bid] ?? null) : null;
  },
  legalActions: (state, seat) => (seat !== undefined && acting(state).includes(seat) ? BIDS : []),
  apply,
  view,
  imagine,
  outcome,
  missTurn: (state, seat) => ({ state: withBid(state, seat, 0), events: [] }),
  turnLimitMs: ({ round }, turnTimeoutMs) =>
    round === 0 ? turnTimeoutMs : turnTimeoutMs * LATER_PART,
  forfeit: (state, seat) =>
    state.out.includes(seat) ? state : settle({ ...state, out: [...state.out, seat] }),
  isOut: ({ out }, seat) => out.includes(seat),
  makeNotation: (_, { bid }) => `${bid}`,
  parseNotation: (_, text) => BIDS.find(({ bid }) => `${bid}` === text) ?? null,
};
