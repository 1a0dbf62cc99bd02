/** Small games of the kinds that a search must handle: chance, hidden cards, and simultaneous actions. */

import { defineGame } from '../define-game.ts';
import type { Game, Seat } from '../game.ts';
import { ranked, wonBy } from '../outcome.ts';
import type { Random } from '../random.ts';
import { illegalMove, refuseSeat, refuseTurn } from '../refusal.ts';
import { onlyOwn, seatAfter, waitingFor } from '../seats.ts';
import { oneOf, shape } from '../shape.ts';

// ── rock, paper, scissors ──────────────────────────────────────────────────────────────────────

export const HANDS = ['rock', 'paper', 'scissors'] as const;
export type Hand = (typeof HANDS)[number];
export type HandAction = { readonly hand: Hand };
export type HandState = {
  /** By seat: what it has chosen in this round. */
  readonly chosen: readonly (Hand | null)[];
  /** Rounds won, by seat. */
  readonly won: readonly number[];
  /** Rounds to play, this one included. */
  readonly left: number;
};

function isBeaten(hand: Hand, other: Hand): boolean {
  return (HANDS.indexOf(other) - HANDS.indexOf(hand) + HANDS.length) % HANDS.length === 1;
}

function settleRound(state: HandState): HandState {
  const [one, other] = state.chosen;
  if (one == null || other == null) return state;
  const [first, second] = state.won as [number, number];
  const won = [first + Number(isBeaten(other, one)), second + Number(isBeaten(one, other))];
  return { chosen: [null, null], won, left: state.left - 1 };
}

/** Both seats act at the same time without seeing each other's choice. */
export const rockPaperScissors: Game<HandState, HandAction> = defineGame<HandState, HandAction>({
  id: 'rock-paper-scissors',
  seats: 2,
  options: { rounds: { kind: 'integer', min: 1, max: 9, default: 1 } },
  openInformation: false,
  action: shape({ hand: oneOf(...HANDS) }),
  notation: ({ hand }) => hand,
  initial: ({ options }) => ({
    chosen: [null, null],
    won: [0, 0],
    left: Number(options['rounds']),
  }),
  acting: ({ chosen, left }) => (left === 0 ? [] : waitingFor(chosen)),
  legalActions: ({ left }) => (left === 0 ? [] : HANDS.map((hand) => ({ hand }))),
  apply(state, seat, { hand }) {
    const refusal = refuseSeat(rockPaperScissors.acting!(state), seat);
    if (refusal !== null) return refusal;
    return { state: settleRound({ ...state, chosen: state.chosen.with(seat, hand) }), events: [] };
  },
  view: ({ chosen, won, left }, viewer) => ({
    hasChosen: chosen.map((hand) => hand !== null),
    own: onlyOwn(chosen, viewer),
    won,
    left,
  }),
  imagine: (state, viewer, random) => ({
    ...state,
    chosen: state.chosen.map((hand, seat) =>
      hand === null || seat === viewer ? hand : HANDS[random.integer(HANDS.length)]!,
    ),
  }),
  outcome: ({ won, left }) => (left === 0 ? ranked(won, 'more_rounds') : null),
});

// ── hide and seek ──────────────────────────────────────────────────────────────────────────────

const SPOTS = ['open', 'dark'] as const;
export type Spot = (typeof SPOTS)[number];
export type SpotAction = { readonly spot: Spot };
export type SpotState = {
  /** Where seat 0 hides and seat 1 seeks. */
  readonly chosen: readonly (Spot | null)[];
  readonly winner: Seat | null;
};

/**
 * A seat hiding in the dark is found there every other time: the best strategy of both is the open
 * a third of the time.
 */
export const hideAndSeek: Game<SpotState, SpotAction> = defineGame<SpotState, SpotAction>({
  id: 'hide-and-seek',
  seats: 2,
  openInformation: false,
  action: shape({ spot: oneOf(...SPOTS) }),
  notation: ({ spot }) => spot,
  initial: () => ({ chosen: [null, null], winner: null }),
  acting: ({ chosen }) => waitingFor(chosen),
  legalActions: ({ winner }) => (winner === null ? SPOTS.map((spot) => ({ spot })) : []),
  apply(state, seat, { spot }, random) {
    const refusal = refuseSeat(waitingFor(state.chosen), seat);
    if (refusal !== null) return refusal;
    const chosen = state.chosen.with(seat, spot);
    if (chosen.includes(null)) return { state: { chosen, winner: null }, events: [] };
    const isFound = chosen[0] === chosen[1] && (spot === 'open' || random.integer(2) === 0);
    return { state: { chosen, winner: isFound ? 1 : 0 }, events: [] };
  },
  view: ({ chosen, winner }, viewer) => ({
    hasChosen: chosen.map((spot) => spot !== null),
    chosen: winner === null ? onlyOwn(chosen, viewer) : chosen,
    winner,
  }),
  imagine: (state, viewer, random) =>
    state.winner !== null
      ? state
      : {
          ...state,
          chosen: state.chosen.map((spot, seat) =>
            spot === null || seat === viewer ? spot : SPOTS[random.integer(SPOTS.length)]!,
          ),
        },
  outcome: ({ winner }) => (winner === null ? null : wonBy(winner, 'round_over', {})),
});

// ── three-card poker ───────────────────────────────────────────────────────────────────────────

const MOVES = ['check', 'bet', 'fold', 'call'] as const;
export type PokerMove = (typeof MOVES)[number];
export type PokerAction = { readonly move: PokerMove };
export type PokerState = {
  /** The card of each seat, 0 to 2; the higher wins. */
  readonly cards: readonly number[];
  /** Of this hand, in turn. Seat `left` modulo 2 begins. */
  readonly moves: readonly PokerMove[];
  readonly chips: readonly number[];
  /** Hands to play, this one included. */
  readonly left: number;
};

const CARDS = 3;

/** A card that is not the other seat's. */
function drawCard(other: number, random: Random): number {
  return (other + 1 + random.integer(CARDS - 1)) % CARDS;
}

function dealCards(random: Random): readonly number[] {
  const first = random.integer(CARDS);
  return [first, drawCard(first, random)];
}

function pokerTurn({ moves, left }: PokerState): Seat | null {
  return left === 0 ? null : (left + moves.length) % 2;
}

function pokerMoves({ moves, left }: PokerState): readonly PokerMove[] {
  if (left === 0) return [];
  return moves.at(-1) === 'bet' ? ['fold', 'call'] : ['check', 'bet'];
}

/** Seat 0's gain in a hand; null while the hand continues. */
function gainOf({ cards, moves, left }: PokerState): number | null {
  const better = cards[0]! > cards[1]! ? 1 : -1;
  switch (moves.at(-1)) {
    case 'call':
      return 2 * better;
    case 'fold':
      return (left + moves.length - 1) % 2 === 0 ? -1 : 1;
    case 'check':
      return moves.length === 2 ? better : null;
    default:
      return null;
  }
}

/**
 * H. W. Kuhn, "A simplified two-person poker" (1950): a card for each seat, one bet. After some
 * hands the seat with more chips wins.
 */
export const threeCardPoker = defineGame<PokerState, PokerAction>({
  id: 'three-card-poker',
  seats: 2,
  options: { hands: { kind: 'integer', min: 1, max: 20, default: 6 } },
  openInformation: false,
  action: shape({ move: oneOf(...MOVES) }),
  notation: ({ move }) => move,
  initial: ({ options }) => ({
    cards: [0, 0],
    moves: [],
    chips: [0, 0],
    left: Number(options['hands']),
  }),
  deal: (state, random) => ({ state: { ...state, cards: dealCards(random) }, events: [] }),
  turn: pokerTurn,
  legalActions: (state) => pokerMoves(state).map((move) => ({ move })),
  apply(state, seat, { move }, random) {
    const refusal = refuseTurn(pokerTurn(state), seat);
    if (refusal !== null) return refusal;
    if (!pokerMoves(state).includes(move)) return illegalMove(`You cannot ${move} now`);
    const played = { ...state, moves: [...state.moves, move] };
    const gain = gainOf(played);
    if (gain === null) return { state: played, events: [] };
    const chips = [state.chips[0]! + gain, state.chips[1]! - gain];
    return {
      state: { cards: dealCards(random), moves: [], chips, left: state.left - 1 },
      events: [],
    };
  },
  view: ({ cards, ...open }, viewer) => ({ ...open, cards: onlyOwn(cards, viewer) }),
  showAction: (_state, _seat, action) => action,
  imagine(state, viewer, random) {
    if (viewer === null) return { ...state, cards: dealCards(random) };
    const other = 1 - viewer;
    return { ...state, cards: state.cards.with(other, drawCard(state.cards[viewer]!, random)) };
  },
  outcome: ({ chips, left }) => (left === 0 ? ranked(chips, 'more_chips') : null),
});

// ── pig ────────────────────────────────────────────────────────────────────────────────────────

export type PigAction = { readonly move: 'roll' | 'hold' };
export type PigState = {
  readonly goal: number;
  readonly scores: readonly number[];
  /** The turn's total, which a 1 loses. */
  readonly atStake: number;
  readonly turn: Seat;
};

const PIG_ACTIONS: readonly PigAction[] = [{ move: 'roll' }, { move: 'hold' }];

function pigWinner({ scores, goal }: PigState): Seat | null {
  const winner = scores.findIndex((score) => score >= goal);
  return winner === -1 ? null : winner;
}

function pass(state: PigState, gained: number): PigState {
  const { turn, scores } = state;
  return {
    ...state,
    scores: scores.with(turn, scores[turn]! + gained),
    atStake: 0,
    turn: seatAfter(turn, scores.length),
  };
}

/** J. Scarne's dice game: a seat rolls as often as it likes, and loses its turn's points by a 1. */
export const pig = defineGame<PigState, PigAction>({
  id: 'pig',
  seats: 2,
  options: { goal: { kind: 'integer', min: 10, max: 100, default: 30 } },
  action: shape({ move: oneOf('roll', 'hold') }),
  notation: ({ move }) => move,
  initial: ({ options }) => ({
    goal: Number(options['goal']),
    scores: [0, 0],
    atStake: 0,
    turn: 0,
  }),
  turn: (state) => (pigWinner(state) === null ? state.turn : null),
  legalActions: (state) => (pigWinner(state) === null ? PIG_ACTIONS : []),
  apply(state, seat, { move }, random) {
    const refusal = refuseTurn(pig.turn(state), seat);
    if (refusal !== null) return refusal;
    if (move === 'hold') return { state: pass(state, state.atStake), events: [] };
    const die = 1 + random.integer(6);
    const rolled = { ...state, atStake: state.atStake + die };
    return { state: die === 1 ? pass(state, 0) : rolled, events: [] };
  },
  outcome(state) {
    const winner = pigWinner(state);
    return winner === null ? null : wonBy(winner, 'goal_reached', {});
  },
});
