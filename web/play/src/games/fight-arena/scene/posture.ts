/** A fighter's pose, derived from its act, the tick of the act, and the frame data. Pure. */

import { isDown, sideways } from '../../../../../../src/games/fight-arena/controls.ts';
import type { MoveName } from '../../../../../../src/games/fight-arena/moves.ts';
import { isActive, MOVES, totalTicks } from '../../../../../../src/games/fight-arena/moves.ts';
import {
  BACKDASH_MOVES,
  BACKDASH_TICKS,
  DASH_TICKS,
  READY_TICKS,
} from '../../../../../../src/games/fight-arena/stage.ts';
import type { Fighter, FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { Pose } from './pose.ts';
import { ease, mix, shift } from './pose.ts';
import {
  BACKDASH,
  BLOCK,
  BLOCK_LOW,
  CROUCH,
  DASH,
  FALL,
  GUARD,
  HIT_BODY,
  HIT_HEAD,
  HIT_LOW,
  JUMP_DOWN,
  JUMP_TOP,
  JUMP_UP,
  KNEEL,
  LYING,
  RELAXED,
  SQUAT,
  STROKES,
  WIN,
} from './poses.ts';

/** Ground covered by one step of both feet, and half the stride of a foot. */
const STRIDE = 620;
const STEP = 150;
const STEP_HEIGHT = 90;
/** Ticks of a breath. */
const BREATH_TICKS = 84;
/** The last ticks on the ground, in which it gets up. */
const RISE_TICKS = 14;
/** Ticks in which stun fades. */
const STUN_FADE_TICKS = 9;
/** The part of an attack's startup that is wind-up. */
const WINDUP_PART = 0.55;
/** The part of an attack's recovery in which it stays extended. */
const FOLLOW_PART = 0.4;
/** Ticks before the winner cheers. */
const CHEER_TICKS = 30;

export type Stage = 'startup' | 'active' | 'recovery';

/** An attack's progress; null when the fighter does not attack. */
export function stageOf({ move, age }: Pick<Fighter, 'move' | 'age'>): Stage | null {
  if (move === null) return null;
  if (age < MOVES[move].startup) return 'startup';
  return isActive(MOVES[move], age) ? 'active' : 'recovery';
}

/** The pose of a seat's fighter. `tick` may lie between two ticks; it only drives the idle sway. */
export function poseOf(state: FightState, seat: 0 | 1, tick = state.tick): Pose {
  const fighter = state.fighters[seat];
  if (fighter.act === 'free') return freePose(state, seat, tick);
  return actPose(fighter);
}

function freePose(state: FightState, seat: 0 | 1, tick: number): Pose {
  const fighter = state.fighters[seat];
  const sway = Math.sin((tick / BREATH_TICKS) * 2 * Math.PI + seat * 2);
  if (state.phase === 'ready') {
    const part = ease((READY_TICKS - state.left) / 45 - 0.5);
    return breathe(mix(RELAXED, GUARD, part), sway);
  }
  if (state.phase === 'pause' || state.phase === 'over') {
    const pose = afterRound(state, seat);
    if (pose !== null) return breathe(pose, sway);
  }
  if (fighter.isCrouching) return breathe(CROUCH, sway * 0.6);
  const side = state.phase === 'fight' ? sideways(fighter.held) : 0;
  return side === 0 ? breathe(GUARD, sway) : walk(fighter);
}

/** The round's result for a standing fighter; null until it shows. */
function afterRound({ rounds, fighters }: FightState, seat: 0 | 1): Pose | null {
  const last = rounds.at(-1);
  const { age, health } = fighters[seat];
  if (last === undefined || age < CHEER_TICKS / 2) return null;
  const part = ease((age - CHEER_TICKS / 2) / CHEER_TICKS);
  if (last.winner === seat) return mix(GUARD, WIN, part);
  if (last.winner !== null && health > 0) return mix(GUARD, KNEEL, part);
  return mix(GUARD, RELAXED, part);
}

/** The stances after a resignation: one of the fighters has won although neither was knocked out. */
export function endPose(hasWon: boolean): Pose {
  return hasWon ? WIN : KNEEL;
}

function breathe(pose: Pose, sway: number): Pose {
  const rise = sway * 9;
  const up = ([x, y]: Pose['hip'], by: number): Pose['hip'] => [x + by * 0.5, y + by];
  return {
    ...pose,
    hip: up(pose.hip, rise * 0.4),
    neck: up(pose.neck, rise),
    head: up(pose.head, rise * 1.2),
    handFar: up(pose.handFar, rise * 2),
    handNear: up(pose.handNear, rise * 1.6),
  };
}

/** The feet stay on the ground while the body moves above them. */
function walk({ x, facing }: Fighter): Pose {
  const phase = ((x * facing) / STRIDE) * 2 * Math.PI;
  const foot = (at: number, home: number): Pose['hip'] => [
    home + STEP * Math.cos(at),
    GUARD.footFar[1] + STEP_HEIGHT * Math.max(0, -Math.sin(at)),
  ];
  const bob = 14 * Math.cos(2 * phase);
  return {
    ...shift(GUARD, 0, bob),
    footFar: foot(phase, 190),
    footNear: foot(phase + Math.PI, -230),
  };
}

function actPose(fighter: Fighter): Pose {
  const { act, age, stun } = fighter;
  switch (act) {
    case 'free':
      return GUARD;
    case 'dash':
      return fade(GUARD, DASH, age, 3, DASH_TICKS, 4);
    case 'backdash':
      return hop(fighter);
    case 'prejump':
      return SQUAT;
    case 'landing':
      return mix(SQUAT, GUARD, (age - 1) / 4);
    case 'air':
      return airPose(fighter);
    case 'attack':
      return strokePose(fighter, fighter.move!);
    case 'hit':
      return mix(resting(fighter), stricken(fighter), ease(stun / STUN_FADE_TICKS));
    case 'block':
      return fighter.isCrouching ? BLOCK_LOW : BLOCK;
    case 'fall':
      return mix(HIT_HEAD, FALL, ease(age / 9));
    case 'down':
      return lying(fighter);
  }
}

/** From one pose to another within `rise` ticks, and back in the last `set` of `length`. */
function fade(from: Pose, to: Pose, age: number, rise: number, length: number, set: number): Pose {
  return mix(from, to, Math.min(ease(age / rise), ease((length + 1 - age) / set)));
}

function hop({ age }: Fighter): Pose {
  const flight = Math.min(1, age / BACKDASH_MOVES);
  const pose = fade(GUARD, BACKDASH, age, 3, BACKDASH_TICKS, 5);
  return shift(pose, 0, 130 * Math.sin(flight * Math.PI));
}

/** A jump's pose, up, at the top and down again, by its vertical speed. */
function airPose({ vy }: Fighter): Pose {
  return vy > 0
    ? mix(JUMP_TOP, JUMP_UP, ease(vy / 120))
    : mix(JUMP_TOP, JUMP_DOWN, ease(-vy / 120));
}

const resting = ({ isCrouching }: Fighter): Pose => (isCrouching ? CROUCH : GUARD);

/** Hits of a combo alternate between head and body, so that each is visible. */
function stricken({ isCrouching, row }: Fighter): Pose {
  if (isCrouching) return HIT_LOW;
  return row % 2 === 1 ? HIT_HEAD : HIT_BODY;
}

function lying({ age, stun, health }: Fighter): Pose {
  const bounce = 90 * Math.max(0, Math.sin((Math.min(age, 10) / 10) * Math.PI));
  const flat = shift(mix(FALL, LYING, ease(age / 4)), 0, bounce);
  if (health === 0 || stun > RISE_TICKS) return flat;
  const part = 1 - stun / RISE_TICKS;
  return part < 0.5 ? mix(LYING, KNEEL, ease(part * 2)) : mix(KNEEL, GUARD, ease(part * 2 - 1));
}

/** The poses between which an attack begins and ends. */
function homeOf(fighter: Fighter, name: MoveName): Pose {
  const { stance } = MOVES[name];
  if (stance === 'air') return airPose(fighter);
  return stance === 'crouch' || isDown(fighter.held) ? CROUCH : GUARD;
}

function strokePose(fighter: Fighter, name: MoveName): Pose {
  const { age, hasContact } = fighter;
  const { startup, active } = MOVES[name];
  const { windup, strike, follow } = STROKES[name];
  const home = homeOf(fighter, name);
  if (age < startup) {
    const part = age / startup;
    if (part < WINDUP_PART) return mix(home, windup, ease(part / WINDUP_PART));
    return mix(windup, strike, ease((part - WINDUP_PART) / (1 - WINDUP_PART)) * 0.6);
  }
  // A throw that connects turns the opponent round at once.
  if (name === 'throw' && hasContact) return mix(strike, follow, ease((age - startup) / 6));
  if (age < startup + active) return strike;
  const part = (age - startup - active + 1) / (totalTicks(MOVES[name]) - startup - active + 2);
  if (part < FOLLOW_PART) return mix(strike, follow, ease(part / FOLLOW_PART));
  return mix(follow, home, ease((part - FOLLOW_PART) / (1 - FOLLOW_PART)));
}
