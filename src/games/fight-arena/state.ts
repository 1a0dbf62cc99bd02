/** A fight at one tick: plain data, integers and names only, so that it can be stored and hashed. */

import type { Seat, Setup } from '../../../game/src/game.ts';
import type { MoveName } from './moves.ts';
import { HEALTH_MAX, READY_TICKS, START_X, TICKS_PER_SECOND } from './stage.ts';

/** A fighter's act. `free` is standing, walking and crouching. */
export const ACTS = [
  'free',
  'dash',
  'backdash',
  'prejump',
  'air',
  'landing',
  'attack',
  'hit',
  'block',
  'fall',
  'down',
] as const;
export type Act = (typeof ACTS)[number];

export type Facing = -1 | 1;

export type Fighter = {
  /** The feet, from the left wall and from the ground. Millimetres. */
  readonly x: number;
  readonly y: number;
  /** Millimetres per tick; both 0 on the ground. */
  readonly vx: number;
  readonly vy: number;
  /** 1 faces right. */
  readonly facing: Facing;
  readonly health: number;
  readonly act: Act;
  /** The current tick of its act, from 1. */
  readonly age: number;
  readonly isCrouching: boolean;
  /** The current attack; null unless `act` is `attack`. */
  readonly move: MoveName | null;
  /** Whether that attack has hit or been blocked. */
  readonly hasContact: boolean;
  /** Remaining ticks of stun or of lying. */
  readonly stun: number;
  /** Remaining slide in the stun, in millimetres; negative to the left. */
  readonly slide: number;
  /** Hits taken in a row. */
  readonly row: number;
  /** The mask of the previous tick: a button counts when it is pressed. */
  readonly held: number;
  /** Buttons pressed while busy, and for how many more ticks they count. */
  readonly wanted: number;
  readonly wantedFor: number;
  /** The fighter's bolt: its position and direction; 0 and 0 for none. */
  readonly boltX: number;
  readonly boltFacing: Facing | 0;
};

export const ROUND_ENDS = ['knockout', 'time', 'double_knockout', 'equal_health'] as const;
export type RoundEnd = (typeof ROUND_ENDS)[number];

/** A finished round. */
export type Round = {
  /** Null if it had none and is replayed. */
  readonly winner: Seat | null;
  readonly by: RoundEnd;
  /** Remaining health, by seat. */
  readonly health: readonly [number, number];
  /** How long it took, in ticks. */
  readonly ticks: number;
};

export const PHASES = ['ready', 'fight', 'pause', 'over'] as const;
export type Phase = (typeof PHASES)[number];

export type FightState = {
  /** Ticks since the match began; constant after the end. */
  readonly tick: number;
  readonly phase: Phase;
  /** Ticks left of `ready` or `pause`, or of the round while they fight. */
  readonly left: number;
  /** Ticks for which both still stand still after a contact. */
  readonly stop: number;
  /** By seat. */
  readonly fighters: readonly [Fighter, Fighter];
  /** The finished rounds, including those without a winner. */
  readonly rounds: readonly Round[];
  /** Rounds needed to win. */
  readonly roundsToWin: number;
  /** The length of a round. */
  readonly roundTicks: number;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** A fighter while a tick is computed. Never leaves `step`. */
export type Draft = Mutable<Fighter>;
export type StateDraft = Mutable<Omit<FightState, 'fighters'>> & {
  readonly fighters: readonly [Draft, Draft];
};

export function makeFighter(seat: 0 | 1, held: number): Fighter {
  return {
    x: START_X[seat],
    y: 0,
    vx: 0,
    vy: 0,
    facing: seat === 0 ? 1 : -1,
    health: HEALTH_MAX,
    act: 'free',
    age: 1,
    isCrouching: false,
    move: null,
    hasContact: false,
    stun: 0,
    slide: 0,
    row: 0,
    held,
    wanted: 0,
    wantedFor: 0,
    boltX: 0,
    boltFacing: 0,
  };
}

export function makeInitial({ options }: Pick<Setup, 'options'>): FightState {
  return {
    tick: 0,
    phase: 'ready',
    left: READY_TICKS,
    stop: 0,
    fighters: [makeFighter(0, 0), makeFighter(1, 0)],
    rounds: [],
    roundsToWin: Number(options['roundsToWin']),
    roundTicks: Number(options['roundSeconds']) * TICKS_PER_SECOND,
  };
}

/** Rounds won, by seat. */
export function countWins({ rounds }: Pick<FightState, 'rounds'>): readonly [number, number] {
  let first = 0;
  let second = 0;
  for (const { winner } of rounds) {
    if (winner === 0) first += 1;
    if (winner === 1) second += 1;
  }
  return [first, second];
}

/** Rounds at the end of the list without a winner: how often the last one has been tried. */
export function countUndecided({ rounds }: Pick<FightState, 'rounds'>): number {
  const last = rounds.findLastIndex(({ winner }) => winner !== null);
  return rounds.length - 1 - last;
}
