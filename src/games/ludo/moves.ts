/** How tokens move: which may, which blocks stop them, and which tokens they capture. */

import type { Seat } from '../../../game/src/game.ts';
import type { Place } from './board.ts';
import {
  advance,
  isDone,
  isOnTrack,
  isStar,
  isStart,
  namePlace,
  squareOf,
  startSquare,
  TOKENS,
  YARD,
} from './board.ts';
import type { LudoRules, LudoState, Snapshot, Step, TokenName, Tokens } from './state.ts';
import { areOpponents, isHome, replace } from './state.ts';

/** A token's shared square; null if it is on none. */
function squareOfToken(tokens: Tokens, seat: Seat, place: Place): number | null {
  return isOnTrack(place) ? squareOf(startSquare(tokens.length, seat), place) : null;
}

/** The tokens on a shared square that belong to opponents of a seat. */
function opponentsOn(state: LudoState, seat: Seat, square: number): readonly TokenName[] {
  const { rules, tokens } = state;
  return tokens.flatMap((places, other) =>
    areOpponents(rules, seat, other)
      ? places.flatMap((place, token) =>
          squareOfToken(tokens, other, place) === square ? [{ seat: other, token }] : [],
        )
      : [],
  );
}

/** Whether two tokens of one opponent are on the square. */
function isBlock(state: LudoState, seat: Seat, square: number): boolean {
  const seats = opponentsOn(state, seat, square).map((each) => each.seat);
  return new Set(seats).size < seats.length;
}

/** Whether there is a block on the shared squares after `from` up to and including `to`. */
function isBlocked(state: LudoState, seat: Seat, from: Place, to: Place, die: number): boolean {
  if (!state.rules.ownPairIsBlock) return false;
  const start = startSquare(state.tokens.length, seat);
  if (from === YARD) return isBlock(state, seat, start);
  if (!isOnTrack(from)) return false;
  for (let step = 1; step <= die; step += 1) {
    const place = advance(from, step, mayGoHome(state, seat));
    // Blocks are on shared squares only.
    if (place === null || !isOnTrack(place)) return false;
    if (isBlock(state, seat, squareOf(start, place))) return true;
    if (place === to) return false;
  }
  return false;
}

function mayGoHome({ rules, hasCaptured }: LudoState, seat: Seat): boolean {
  return !rules.captureBeforeHome || hasCaptured[seat]!;
}

/** Where the die takes a token of the seat; null if it may not move. */
export function destination(
  state: LudoState,
  seat: Seat,
  token: number,
  die: number,
): Place | null {
  const from = state.tokens[seat]![token]!;
  const to = advance(from, die, mayGoHome(state, seat));
  return to === null || isBlocked(state, seat, from, to, die) ? null : to;
}

/** The seat's tokens that the die may move, in order. */
export function movable(state: LudoState, seat: Seat, die: number): readonly number[] {
  const tokens: number[] = [];
  for (let token = 0; token < TOKENS; token += 1) {
    if (destination(state, seat, token, die) !== null) tokens.push(token);
  }
  return tokens;
}

export function isSafe({ startSquaresSafe }: LudoRules, square: number): boolean {
  return isStar(square) || (startSquaresSafe && isStart(square));
}

/** The tokens that a token of the seat would send back from a square. */
export function capturedOn(state: LudoState, seat: Seat, place: Place): readonly TokenName[] {
  const square = squareOfToken(state.tokens, seat, place);
  if (square === null || isSafe(state.rules, square)) return [];
  return opponentsOn(state, seat, square);
}

/** What moving a token does to the board. */
export interface Moved extends Snapshot {
  readonly step: Step;
  /** Another roll for a six, a capture or a token home; only one, even if several apply. */
  readonly isRewarded: boolean;
  /** Whether the seat has finished with this move. */
  readonly isHome: boolean;
}

/** Moves one of the `movable` tokens. */
export function moveToken(state: LudoState, seat: Seat, token: number, die: number): Moved {
  const { rules, hasCaptured } = state;
  const from = state.tokens[seat]![token]!;
  const to = destination(state, seat, token, die)!;
  const captured = capturedOn(state, seat, to);
  const places = replace(state.tokens[seat]!, token, to);
  const moved = sendBack(replace(state.tokens, seat, places), captured);
  const isCapture = captured.length > 0;
  const start = startSquare(state.tokens.length, seat);
  return {
    tokens: moved,
    hasCaptured: isCapture && !hasCaptured[seat] ? replace(hasCaptured, seat, true) : hasCaptured,
    step: {
      seat,
      die,
      token,
      from: namePlace(start, from),
      to: namePlace(start, to),
      captured,
      void: false,
    },
    isRewarded: die === 6 || isCapture || isDone(to),
    isHome: isHome(rules, places),
  };
}

function sendBack(tokens: Tokens, captured: readonly TokenName[]): Tokens {
  return captured.reduce<Tokens>(
    (before, { seat, token }) => replace(before, seat, replace(before[seat]!, token, YARD)),
    tokens,
  );
}
