/**
 * Crazy eights: match the suit or the rank, eights are wild, and the first player without cards scores the others'
 * cards. The stock is unordered: each draw picks a random card, so no state contains the next card.
 */

import type { ActionOf, Applied, Outcome, Random, Seat } from '@matchd/game';
import {
  defineGame,
  flag,
  listOf,
  oneOf,
  onlyOwn,
  optional,
  ranked,
  refuseTurn,
  refuseUnlisted,
  seatAfter,
  shape,
  shuffle,
  wholeNumber,
} from '@matchd/game';

const SUITS = ['clubs', 'diamonds', 'hearts', 'spades'] as const;
type Suit = (typeof SUITS)[number];
const RANKS = 13;
const EIGHT = 7;
/** A card is 13 times its suit plus its rank, 0 for an ace. */
type Cards = readonly number[];
const PACK = Array.from({ length: SUITS.length * RANKS }, (_, card) => card);
const DRAWS_A_TURN_MAX = 3;
const MISSES_IN_A_ROW_MAX = 3;

const fields = {
  /** Cards to play: the first has to match, the others have its rank, the last lies on top. */
  play: optional(listOf(wholeNumber(0, PACK.length - 1), { min: 1, max: SUITS.length })),
  /** With an eight: the next suit. */
  suit: optional(oneOf(...SUITS)),
  draw: optional(flag()),
  pass: optional(flag()),
};
export type EightsAction = ActionOf<typeof fields>;

export type EightsState = {
  /** Number of rounds of the game. */
  readonly rounds: number;
  /** Cards by seat, ascending. */
  readonly hands: readonly Cards[];
  /** Cards face down. Ascending, so that their order means nothing. */
  readonly stock: Cards;
  /** Cards face up, the last on top. */
  readonly discards: Cards;
  /** The suit to match: of the top card, or named with an eight. */
  readonly suit: Suit;
  /** The seat to move, null after the end. */
  readonly turn: Seat | null;
  /** Cards drawn in this turn. */
  readonly drawn: number;
  /** Successive turns without a played card. */
  readonly passes: number;
  /** The current round, from 1. */
  readonly round: number;
  /** Points by seat. */
  readonly scores: readonly number[];
  /** Successive missed turns by seat. */
  readonly misses: readonly number[];
  /** Seats that have forfeited. */
  readonly out: readonly Seat[];
};

const rankOf = (card: number): number => card % RANKS;
const suitOf = (card: number): Suit => SUITS[Math.floor(card / RANKS)]!;
const ascending = (cards: Cards): Cards => cards.toSorted((a, b) => a - b);
const without = (cards: Cards, gone: Cards): Cards => cards.filter((card) => !gone.includes(card));

/** Eights count 50, face cards 10, other cards their rank. */
function pointsOf(hand: Cards): number {
  const worth = (rank: number): number => (rank === EIGHT ? 50 : Math.min(10, rank + 1));
  return hand.reduce((sum, card) => sum + worth(rankOf(card)), 0);
}

/** Deals the next round. Seats start rounds in turn. The first card that is not an eight is turned up. */
function deal(state: EightsState, random: Random): EightsState {
  const { hands, out, round } = state;
  const size = hands.length === 2 ? 7 : 5;
  const pack = shuffle(PACK, random);
  const dealt = hands.map((_, seat) =>
    out.includes(seat) ? [] : ascending(pack.slice(seat * size, (seat + 1) * size)),
  );
  const left = without(pack, dealt.flat());
  const top = left.find((card) => rankOf(card) !== EIGHT)!;
  return {
    ...state,
    hands: dealt,
    stock: ascending(without(left, [top])),
    discards: [top],
    suit: suitOf(top),
    turn: seatAfter((round + hands.length - 1) % hands.length, hands.length, out),
    drawn: 0,
    passes: 0,
    round: round + 1,
  };
}

/** The cards that can be drawn: the stock or, if it is empty, the discards below the top card. */
function drawPile({ stock, discards }: EightsState): Cards {
  return stock.length > 0 ? stock : ascending(discards.slice(0, -1));
}

/**
 * A card has to match the suit or the rank. All other cards of its rank may go with it. An eight matches everything
 * and names a suit.
 */
function playsOf({ hands, discards, suit }: EightsState, seat: Seat): readonly EightsAction[] {
  const top = discards.at(-1)!;
  return hands[seat]!.flatMap((card) => {
    const rank = rankOf(card);
    const others = hands[seat]!.filter((each) => each !== card && rankOf(each) === rank);
    const plays = others.length > 0 ? [[card], [card, ...others]] : [[card]];
    if (rank === EIGHT)
      return plays.flatMap((play) => SUITS.map((named) => ({ play, suit: named })));
    return suitOf(card) === suit || rank === rankOf(top) ? plays.map((play) => ({ play })) : [];
  });
}

/** A seat may draw even if it can play. It may pass if it cannot draw. */
function legalActions(state: EightsState): readonly EightsAction[] {
  if (state.turn === null) return [];
  const mayDraw = state.drawn < DRAWS_A_TURN_MAX && drawPile(state).length > 0;
  return [...playsOf(state, state.turn), mayDraw ? { draw: true } : { pass: true }];
}

function draw(state: EightsState, seat: Seat, random: Random): EightsState {
  const pile = drawPile(state);
  if (pile.length === 0) return state;
  const card = pile[random.integer(pile.length)]!;
  const hands = state.hands.with(seat, ascending([...state.hands[seat]!, card]));
  const discards = state.stock.length > 0 ? state.discards : state.discards.slice(-1);
  return { ...state, hands, stock: without(pile, [card]), discards, drawn: state.drawn + 1 };
}

/** Plays the action's cards; without cards the seat passes. */
function play(state: EightsState, seat: Seat, action: EightsAction): EightsState {
  const { play: cards = [], suit } = action;
  if (cards.length === 0) return { ...state, passes: state.passes + 1 };
  const hands = state.hands.with(seat, without(state.hands[seat]!, cards));
  const discards = [...state.discards, ...cards];
  return { ...state, hands, discards, suit: suit ?? suitOf(cards.at(-1)!), passes: 0 };
}

/** The seat with an empty hand scores all cards of the others. In a blocked round there is none. */
function endRound(state: EightsState, random: Random): Applied<EightsState> {
  const { hands, out, round, rounds } = state;
  const gained = hands.map((hand, seat) =>
    hand.length === 0 && !out.includes(seat) ? pointsOf(hands.flat()) : 0,
  );
  const scores = state.scores.map((score, seat) => score + gained[seat]!);
  const events = [{ type: 'crazy-eights.round_ended', data: { round, gained } }];
  const ended = { ...state, scores, turn: null };
  return { state: round === rounds ? ended : deal(ended, random), events };
}

/** Passes the turn, or ends the round if the hand is empty or all seats have passed. */
function endTurn(state: EightsState, seat: Seat, random: Random): Applied<EightsState> {
  const { hands, out, passes } = state;
  const isBlocked = passes >= hands.length - out.length;
  if (isBlocked || hands[seat]!.length === 0) return endRound(state, random);
  return { state: { ...state, turn: seatAfter(seat, hands.length, out), drawn: 0 }, events: [] };
}

/** A missed turn draws a card and ends. */
function missTurn(state: EightsState, seat: Seat, random: Random): Applied<EightsState> {
  const drawn = state.drawn === 0 ? draw(state, seat, random) : state;
  const misses = state.misses.with(seat, state.misses[seat]! + 1);
  return endTurn({ ...drawn, misses, passes: state.passes + 1 }, seat, random);
}

/** The hand returns to the stock. No shuffle is needed, as the stock is unordered. */
function forfeit(state: EightsState, seat: Seat): EightsState {
  const { hands, turn } = state;
  const out = [...state.out, seat];
  const stock = ascending([...state.stock, ...hands[seat]!]);
  const left = { ...state, out, stock, hands: hands.with(seat, []), passes: 0 };
  if (out.length >= hands.length - 1) return { ...left, turn: null };
  return turn === seat ? { ...left, turn: seatAfter(seat, hands.length, out), drawn: 0 } : left;
}

/** Places by score. Seats that forfeited are last. */
function outcome({ turn, scores, out }: EightsState): Outcome | null {
  if (turn !== null) return null;
  const ranks = scores.map((score, seat) => (out.includes(seat) ? -1 : score));
  const reason = out.length >= scores.length - 1 ? 'last_left' : 'rounds_over';
  return { ...ranked(ranks, reason), scores };
}

/** Deals the cards that the viewer cannot see again, as many to each hand as it has. */
function imagine(state: EightsState, viewer: Seat | null, random: Random): EightsState {
  const hidden = state.hands.flatMap((hand, seat) => (seat === viewer ? [] : hand));
  const unseen = [...shuffle([...state.stock, ...hidden], random)];
  const hands = state.hands.map((hand, seat) =>
    seat === viewer ? hand : ascending(unseen.splice(0, hand.length)),
  );
  return { ...state, hands, stock: ascending(unseen) };
}

export const game = defineGame<EightsState, EightsAction>({
  id: 'crazy-eights',
  seats: { min: 2, max: 6, default: 4 },
  options: { rounds: { kind: 'integer', min: 1, max: 10, default: 3 } },
  turnTimeoutMs: 30_000,
  openInformation: false,
  action: shape(fields),
  initial: ({ seats, options }) => ({
    rounds: Number(options['rounds']),
    hands: Array(seats).fill([]),
    stock: PACK,
    discards: [],
    suit: 'clubs',
    turn: 0,
    drawn: 0,
    passes: 0,
    round: 0,
    scores: Array(seats).fill(0),
    misses: Array(seats).fill(0),
    out: [],
  }),
  deal: (state, random) => ({ state: deal(state, random), events: [] }),
  turn: ({ turn }) => turn,
  legalActions,
  apply(before, seat, action, random) {
    const refusal = refuseTurn(before.turn, seat) ?? refuseUnlisted(legalActions(before), action);
    if (refusal !== null) return refusal;
    const state = { ...before, misses: before.misses.with(seat, 0) };
    if (action.draw) return { state: draw(state, seat, random), events: [] };
    return endTurn(play(state, seat, action), seat, random);
  },
  view: ({ hands, stock, ...open }, viewer) => ({
    ...open,
    hands: onlyOwn(hands, viewer),
    counts: hands.map((hand) => hand.length),
    stock: stock.length,
  }),
  // Played cards are public. A draw is public, too, but not its card.
  showAction: (_, __, action) => action,
  imagine,
  outcome,
  missTurn,
  hasMissedOut: ({ misses }, seat) => misses[seat]! >= MISSES_IN_A_ROW_MAX,
  forfeit,
});
