/** The frame data: what every attack is, as one table. @table */

/** Millimetres from the fighter's feet; `front` is in its direction, and may be less than `back`. */
export interface Box {
  readonly back: number;
  readonly front: number;
  readonly low: number;
  readonly high: number;
}

export const MOVE_NAMES = [
  'light',
  'heavy',
  'lowLight',
  'sweep',
  'airLight',
  'airHeavy',
  'bolt',
  'rise',
  'throw',
] as const;
export type MoveName = (typeof MOVE_NAMES)[number];

/** A `mid` attack is blocked standing and crouching, `low` crouching, `high` standing, a `throw` not at all. */
export type Level = 'mid' | 'low' | 'high' | 'throw';

export interface Move {
  readonly stance: 'stand' | 'crouch' | 'air';
  readonly level: Level;
  /** Ticks up to and including the first in which it hits. */
  readonly startup: number;
  /** Ticks in which it hits. */
  readonly active: number;
  /** Ticks after those until its fighter is free. */
  readonly recovery: number;
  /** Ticks of stun after a hit, or a block. */
  readonly hitstun: number;
  readonly blockstun: number;
  /** Ticks that both stand still at the contact. */
  readonly stop: number;
  readonly damage: number;
  /** Damage to a blocking fighter. */
  readonly chip: number;
  /** Pushback of a hit or blocking fighter, in millimetres. */
  readonly pushback: number;
  /** Knocks the fighter down. */
  readonly knocksDown: boolean;
  /** After a contact a special may follow at once. */
  readonly cancels: boolean;
  /** The fighter is invulnerable in this many first ticks. */
  readonly safeTicks: number;
  /** Where it hits; null for the bolt, which flies by itself. */
  readonly hitBox: Box | null;
  /** The limb that it stretches out, and that can be hit, from the first active tick on. */
  readonly limbBox: Box | null;
}

const box = (back: number, front: number, low: number, high: number): Box => ({
  back,
  front,
  low,
  high,
});

/** Hit stun, block stun and stop of heavy and light attacks, similar to published games. */
const LIGHT_STUN = { hitstun: 11, blockstun: 9, stop: 8 } as const;
const HEAVY_STUN = { hitstun: 19, blockstun: 17, stop: 12 } as const;
const GROUNDED = { chip: 0, knocksDown: false, safeTicks: 0 } as const;

export const MOVES: Readonly<Record<MoveName, Move>> = {
  light: {
    ...LIGHT_STUN,
    ...GROUNDED,
    stance: 'stand',
    level: 'mid',
    startup: 5,
    active: 3,
    recovery: 7,
    damage: 45,
    pushback: 260,
    cancels: true,
    hitBox: box(0, 850, 1_100, 1_450),
    limbBox: box(300, 800, 1_100, 1_450),
  },
  heavy: {
    ...HEAVY_STUN,
    ...GROUNDED,
    stance: 'stand',
    level: 'mid',
    startup: 11,
    active: 4,
    recovery: 18,
    damage: 105,
    pushback: 420,
    cancels: true,
    hitBox: box(0, 1_200, 900, 1_500),
    limbBox: box(300, 1_100, 900, 1_500),
  },
  lowLight: {
    ...LIGHT_STUN,
    ...GROUNDED,
    stance: 'crouch',
    level: 'low',
    startup: 6,
    active: 3,
    recovery: 8,
    damage: 35,
    pushback: 260,
    cancels: true,
    hitBox: box(0, 900, 0, 350),
    limbBox: box(300, 850, 0, 350),
  },
  sweep: {
    ...HEAVY_STUN,
    ...GROUNDED,
    stance: 'crouch',
    level: 'low',
    startup: 9,
    active: 4,
    recovery: 24,
    damage: 90,
    pushback: 350,
    knocksDown: true,
    cancels: false,
    hitBox: box(0, 1_250, 0, 300),
    limbBox: box(300, 1_150, 0, 300),
  },
  airLight: {
    ...LIGHT_STUN,
    ...GROUNDED,
    stance: 'air',
    level: 'high',
    startup: 5,
    active: 10,
    recovery: 20,
    damage: 50,
    pushback: 200,
    cancels: false,
    hitBox: box(-200, 600, 100, 700),
    limbBox: box(0, 500, 200, 700),
  },
  airHeavy: {
    ...HEAVY_STUN,
    ...GROUNDED,
    stance: 'air',
    level: 'high',
    startup: 9,
    active: 6,
    recovery: 25,
    damage: 95,
    pushback: 300,
    cancels: false,
    hitBox: box(-100, 900, 0, 800),
    limbBox: box(0, 700, 200, 800),
  },
  bolt: {
    ...LIGHT_STUN,
    ...GROUNDED,
    stance: 'stand',
    level: 'mid',
    startup: 16,
    active: 1,
    recovery: 32,
    damage: 55,
    chip: 8,
    pushback: 500,
    cancels: false,
    hitBox: null,
    limbBox: null,
  },
  rise: {
    ...HEAVY_STUN,
    stance: 'stand',
    level: 'mid',
    startup: 5,
    active: 10,
    recovery: 32,
    damage: 100,
    chip: 12,
    pushback: 250,
    knocksDown: true,
    cancels: false,
    safeTicks: 6,
    hitBox: box(-100, 750, 600, 2_500),
    limbBox: box(0, 500, 1_200, 2_300),
  },
  throw: {
    stance: 'stand',
    level: 'throw',
    startup: 5,
    active: 2,
    recovery: 24,
    hitstun: 0,
    blockstun: 0,
    stop: 10,
    damage: 110,
    chip: 0,
    pushback: 0,
    knocksDown: true,
    cancels: false,
    safeTicks: 0,
    hitBox: box(0, 700, 300, 1_400),
    limbBox: null,
  },
};

/** Ticks in which its fighter is bound by it. */
export function totalTicks(move: Move): number {
  return move.startup + move.active + move.recovery - 1;
}

/** Whether it hits in this tick of the attack, counted from 1. */
export function isActive(move: Move, age: number): boolean {
  return age >= move.startup && age < move.startup + move.active;
}

/** By how many ticks the attacker is free before a fighter hit in its first active tick; negative if later. */
export function advantage(move: Move, stun: number): number {
  return stun - (move.active - 1 + move.recovery);
}
