/** Redoing a match step by step from what its replay tells, by the rules alone. */

import type { AnyGame, Json, Outcome, Seat, Setup } from '../games/game.ts';
import { isRefusal } from '../games/game.ts';
import { canonicalJson } from '../games/json.ts';
import type { CountedRandom } from '../games/random.ts';
import { drawnByAll, wonByRest } from './outcome.ts';
import type { DrawStep, ForfeitReason } from './record.ts';

/** One committed action, in wire form. */
export interface ReplayInput {
  readonly v: number;
  /** ISO 8601. */
  readonly at: string;
  readonly seat: Seat;
  readonly action: Json;
}

/** What else happened between the players: turns missed, seats that went, draws. */
export interface ReplayControl {
  readonly v: number;
  readonly at: string;
  readonly seat: Seat;
  readonly kind: 'missed' | ForfeitReason | `draw_${DrawStep}`;
}

/** One step of a match, in the order of `v`. */
export type ReplayStep = ReplayInput | ReplayControl;

/** A match as far as it has been redone. */
export interface RedoneMatch {
  readonly seats: number;
  readonly state: Json;
  /** Random values drawn so far. */
  readonly drawn: number;
  /** Steps of every kind so far. */
  readonly steps: number;
  readonly moveCount: number;
  /** Seats that are in the game. */
  readonly left: readonly Seat[];
  /** The seat whose offer of a draw stands. */
  readonly drawOfferedBy: Seat | null;
  /** How it came out; null while it goes on. */
  readonly outcome: Outcome | null;
}

export function openMatch(game: AnyGame, { variant, seats, options }: Setup): RedoneMatch {
  return {
    seats,
    state: game.initial({ variant, seats, options }),
    drawn: 0,
    steps: 0,
    moveCount: 0,
    left: Array.from({ length: seats }, (_, seat) => seat),
    drawOfferedBy: null,
    outcome: null,
  };
}

/** The match after one step more, or what is wrong with the step. */
export function redo(
  game: AnyGame,
  match: RedoneMatch,
  step: ReplayStep,
  random: CountedRandom,
): RedoneMatch | string {
  if (match.outcome !== null) return 'The match was over before this';
  if (!match.left.includes(step.seat)) return `Seat ${step.seat} is not in the game`;
  const counted = { ...match, steps: match.steps + 1 };
  return 'action' in step
    ? redoAction(game, counted, step, random)
    : redoControl(game, counted, step, random);
}

function redoAction(
  game: AnyGame,
  match: RedoneMatch,
  step: ReplayInput,
  random: CountedRandom,
): RedoneMatch | string {
  const action = game.parseAction(step.action);
  if (action === null) return 'Not an action of the game';
  if (canonicalJson(action) !== canonicalJson(step.action)) return 'Not an action in wire form';
  const applied = game.apply(match.state, step.seat, action, random);
  if (isRefusal(applied)) return applied.error;
  return {
    ...match,
    state: applied.state,
    drawn: random.drawn(),
    moveCount: match.moveCount + 1,
    drawOfferedBy: match.drawOfferedBy === step.seat ? step.seat : null,
    outcome: game.outcome(applied.state),
  };
}

function redoControl(
  game: AnyGame,
  match: RedoneMatch,
  { seat, kind }: ReplayControl,
  random: CountedRandom,
): RedoneMatch | string {
  const isTurn = game.turn(match.state) === seat;
  switch (kind) {
    case 'missed':
      return isTurn ? redoMissed(game, match, seat, random) : `It was not seat ${seat}'s turn`;
    case 'afk_timeout':
    case 'clock_timeout':
      return isTurn ? redoForfeit(game, match, seat, kind) : `It was not seat ${seat}'s turn`;
    case 'resignation':
    case 'disconnect':
      return redoForfeit(game, match, seat, kind);
    case 'draw_offer':
      return game.drawOffers ? { ...match, drawOfferedBy: seat } : 'There are no draw offers here';
    case 'draw_accept':
    case 'draw_decline':
      return redoAnswer(match, seat, kind === 'draw_accept');
    default:
      return `There is no such step as ${kind satisfies never}`;
  }
}

function redoMissed(
  game: AnyGame,
  match: RedoneMatch,
  seat: Seat,
  random: CountedRandom,
): RedoneMatch | string {
  const missed = game.missTurn?.(match.state, seat, random) ?? null;
  if (missed === null) return 'A turn cannot be missed here';
  const { state } = missed;
  return { ...match, state, drawn: random.drawn(), outcome: game.outcome(state) };
}

function redoForfeit(game: AnyGame, match: RedoneMatch, seat: Seat, reason: string): RedoneMatch {
  const state = game.forfeit?.(match.state, seat) ?? match.state;
  const left = match.left.filter((other) => other !== seat);
  const rest = left.length > 1 ? null : wonByRest(match.seats, left, reason);
  return { ...match, state, left, drawOfferedBy: null, outcome: game.outcome(state) ?? rest };
}

function redoAnswer(match: RedoneMatch, seat: Seat, isAccepted: boolean): RedoneMatch | string {
  if (match.drawOfferedBy === null || match.drawOfferedBy === seat) {
    return 'There was no draw offer to answer';
  }
  const outcome = isAccepted ? drawnByAll(match.seats, 'draw_agreed') : null;
  return { ...match, drawOfferedBy: null, outcome };
}
