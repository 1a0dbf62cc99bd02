/**
 * A test game with everything that two-player board games lack: dice, hidden information, and seats
 * that leave.
 */

import { ownField } from '../../../game/src/field.ts';
import type { Applied, Game, GameId, Outcome, Refusal, Seat } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { illegalMove, refuseTurn } from '../../../game/src/refusal.ts';

export type DiceRaceState = {
  readonly goal: number;
  /** Whether the stakes are listed as legal actions; otherwise any number above 0 may be staked. */
  readonly listed: boolean;
  /** Whether a race ends with one seat left; otherwise others decide who has won. */
  readonly endsAlone: boolean;
  readonly turnsLeft: number;
  readonly scores: readonly number[];
  /** By seat: the extra score of the next throw. Hidden from others. */
  readonly hands: readonly number[];
  /** Turns missed in a row. */
  readonly misses: readonly number[];
  readonly out: readonly Seat[];
  readonly turn: Seat;
};

export type DiceRaceAction = { readonly stake: number };

const STAKES: readonly DiceRaceAction[] = [{ stake: 1 }, { stake: 2 }, { stake: 3 }];
/** How many turns may be missed in a row; the next one costs the seat. */
const MISSES_MAX = 2;
const SHORT_ROUNDS = 4;
const LONG_ROUNDS = 12;
/** The time of a few missed turns. */
const TIMED_MS = 90_000;

function nextSeat(state: DiceRaceState, seat: Seat): Seat {
  const next = (seat + 1) % state.scores.length;
  return state.out.includes(next) && state.out.length < state.scores.length
    ? nextSeat(state, next)
    : next;
}

function replace<T>(values: readonly T[], seat: Seat, value: T): readonly T[] {
  return values.map((each, index) => (index === seat ? value : each));
}

/** A one scores nothing; a six throws again. */
function throwDie(
  state: DiceRaceState,
  seat: Seat,
  { stake }: DiceRaceAction,
  random: Random,
): Applied<DiceRaceState> {
  const die = random.integer(6) + 1;
  const gained = die === 1 ? 0 : stake + state.hands[seat]!;
  const thrown: DiceRaceState = {
    ...state,
    turnsLeft: state.turnsLeft - 1,
    scores: replace(state.scores, seat, state.scores[seat]! + gained),
    hands: replace(state.hands, seat, random.integer(3)),
    misses: replace(state.misses, seat, 0),
    turn: die === 6 ? seat : nextSeat(state, seat),
  };
  return { state: thrown, events: [{ type: 'race.scored', data: { seat, gained } }] };
}

function isOver(state: DiceRaceState): boolean {
  return (
    state.turnsLeft <= 0 || state.scores.some((score) => score >= state.goal) || isAlone(state)
  );
}

function isAlone({ endsAlone, out, scores }: DiceRaceState): boolean {
  return endsAlone && out.length >= scores.length - 1;
}

function turn(state: DiceRaceState): Seat | null {
  return isOver(state) ? null : state.turn;
}

/** The higher score is before the lower, and a seat that has left is last. */
function outcome(state: DiceRaceState): Outcome | null {
  if (!isOver(state)) return null;
  const reached = state.turnsLeft <= 0 ? 'rounds_over' : 'goal_reached';
  return rank(state, isAlone(state) ? 'last_left' : reached);
}

function rank(state: DiceRaceState, reason: string): Outcome {
  const ranks = state.scores.map((score, seat) => (state.out.includes(seat) ? -1 : score));
  const places = ranks.map((rank) => 1 + ranks.filter((other) => other > rank).length);
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const winners = first.length === places.length ? [] : first;
  return { winners, places, reason, detail: { scores: state.scores } };
}

function parseAction(input: unknown): DiceRaceAction | null {
  const stake = ownField(input, 'stake');
  return typeof stake === 'number' && stake > 0 && stake <= 3 ? { stake } : null;
}

function legalActions(state: DiceRaceState): readonly DiceRaceAction[] | null {
  if (isOver(state)) return [];
  return state.listed ? STAKES : null;
}

function apply(
  state: DiceRaceState,
  seat: Seat,
  action: DiceRaceAction,
  random: Random,
): Applied<DiceRaceState> | Refusal {
  const refusal = refuseTurn(turn(state), seat);
  if (refusal !== null) return refusal;
  if (state.listed && !Number.isInteger(action.stake)) return illegalMove('Stakes are whole here');
  return throwDie(state, seat, action, random);
}

/** A missed turn throws for the seat; null if too many have been missed. */
function missTurn(state: DiceRaceState, seat: Seat, random: Random): Applied<DiceRaceState> | null {
  const misses = state.misses[seat]! + 1;
  if (misses > MISSES_MAX) return null;
  const { state: thrown, events } = throwDie(state, seat, { stake: 1 }, random);
  return { state: { ...thrown, misses: replace(thrown.misses, seat, misses) }, events };
}

function forfeit(state: DiceRaceState, seat: Seat): DiceRaceState {
  const left = { ...state, out: [...state.out, seat] };
  return state.turn === seat ? { ...left, turn: nextSeat(left, seat) } : left;
}

/** Two to four seats throw a die with a stake and a hidden hand, to a goal or for some rounds. */
export const diceRace: Game<DiceRaceState, DiceRaceAction> = {
  // It takes another game's id: ids are a closed list.
  id: 'ludo' satisfies GameId,
  rulesVersion: 1,
  seats: { min: 2, max: 4, default: 4 },
  variants: ['short', 'long', 'timed'],
  options: {
    goal: { kind: 'integer', min: 5, max: 60, default: 20 },
    stakes: { kind: 'choice', values: ['listed', 'free'], default: 'listed' },
    hands: { kind: 'boolean', default: true },
  },
  turnTimeoutMs: 20_000,
  drawOffers: false,
  openInformation: false,
  initial: ({ variant, seats, options }) => ({
    goal: Number(options['goal']),
    listed: options['stakes'] === 'listed',
    endsAlone: variant === 'short',
    turnsLeft: seats * (variant === 'short' ? SHORT_ROUNDS : LONG_ROUNDS),
    scores: Array<number>(seats).fill(0),
    hands: Array<number>(seats).fill(options['hands'] === true ? 1 : 0),
    misses: Array<number>(seats).fill(0),
    out: [],
    turn: 0,
  }),
  turn,
  parseAction,
  legalActions,
  apply,
  view: (state, seat) => ({
    scores: state.scores,
    turnsLeft: state.turnsLeft,
    out: state.out,
    hand: seat === null ? null : state.hands[seat]!,
  }),
  outcome,
  missTurn,
  forfeit,
  imagine: (state, viewer, random) => ({
    ...state,
    hands: state.hands.map((hand, seat) => (seat === viewer ? hand : random.integer(3))),
  }),
  timeLimitMs: ({ variant }) => (variant === 'timed' ? TIMED_MS : null),
  timeUp: (state) => rank(state, 'time_up'),
  makeNotation: (_, { stake }) => `x${stake}`,
  parseNotation(state, text) {
    const action = parseAction({ stake: Number(text.slice(1)) });
    if (action === null || text !== `x${action.stake}` || isOver(state)) return null;
    return state.listed && !Number.isInteger(action.stake) ? null : action;
  },
};
