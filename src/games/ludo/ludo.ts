/** Ludo: two to four seats race four tokens each around 52 squares and home, by rolls of a die. */

import { fieldFault, ownField, wholeNumberFault } from '../../../game/src/field.ts';
import type { Applied, Game, Json, Refusal, Seat } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { illegalMove, refuseTurn } from '../../../game/src/refusal.ts';
import { namePlace, startSquare, TOKENS } from './board.ts';
import { movable } from './moves.ts';
import { hasWinner, isOver, outcome, scoresOf, timeUp } from './outcome.ts';
import type { LudoState } from './state.ts';
import { makeInitial, replace, VARIANTS } from './state.ts';
import { eventsOf, hasMissedOut, leave, move, playMissedTurn, roll } from './turn.ts';

export type LudoAction =
  /** Rolls the die. */
  | { readonly roll: true }
  /** Moves that token, 0 to 3, by the last roll. */
  | { readonly token: number };

const ROLL: LudoAction = Object.freeze({ roll: true });
/** Every choice, by token. Shared by all games, so frozen. */
const CHOICES: readonly LudoAction[] = Array.from({ length: TOKENS }, (_, token) =>
  Object.freeze({ token }),
);
/** The length of a timed game. */
const TIMED_MS = 10 * 60_000;
const TO_ROLL: readonly LudoAction[] = [ROLL];

function turn(state: LudoState): Seat | null {
  return isOver(state) ? null : state.seat;
}

/** One of the two fields, not both. */
function parseAction(input: unknown): LudoAction | null {
  const isRoll = ownField(input, 'roll') === true;
  const token = ownField(input, 'token');
  if (isRoll) return token === undefined ? ROLL : null;
  if (ownField(input, 'roll') !== undefined) return null;
  return typeof token === 'number' ? (CHOICES[token] ?? null) : null;
}

function actionFault(input: unknown): string | null {
  const roll = ownField(input, 'roll');
  const token = ownField(input, 'token');
  if (roll === undefined && token === undefined) return 'roll or token is required';
  if (roll === undefined) return wholeNumberFault(token, 'token', 0, TOKENS - 1);
  if (token !== undefined) return 'roll and token cannot both be given';
  return fieldFault(roll, 'roll', (value) => value === true, 'true');
}

function legalActions(state: LudoState): readonly LudoAction[] {
  if (isOver(state)) return [];
  if (state.die === null) return TO_ROLL;
  return movable(state, state.seat, state.die).map((token) => CHOICES[token]!);
}

function apply(
  state: LudoState,
  seat: Seat,
  action: LudoAction,
  random: Random,
): Applied<LudoState> | Refusal {
  const refusal = refuseTurn(turn(state), seat) ?? refuseAction(state, action);
  if (refusal !== null) return refusal;
  const acted = 'roll' in action ? roll(state, random) : move(state, action.token);
  const missed = state.missed[seat] === 0 ? state.missed : replace(state.missed, seat, 0);
  const after = { ...acted, missed };
  return { state: after, events: eventsOf(after) };
}

function refuseAction(state: LudoState, action: LudoAction): Refusal | null {
  const { seat, die } = state;
  if ('roll' in action) {
    return die === null ? null : illegalMove(`The ${die} that was rolled waits for a token`);
  }
  if (die === null) return illegalMove('The die has not been rolled yet');
  if (movable(state, seat, die).includes(action.token)) return null;
  return illegalMove(`Token ${action.token} cannot move ${die}`);
}

function missTurn(state: LudoState, seat: Seat, random: Random): Applied<LudoState> | null {
  return turn(state) === seat ? playMissedTurn(state, seat, random) : null;
}

function view(state: LudoState): Json {
  const { tokens, die, sixes, hasCaptured, missed, out, home, last, rules } = state;
  return {
    tokens: tokens.map((places, seat) => {
      const start = startSquare(tokens.length, seat);
      return places.map((place) => namePlace(start, place));
    }),
    die,
    sixes,
    last,
    home,
    out,
    missed,
    hasCaptured: rules.captureBeforeHome ? hasCaptured : null,
    scores: rules.variant === 'timed' ? scoresOf(state) : null,
  };
}

/** `roll`, or the die and the token counted from 1: `6:2`. */
function makeNotation({ die }: LudoState, action: LudoAction): string {
  return 'roll' in action ? 'roll' : `${die}:${action.token + 1}`;
}

function parseNotation(state: LudoState, text: string): LudoAction | null {
  return legalActions(state).find((action) => makeNotation(state, action) === text) ?? null;
}

/** Seat 0 begins; turns go round by seat. */
export const ludo: Game<LudoState, LudoAction> = {
  id: 'ludo',
  rulesVersion: 4,
  seats: { min: 2, max: 4, default: 4 },
  variants: VARIANTS,
  variantSeats: { teams: { min: 4, max: 4 } },
  options: {
    thirdSixVoidsTurn: { kind: 'choice', values: [true, 'last'], default: true },
    ownPairIsBlock: { kind: 'boolean', default: false },
    captureBeforeHome: { kind: 'boolean', default: false },
    startSquaresSafe: { kind: 'boolean', default: true },
  },
  turnTimeoutMs: 20_000,
  drawOffers: false,
  openInformation: true,
  initial: makeInitial,
  turn,
  parseAction,
  actionFault,
  legalActions,
  apply,
  view,
  outcome,
  missTurn,
  hasMissedOut,
  forfeit: leave,
  hasWinner,
  timeLimitMs: ({ variant }) => (variant === 'timed' ? TIMED_MS : null),
  timeUp,
  makeNotation,
  parseNotation,
};
