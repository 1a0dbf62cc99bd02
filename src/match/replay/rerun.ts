/** Replaying a match step by step from its replay, by the rules only. */

import type { AnyGame, Json, Outcome, Seat, Setup } from '../../../game/src/game.ts';
import { actingSeats, isRefusal } from '../../../game/src/game.ts';
import { canonicalJson } from '../../../game/src/json.ts';
import type { CountedRandom } from '../../../game/src/random.ts';
import type { TickRun } from '../../../game/src/tick-game.ts';
import { advance, BATCH_TICKS_MAX, countTicks, parseRuns } from '../../../game/src/tick-game.ts';
import { DRAW_OFFER_MOVES, drawnByAll, wonByRemaining } from '../outcome.ts';
import type { DrawStep, ForfeitReason } from '../record.ts';

/** One committed action, in wire form. */
export interface ReplayInput {
  readonly v: number;
  /** ISO 8601. */
  readonly at: string;
  readonly seat: Seat;
  readonly action: Json;
}

/** Ticks of a tick game, committed together. */
export interface ReplayTicks {
  readonly v: number;
  readonly at: string;
  /** The first tick. */
  readonly from: number;
  /** What every seat held down, by seat, and for how many ticks. */
  readonly runs: readonly TickRun[];
}

/** Everything else in a match: missed turns, departures, draws. */
export interface ReplayControl {
  readonly v: number;
  readonly at: string;
  readonly seat: Seat;
  readonly kind: 'missed' | ForfeitReason | `draw_${DrawStep}`;
}

/** One step of a match, in the order of `v`. */
export type ReplayStep = ReplayInput | ReplayTicks | ReplayControl;

/** A match as far as it has been replayed. */
export interface RerunMatch {
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
  /** By seat: moves made when it last offered a draw; null when it never did. */
  readonly drawOfferedAtMove: readonly (number | null)[];
  /** Seats of bots, which count as connected. */
  readonly bots: readonly Seat[];
  /** The outcome; null before the end. */
  readonly outcome: Outcome | null;
}

/** The beginning of a match in its replay. A match that never began has no final state, and no deal. */
type Beginning = Setup & {
  readonly players: readonly { readonly seat: Seat; readonly isBot: boolean }[];
  readonly hash: string | null;
};

export function openMatch(game: AnyGame, beginning: Beginning, random: CountedRandom): RerunMatch {
  const { variant, seats, options, players, hash } = beginning;
  const opening = game.initial({ variant, seats, options });
  const dealt = hash === null ? undefined : game.deal?.(opening, random);
  return {
    seats,
    state: dealt?.state ?? opening,
    drawn: random.drawn(),
    steps: 0,
    moveCount: 0,
    left: Array.from({ length: seats }, (_, seat) => seat),
    drawOfferedBy: null,
    drawOfferedAtMove: Array.from({ length: seats }, () => null),
    bots: players.flatMap(({ seat, isBot }) => (isBot ? [seat] : [])),
    outcome: null,
  };
}

/** The match after one more step, or what is wrong with the step. */
export function rerun(
  game: AnyGame,
  match: RerunMatch,
  step: ReplayStep,
  random: CountedRandom,
): RerunMatch | string {
  if (match.outcome !== null) return 'The match was over before this';
  if ('runs' in step) return redoTicks(game, match, step);
  if (!match.left.includes(step.seat)) return `Seat ${step.seat} is not in the game`;
  const lost = missedOut(game, match);
  if (lost !== null && !isLossOf(lost, step)) return `Seat ${lost} was lost before this`;
  const counted = { ...match, steps: match.steps + 1 };
  return 'action' in step
    ? redoAction(game, counted, step, random)
    : redoControl(game, counted, step, random);
}

function isActing(game: AnyGame, { state }: RerunMatch, seat: Seat): boolean {
  return actingSeats(game, state).includes(seat);
}

/** The seat that was lost by the last missed turn and is not out yet. */
function missedOut(game: AnyGame, { left, state }: RerunMatch): Seat | null {
  return left.find((seat) => game.hasMissedOut?.(state, seat)) ?? null;
}

function isLossOf(seat: Seat, step: Exclude<ReplayStep, ReplayTicks>): boolean {
  return step.seat === seat && 'kind' in step && step.kind === 'afk_timeout';
}

/** Why a missed turn did not cost the seat; null if it did, at once or with the turn played. */
function refuseLoss(
  game: AnyGame,
  match: RerunMatch,
  seat: Seat,
  random: CountedRandom,
): string | null {
  if (missedOut(game, match) === seat) return null;
  if (!isActing(game, match, seat)) return `It was not seat ${seat}'s turn`;
  const missed = game.missTurn?.(match.state, seat, random) ?? null;
  return missed === null ? null : 'A missed turn plays itself here';
}

function redoTicks(
  game: AnyGame,
  match: RerunMatch,
  { from, runs }: ReplayTicks,
): RerunMatch | string {
  const { ticks, outcome } = game;
  if (ticks === undefined) return 'There are no ticks here';
  const next = ticks.tickOf(match.state);
  if (from !== next) return `Tick ${next} comes next, not ${from}`;
  const { maskMax } = ticks;
  const played = parseRuns(runs, { seats: match.seats, maskMax, ticksMax: BATCH_TICKS_MAX });
  if (played === null || countTicks(played) === 0) return 'Not ticks of the game';
  const advanced = advance({ ticks, outcome }, match.state, played);
  const count = countTicks(advanced.runs);
  if (count < countTicks(played)) return 'The match was over before the last of these ticks';
  return {
    ...match,
    state: advanced.state,
    steps: match.steps + 1,
    moveCount: match.moveCount + count,
    outcome: outcome(advanced.state),
  };
}

function redoAction(
  game: AnyGame,
  match: RerunMatch,
  step: ReplayInput,
  random: CountedRandom,
): RerunMatch | string {
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
  match: RerunMatch,
  { seat, kind }: ReplayControl,
  random: CountedRandom,
): RerunMatch | string {
  const isTurn = isActing(game, match, seat);
  switch (kind) {
    case 'missed':
      return isTurn ? redoMissed(game, match, seat, random) : `It was not seat ${seat}'s turn`;
    case 'afk_timeout':
      return refuseLoss(game, match, seat, random) ?? redoForfeit(game, match, seat, kind);
    case 'clock_timeout':
      return isTurn ? redoForfeit(game, match, seat, kind) : `It was not seat ${seat}'s turn`;
    case 'disconnect':
      if (match.bots.includes(seat)) return 'A bot is never away';
      return redoForfeit(game, match, seat, kind);
    case 'resignation':
      return redoForfeit(game, match, seat, kind);
    case 'draw_offer':
      return game.drawOffers ? redoOffer(match, seat) : 'There are no draw offers here';
    case 'draw_accept':
    case 'draw_decline':
      return redoAnswer(match, seat, kind === 'draw_accept');
    default:
      return `There is no such step as ${kind satisfies never}`;
  }
}

function redoMissed(
  game: AnyGame,
  match: RerunMatch,
  seat: Seat,
  random: CountedRandom,
): RerunMatch | string {
  const missed = game.missTurn?.(match.state, seat, random) ?? null;
  if (missed === null) return 'A turn cannot be missed here';
  const { state } = missed;
  return { ...match, state, drawn: random.drawn(), outcome: game.outcome(state) };
}

function redoForfeit(game: AnyGame, match: RerunMatch, seat: Seat, reason: string): RerunMatch {
  const state = game.forfeit?.(match.state, seat) ?? match.state;
  const left = match.left.filter((other) => other !== seat);
  const inPlay = left.filter((other) => game.isOut?.(state, other) !== true);
  const rest = inPlay.length > 1 ? null : wonByRemaining(match.seats, inPlay, reason);
  return { ...match, state, left, drawOfferedBy: null, outcome: game.outcome(state) ?? rest };
}

function redoOffer(match: RerunMatch, seat: Seat): RerunMatch | string {
  const { moveCount } = match;
  const last = match.drawOfferedAtMove[seat] ?? null;
  if (last !== null && moveCount - last < DRAW_OFFER_MOVES) {
    return `Seat ${seat} had offered a draw less than ${DRAW_OFFER_MOVES} moves before`;
  }
  return {
    ...match,
    drawOfferedBy: seat,
    drawOfferedAtMove: match.drawOfferedAtMove.map((at, each) => (each === seat ? moveCount : at)),
  };
}

function redoAnswer(match: RerunMatch, seat: Seat, isAccepted: boolean): RerunMatch | string {
  if (match.drawOfferedBy === null || match.drawOfferedBy === seat) {
    return 'There was no draw offer to answer';
  }
  const outcome = isAccepted ? drawnByAll(match.seats, 'draw_agreed') : null;
  return { ...match, drawOfferedBy: null, outcome };
}
