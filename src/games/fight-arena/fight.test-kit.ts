/** Fights for tests: prepared attacks, random masks, and mirrored states. */

import type { Random } from '../../../game/src/random.ts';
import {
  DASH,
  DOWN,
  HEAVY,
  LEFT,
  LIGHT,
  mirrorMask,
  RIGHT,
  SPECIAL,
  THROW,
  UP,
} from './controls.ts';
import { fightArena } from './fight-arena.ts';
import type { MoveName } from './moves.ts';
import { MOVES } from './moves.ts';
import { READY_TICKS, STAGE_WIDTH } from './stage.ts';
import type { Facing, Fighter, FightState } from './state.ts';
import { step } from './step.ts';

export const OPTIONS = { roundSeconds: 99, roundsToWin: 2 };

export function openFight(options: Partial<typeof OPTIONS> = {}): FightState {
  const setup = { variant: 'standard', seats: 2, options: { ...OPTIONS, ...options } };
  return fightArena.initial(setup);
}

/** The state after that many ticks of the same masks. */
export function hold(state: FightState, masks: readonly [number, number], ticks = 1): FightState {
  let after = state;
  for (let n = 0; n < ticks; n += 1) after = step(after, masks);
  return after;
}

/** The first round, as soon as the fight begins. */
export function startFight(options: Partial<typeof OPTIONS> = {}): FightState {
  return hold(openFight(options), [0, 0], READY_TICKS);
}

/** The state with fighters changed. */
export function change(
  state: FightState,
  first: Partial<Fighter>,
  second: Partial<Fighter> = {},
): FightState {
  const [a, b] = state.fighters;
  return {
    ...state,
    fighters: [
      { ...a, ...first },
      { ...b, ...second },
    ],
  };
}

/** In the middle of the stage, away from walls. */
const MIDDLE = 4_500;
/** How high above the ground an attack in the air starts. */
const POISED_Y = 500;

/** Seat 0's next tick is tick `age` of an attack; seat 1 stands at `distance`. */
export function poise(
  name: MoveName,
  { age = MOVES[name].startup, distance = 700 }: { age?: number; distance?: number } = {},
): FightState {
  const y = MOVES[name].stance === 'air' ? POISED_Y : 0;
  const isCrouching = MOVES[name].stance === 'crouch';
  return change(
    startFight(),
    { x: MIDDLE, y, act: 'attack', move: name, age: age - 1, isCrouching },
    { x: MIDDLE + distance },
  );
}

/** How many ticks of these masks until the seat's fighter is free again. */
export function ticksUntilFree(
  state: FightState,
  seat: 0 | 1,
  masks: readonly [number, number],
): number {
  let after = state;
  for (let ticks = 0; ticks < 300; ticks += 1) {
    if (after.fighters[seat].act === 'free') return ticks;
    after = step(after, masks);
  }
  throw new Error(`Still in ${after.fighters[seat].act} after 300 ticks`);
}

/** Plays while `goOn` returns true. */
export function playWhile(
  state: FightState,
  masks: readonly [number, number],
  goOn: (state: FightState) => boolean,
): FightState {
  let after = state;
  for (let ticks = 0; goOn(after); ticks += 1) {
    if (ticks === 10_000) throw new Error('No end after 10,000 ticks');
    after = step(after, masks);
  }
  return after;
}

/** Players' inputs, by how often they occur. */
const HABITS = [
  0,
  LEFT,
  RIGHT,
  LEFT,
  RIGHT,
  LEFT | DOWN,
  RIGHT | DOWN,
  UP | LEFT,
  UP | RIGHT,
  LIGHT,
  HEAVY,
  DOWN | LIGHT,
  DOWN | HEAVY,
  SPECIAL,
  DOWN | SPECIAL,
  THROW,
  THROW,
  DASH,
  DASH | LEFT,
  DASH | RIGHT,
  LEFT | LIGHT,
  RIGHT | HEAVY,
] as const;
const HOLD_TICKS_MAX = 12;

/** A player with random inputs: each call is a tick, and returns its mask. */
export function makeMasher(random: Random): () => number {
  let mask = 0;
  let left = 0;
  return () => {
    if (left === 0) {
      mask = HABITS[random.integer(HABITS.length)]!;
      left = 1 + random.integer(HOLD_TICKS_MAX);
    }
    left -= 1;
    return mask;
  };
}

/** 0 stays 0, and does not become -0. */
function negate(value: number): number {
  return value === 0 ? 0 : -value;
}

/** The same fight with left and right exchanged. */
export function mirror(state: FightState): FightState {
  const [a, b] = state.fighters;
  return { ...state, fighters: [mirrorFighter(a), mirrorFighter(b)] };
}

function mirrorFighter(fighter: Fighter): Fighter {
  return {
    ...fighter,
    x: STAGE_WIDTH - fighter.x,
    vx: negate(fighter.vx),
    slide: negate(fighter.slide),
    facing: negate(fighter.facing) as Facing,
    held: mirrorMask(fighter.held),
    boltX: fighter.boltFacing === 0 ? 0 : STAGE_WIDTH - fighter.boltX,
    boltFacing: negate(fighter.boltFacing) as Facing | 0,
  };
}

/** The same fight with the seats exchanged. */
export function swap(state: FightState): FightState {
  const [a, b] = state.fighters;
  const rounds = state.rounds.map((round) => ({
    ...round,
    winner: round.winner === null ? null : 1 - round.winner,
    health: [round.health[1], round.health[0]] as const,
  }));
  return { ...state, fighters: [b, a], rounds };
}
