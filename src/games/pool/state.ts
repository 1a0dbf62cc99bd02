/** A game of pool between two shots. */

import type { Options, Seat, Setup } from '../../../game/src/game.ts';
import type { Call, Choice, ShotAction } from './action.ts';
import type { Pocket } from './physics/table.ts';
import type { InHand, Table, Variant } from './rack.ts';
import { rackBalls } from './rack.ts';

export const CALL_RULES = ['all', 'eight', 'none'] as const;
export type CallRule = (typeof CALL_RULES)[number];

export const GROUPS = ['solids', 'stripes'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * What was done wrong: the cue ball fell, met nothing, met a wrong ball first, met a ball behind
 * the head string without having crossed it, nothing was driven to a rail, too little was on the
 * break.
 */
export const FOULS = [
  'scratch',
  'no_contact',
  'wrong_ball_first',
  'behind_head_string',
  'no_rail',
  'weak_break',
] as const;
export type Foul = (typeof FOULS)[number];

/** How a game can come out. */
const REASONS = [
  'eight_pocketed',
  'eight_early',
  'eight_with_foul',
  'eight_wrong_pocket',
  'nine_pocketed',
  'three_fouls',
  'shot_limit',
] as const;
export type Reason = (typeof REASONS)[number];

/** The shot before this position, so that it can be drawn: it is simulated again by whoever asks. */
export type LastShot = {
  readonly seat: Seat;
  /** As it was played; `place` stands in `before`. */
  readonly action: ShotAction;
  /** All balls when the cue ball was struck. */
  readonly before: Table;
  /** Object balls that fell, in order, and where. */
  readonly pocketed: readonly Call[];
  readonly foul: Foul | null;
  /** Balls put back on the table since. */
  readonly spotted: readonly number[];
  /** What the shot ended by: `event_cap` when it was stopped (see `EVENTS_MAX`). */
  readonly end: 'rest' | 'event_cap';
  /** The pocket into which the cue ball fell. */
  readonly scratched: Pocket | null;
};

export type PoolState = {
  readonly variant: Variant;
  readonly callPocket: CallRule;
  readonly table: Table;
  /** Who acts: shoots, or chooses when there are `choices`. */
  readonly seat: Seat;
  /** The next shot is a break. */
  readonly isBreak: boolean;
  /** Where the cue ball may be put before the shot; null when it is played from where it lies. */
  readonly inHand: InHand | null;
  /** What the rules let this seat choose from instead of a shot; empty as a rule. */
  readonly choices: readonly Choice[];
  /** Groups by seat in eightball; null while the table is open, and in nineball. */
  readonly groups: readonly [Group, Group] | null;
  /** May the next shot be a push-out? */
  readonly mayPushOut: boolean;
  /** Consecutive fouls by seat, counted in nineball. */
  readonly fouls: readonly [number, number];
  /** Shots played, breaks included. */
  readonly shots: number;
  readonly result: { readonly winner: Seat | null; readonly reason: Reason } | null;
  readonly last: LastShot | null;
};

/** After so many shots a game is drawn. */
export const SHOTS_MAX = 200;

export function makeInitial({ variant, options }: Setup): PoolState {
  const kind = variant === 'nineball' ? 'nineball' : 'eightball';
  return {
    variant: kind,
    callPocket: readCallRule(options),
    seat: 0,
    ...freshRack(kind),
    fouls: [0, 0],
    shots: 0,
    result: null,
    last: null,
  };
}

function readCallRule(options: Options): CallRule {
  return CALL_RULES.find((rule) => rule === options['callPocket']) ?? 'all';
}

/** What a new rack makes of a state, whoever breaks it. */
export function freshRack(variant: Variant): FreshRack {
  return {
    table: rackBalls(variant),
    isBreak: true,
    inHand: 'behind_head_string',
    choices: [],
    groups: null,
    mayPushOut: false,
  };
}

type FreshRack = Pick<
  PoolState,
  'table' | 'isBreak' | 'inHand' | 'choices' | 'groups' | 'mayPushOut'
>;

export function otherSeat(seat: Seat): Seat {
  return 1 - seat;
}
