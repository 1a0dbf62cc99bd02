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
 * The fouls: the cue ball fell, hit nothing, hit a wrong ball first, hit a ball behind the head
 * string without having crossed it, nothing was driven to a rail, too little was on the break.
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

/** The possible results of a game. */
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

/** The shot before this position, so that it can be drawn: readers simulate it again. */
export type LastShot = {
  readonly seat: Seat;
  /** As it was played; `place` is part of `before`. */
  readonly action: ShotAction;
  /** All balls when the cue ball was struck. */
  readonly before: Table;
  /** Object balls that fell, in order, and where. */
  readonly pocketed: readonly Call[];
  readonly foul: Foul | null;
  /** Balls put back on the table since. */
  readonly spotted: readonly number[];
  /** How the shot ended: `event_cap` if it was stopped (see `EVENTS_MAX`). */
  readonly end: 'rest' | 'event_cap';
  /** The pocket into which the cue ball fell. */
  readonly scratched: Pocket | null;
};

export type PoolState = {
  readonly variant: Variant;
  readonly callPocket: CallRule;
  readonly table: Table;
  /** The acting seat: it shoots, or chooses if there are `choices`. */
  readonly seat: Seat;
  /** The next shot is a break. */
  readonly isBreak: boolean;
  /** Where the cue ball may be placed before the shot; null if it is played from where it is. */
  readonly inHand: InHand | null;
  /** The choices of this seat instead of a shot; usually empty. */
  readonly choices: readonly Choice[];
  /** Groups by seat in eightball; null while the table is open, and in nineball. */
  readonly groups: readonly [Group, Group] | null;
  /** Whether the next shot may be a push-out. */
  readonly mayPushOut: boolean;
  /** Consecutive fouls by seat, counted in nineball. */
  readonly fouls: readonly [number, number];
  /** Shots played, breaks included. */
  readonly shots: number;
  readonly result: { readonly winner: Seat | null; readonly reason: Reason } | null;
  readonly last: LastShot | null;
};

/** After this many shots a game is drawn. */
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

/** The effect of a new rack on a state, whoever breaks it. */
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
