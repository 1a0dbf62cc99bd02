/** A quick estimate of each seat's position in ludo: squares walked, and squares at risk. */

import type { Seat } from '../../../game/src/game.ts';
import { DONE, HOME, SQUARES, TOKENS, TURN_OFF, WAY, YARD } from './board.ts';
import type { Cells, Race } from './race.ts';
import { mayGoHome } from './race.ts';

/** All in squares. First guesses that trials of some thousand games did not improve. */
export interface Weights {
  /** The disadvantage of a token in the yard against one on its start: the wait for a six. */
  readonly yard: number;
  /** The extra worth of a token at the goal. */
  readonly done: number;
  /** On its home squares nobody can capture it. */
  readonly home: number;
  /** Being on a safe square. */
  readonly safe: number;
  /** The share of its way that a token at risk counts as lost, times the chance to be captured. */
  readonly risk: number;
  /** The right to go home, if it must be earned. */
  readonly free: number;
  /** The weight of the leading opponent, as a share of all opponents. */
  readonly rival: number;
}

const WEIGHTS: Weights = {
  yard: 12,
  done: 6,
  home: 3,
  safe: 1,
  risk: 0.6,
  free: 30,
  rival: 0.5,
};

/** The chance that one roll, with the extra roll of a six, moves a token that many squares. */
const HIT = [0, ...Array<number>(6).fill(1 / 6), ...Array<number>(5).fill(1 / 36)];
/** A token in the yard needs the six first. */
const HIT_FROM_YARD = 1 / 6;
/** In `quick` only one token has to come home: the weight of each, the foremost last. */
const QUICK_PARTS = [0.02, 0.05, 0.2, 1];

/** The chance that a seat's token on the track is captured before it moves again, as one round. */
function danger(race: Race, cells: Cells, seat: Seat, place: number): number {
  const square = (race.starts[seat]! + place) % SQUARES;
  if (race.safe[square]) return 0;
  let spared = 1;
  for (const other of race.opponents[seat]!) {
    const theirs = (square - race.starts[other]! + SQUARES) % SQUARES;
    const isFree = mayGoHome(race, cells, other);
    for (let cell = other * TOKENS; cell < (other + 1) * TOKENS; cell += 1) {
      const from = cells[cell]!;
      if (from >= HOME) continue;
      if (from === YARD) {
        if (theirs === 0) spared *= 1 - HIT_FROM_YARD;
        continue;
      }
      const way = isFree ? theirs - from : (theirs - from + SQUARES) % SQUARES;
      if (isFree && theirs > TURN_OFF) continue;
      if (way > 0 && way < HIT.length) spared *= 1 - HIT[way]!;
    }
  }
  return 1 - spared;
}

function worthOfToken(race: Race, cells: Cells, seat: Seat, place: number, by: Weights): number {
  if (place === YARD) return -by.yard;
  if (place === DONE) return WAY + by.done + (race.rules.variant === 'timed' ? WAY : 0);
  if (place >= HOME) return place - 1 + by.home;
  const chance = danger(race, cells, seat, place);
  if (chance === 0) return place + by.safe;
  return place - by.risk * chance * (place + by.yard);
}

/** Evaluates positions of one race. Writes into `into`, by seat, its advantage over its opponents. */
export type Judge = (cells: Cells, into: Float64Array) => void;

export function makeJudge(race: Race, by: Weights = WEIGHTS): Judge {
  const { rules, seats, opponents } = race;
  const worths = new Float64Array(seats);
  const tokens = new Float64Array(TOKENS);

  const worthOfSeat = (cells: Cells, seat: Seat): number => {
    for (let token = 0; token < TOKENS; token += 1) {
      tokens[token] = worthOfToken(race, cells, seat, cells[seat * TOKENS + token]!, by);
    }
    // Ascending: the foremost is the last.
    if (rules.variant === 'quick') tokens.sort();
    let sum = 0;
    for (let token = 0; token < TOKENS; token += 1) {
      sum += tokens[token]! * (rules.variant === 'quick' ? QUICK_PARTS[token]! : 1);
    }
    return rules.captureBeforeHome && mayGoHome(race, cells, seat) ? sum + by.free : sum;
  };

  /** Partners count each other's worth as their own. */
  const ownWorth = (seat: Seat): number =>
    rules.variant === 'teams' && seats > 2
      ? (worths[seat]! + worths[(seat + 2) % seats]!) / 2
      : worths[seat]!;

  return (cells, into) => {
    for (let seat = 0; seat < seats; seat += 1) worths[seat] = worthOfSeat(cells, seat);
    for (let seat = 0; seat < seats; seat += 1) {
      const others = opponents[seat]!;
      let best = -Infinity;
      let sum = 0;
      for (const other of others) {
        best = Math.max(best, worths[other]!);
        sum += worths[other]!;
      }
      const rivals =
        others.length === 0 ? 0 : by.rival * best + ((1 - by.rival) * sum) / others.length;
      into[seat] = ownWorth(seat) - rivals;
    }
  };
}
