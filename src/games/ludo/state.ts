/** The state of a game of ludo, and the seats still in it. */

import type { Seat, Setup } from '../../../game/src/game.ts';
import type { Place } from './board.ts';
import { isDone, TOKENS, YARD } from './board.ts';

export const VARIANTS = ['classic', 'quick', 'timed', 'teams'] as const;
export type Variant = (typeof VARIANTS)[number];

export type LudoRules = {
  readonly variant: Variant;
  /** What the third six in a row undoes: the whole turn (`true`), or only itself. */
  readonly thirdSixVoidsTurn: true | 'last';
  /** Whether two tokens of a seat on one shared square stop its opponents. */
  readonly ownPairIsBlock: boolean;
  /** Whether a seat must capture before its tokens may turn home. */
  readonly captureBeforeHome: boolean;
  /** Whether capturing on a start square is forbidden. */
  readonly startSquaresSafe: boolean;
};

/** Places by seat and token. */
export type Tokens = readonly (readonly Place[])[];

/** The state that the third six restores. */
export type Snapshot = {
  readonly tokens: Tokens;
  readonly hasCaptured: readonly boolean[];
};

export type TokenName = { readonly seat: Seat; readonly token: number };

/** One roll and its effect. */
export type Step = {
  readonly seat: Seat;
  readonly die: number;
  /** The token that moved; null if none could, or if it was not allowed. */
  readonly token: number | null;
  /** From and to, in words; null if nothing moved. */
  readonly from: string | null;
  readonly to: string | null;
  /** Tokens sent back to their yards. */
  readonly captured: readonly TokenName[];
  /** Whether it was the third six in a row. */
  readonly void: boolean;
};

export type LudoState = Snapshot & {
  readonly rules: LudoRules;
  /** The seat to move, until the end. */
  readonly seat: Seat;
  /** The roll to be used by a token; null if the seat must roll. */
  readonly die: number | null;
  /** Sixes in a row in this turn. */
  readonly sixes: number;
  /** The position before the turn's first move; null before that, or if a third six does not restore it. */
  readonly before: Snapshot | null;
  /** Turns missed in a row, by seat. */
  readonly missed: readonly number[];
  /** Seats that are out, in the order in which they left. */
  readonly out: readonly Seat[];
  /** Seats that have brought the required tokens home, in order. */
  readonly home: readonly Seat[];
  /** In `teams`, the team (0 the even seats, 1 the odd) that has lost because an unfinished player left. */
  readonly teamLeft: number | null;
  /** The last input's effect, roll by roll. Empty while a roll is unused. */
  readonly last: readonly Step[];
};

export function makeInitial({ variant, seats, options }: Setup): LudoState {
  const rules: LudoRules = {
    variant: VARIANTS.find((each) => each === variant) ?? VARIANTS[0],
    thirdSixVoidsTurn: options['thirdSixVoidsTurn'] === 'last' ? 'last' : true,
    ownPairIsBlock: options['ownPairIsBlock'] === true,
    captureBeforeHome: options['captureBeforeHome'] === true,
    startSquaresSafe: options['startSquaresSafe'] === true,
  };
  const place = rules.variant === 'timed' ? 0 : YARD;
  return {
    rules,
    tokens: Array.from({ length: seats }, () => Array<Place>(TOKENS).fill(place)),
    hasCaptured: Array<boolean>(seats).fill(false),
    seat: 0,
    die: null,
    sixes: 0,
    before: null,
    missed: Array<number>(seats).fill(0),
    out: [],
    home: [],
    teamLeft: null,
    last: [],
  };
}

/** A copy with one element changed. */
export function replace<T>(values: readonly T[], index: number, value: T): readonly T[] {
  const changed = values.slice();
  changed[index] = value;
  return changed;
}

export function seatsOf(state: LudoState): readonly Seat[] {
  return state.tokens.map((_, seat) => seat);
}

/** Neither out nor home. */
export function isPlaying({ out, home }: LudoState, seat: Seat): boolean {
  return !out.includes(seat) && !home.includes(seat);
}

/** Whether the team, the even seats or the odd, has a seat that still plays. */
export function isTeamPlaying(state: LudoState, team: number): boolean {
  return seatsOf(state).some((seat) => seat % 2 === team && isPlaying(state, seat));
}

/** Partners neither capture nor block each other. Teams are the even and the odd seats. */
export function areOpponents({ variant }: LudoRules, one: Seat, other: Seat): boolean {
  return variant === 'teams' ? one % 2 !== other % 2 : one !== other;
}

/** Whether the seat has finished by the rules of its variant. */
export function isHome({ variant }: LudoRules, places: readonly Place[]): boolean {
  const done = places.filter(isDone).length;
  return done >= (variant === 'quick' ? 1 : TOKENS);
}
