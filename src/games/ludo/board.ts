/** The board of ludo: 52 shared squares in a ring, and for each seat its own home squares. */

import type { Seat } from '../../../game/src/game.ts';

export const TOKENS = 4;
/** Squares that all seats share. */
export const SQUARES = 52;
/** The distance between starts when all four are in use. */
const QUARTER = SQUARES / 4;

/**
 * A token's place, counted from its own start: `YARD`, 0 to 51 on the shared squares, `HOME` to
 * `HOME` + 4 on its own home squares, `DONE`. Each earlier lap adds `LAP`; only a token that may
 * not turn home yet makes laps.
 */
export type Place = number;
export const YARD: Place = -1;
export const HOME: Place = 52;
export const DONE: Place = 57;
export const LAP = 64;
/** The last shared square before the home squares. The one after it is used only on another lap. */
export const TURN_OFF: Place = 50;
/** Squares from the start to the goal without a lap. */
export const WAY = 56;

/** Safe squares beside the starts. */
const STARS: readonly number[] = [8, 21, 34, 47];

/** Two seats are opposite each other; more are one quarter apart. */
export function startSquare(seats: number, seat: Seat): number {
  return seats === 2 ? seat * 2 * QUARTER : seat * QUARTER;
}

export function isStart(square: number): boolean {
  return square % QUARTER === 0;
}

export function isStar(square: number): boolean {
  return STARS.includes(square);
}

/** The place within the lap. */
export function onLap(place: Place): Place {
  return place === YARD ? YARD : place % LAP;
}

export function isDone(place: Place): boolean {
  return onLap(place) === DONE;
}

/** Whether it is on one of the shared squares. */
export function isOnTrack(place: Place): boolean {
  const here = onLap(place);
  return here >= 0 && here < SQUARES;
}

/** The shared square, 0 to 51, of a place on the track. */
export function squareOf(start: number, place: Place): number {
  return (start + onLap(place)) % SQUARES;
}

/** Where a die takes a token; null if it may not move that far, or needs a six to come out. */
export function advance(place: Place, die: number, mayGoHome: boolean): Place | null {
  if (place === YARD) return die === 6 ? 0 : null;
  const here = onLap(place);
  const lap = place - here;
  if (here >= HOME) return here + die <= DONE ? place + die : null;
  const next = here + die;
  if (mayGoHome && here <= TURN_OFF && next > TURN_OFF) return lap + next + 1;
  return next < SQUARES ? lap + next : lap + LAP + next - SQUARES;
}

/** Squares walked since the yard: `WAY` at the goal, 52 more for each lap before. */
export function walked(place: Place): number {
  if (place === YARD) return 0;
  const here = onLap(place);
  const laps = (place - here) / LAP;
  return laps * SQUARES + (here >= HOME ? here - 1 : here);
}

/** `yard`, `track 17` (the shared square), `home 1` to `home 5`, or `done`. */
export function namePlace(start: number, place: Place): string {
  if (place === YARD) return 'yard';
  if (isOnTrack(place)) return `track ${squareOf(start, place)}`;
  return isDone(place) ? 'done' : `home ${onLap(place) - HOME + 1}`;
}
