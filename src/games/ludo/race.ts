/** Ludo in a bot's search: the same moves, on a few bytes instead of a state. */

import type { Seat } from '../../../game/src/game.ts';
import {
  advance,
  DONE,
  HOME,
  isStar,
  isStart,
  onLap,
  SQUARES,
  startSquare,
  TOKENS,
  TURN_OFF,
  YARD,
} from './board.ts';
import type { LudoRules, LudoState } from './state.ts';
import { areOpponents, isPlaying, seatsOf } from './state.ts';

/** What is constant during a search. */
export interface Race {
  readonly rules: LudoRules;
  readonly seats: number;
  readonly starts: readonly number[];
  /** By shared square: whether capturing is forbidden there. */
  readonly safe: readonly boolean[];
  /** By seat: the seats that may capture its tokens. Seats that are not playing have and are none. */
  readonly opponents: readonly (readonly Seat[])[];
  /** The next seat to roll, by seat. */
  readonly next: readonly Seat[];
  /** How many tokens a seat must bring home. */
  readonly goal: number;
}

/**
 * A position: the places of seat 0's tokens, of seat 1's and so on, without laps; after them, by
 * seat, 1 if it may go home.
 */
export type Cells = Int8Array<ArrayBuffer>;

export function makeRace(state: LudoState): Race {
  const { rules, tokens } = state;
  const seats = tokens.length;
  const playing = seatsOf(state).filter((seat) => isPlaying(state, seat));
  const squares = Array.from({ length: SQUARES }, (_, square) => square);
  return {
    rules,
    seats,
    starts: tokens.map((_, seat) => startSquare(seats, seat)),
    safe: squares.map((square) => isStar(square) || (rules.startSquaresSafe && isStart(square))),
    opponents: tokens.map((_, seat) => playing.filter((each) => areOpponents(rules, seat, each))),
    next: tokens.map((_, seat) => playing.find((each) => each > seat) ?? playing[0] ?? seat),
    goal: rules.variant === 'quick' ? 1 : TOKENS,
  };
}

export function makeCells({ rules, tokens, hasCaptured }: LudoState): Cells {
  const maysGoHome = hasCaptured.map((has) => (has || !rules.captureBeforeHome ? 1 : 0));
  return Int8Array.from([...tokens.flat().map(onLap), ...maysGoHome]);
}

export function mayGoHome(race: Race, cells: Cells, seat: Seat): boolean {
  return cells[race.seats * TOKENS + seat] === 1;
}

/** Where the die takes a token; null if it may not move. */
export function target(
  race: Race,
  cells: Cells,
  seat: Seat,
  token: number,
  die: number,
): number | null {
  const from = cells[seat * TOKENS + token]!;
  const isFree = mayGoHome(race, cells, seat);
  const to = advance(from, die, isFree);
  if (to === null) return null;
  if (race.rules.ownPairIsBlock && isBlocked(race, cells, seat, from, die, isFree)) return null;
  return onLap(to);
}

function isBlocked(
  race: Race,
  cells: Cells,
  seat: Seat,
  from: number,
  die: number,
  isFree: boolean,
): boolean {
  const start = race.starts[seat]!;
  if (from === YARD) return isBlock(race, cells, seat, start);
  const last = isFree && from <= TURN_OFF ? Math.min(from + die, TURN_OFF) : from + die;
  if (from >= HOME) return false;
  for (let place = from + 1; place <= last; place += 1) {
    if (isBlock(race, cells, seat, (start + place) % SQUARES)) return true;
  }
  return false;
}

function isBlock(race: Race, cells: Cells, seat: Seat, square: number): boolean {
  return race.opponents[seat]!.some((other) => countOn(race, cells, other, square) > 1);
}

/** Tokens of a seat on a shared square. */
function countOn({ starts }: Race, cells: Cells, seat: Seat, square: number): number {
  const place = (square - starts[seat]! + SQUARES) % SQUARES;
  let count = 0;
  for (let cell = seat * TOKENS; cell < (seat + 1) * TOKENS; cell += 1) {
    if (cells[cell] === place) count += 1;
  }
  return count;
}

/** Moves a token to its target, in place. True if that earns another roll in addition to a six. */
export function step(race: Race, cells: Cells, seat: Seat, token: number, to: number): boolean {
  cells[seat * TOKENS + token] = to;
  if (to >= HOME) return to === DONE;
  const square = (race.starts[seat]! + to) % SQUARES;
  if (race.safe[square]) return false;
  let isCapture = false;
  for (const other of race.opponents[seat]!) {
    const place = (square - race.starts[other]! + SQUARES) % SQUARES;
    for (let cell = other * TOKENS; cell < (other + 1) * TOKENS; cell += 1) {
      if (cells[cell] !== place) continue;
      cells[cell] = YARD;
      isCapture = true;
    }
  }
  if (isCapture) cells[race.seats * TOKENS + seat] = 1;
  return isCapture;
}

export function isSeatHome({ goal }: Race, cells: Cells, seat: Seat): boolean {
  let done = 0;
  for (let cell = seat * TOKENS; cell < (seat + 1) * TOKENS; cell += 1) {
    if (cells[cell] === DONE) done += 1;
  }
  return done >= goal;
}
