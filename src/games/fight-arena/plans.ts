/** A bot's options, and those it expects of its opponent: masks over ticks. */

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
import type { Facing } from './state.ts';

/** The input of tick `at`, from 0, for a fighter who faces right. */
export type Plan = (at: number) => number;

const press =
  (mask: number): Plan =>
  (at) =>
    at === 0 ? mask : 0;
const keep =
  (mask: number): Plan =>
  () =>
    mask;

/** When a fighter that jumps in attacks, so that it hits on the way down. */
const STRIKE_AT = 26;
const JUMP_HELD = 4;

/** Blocking low once the button is pressed keeps the fighter safe as soon as it is free again. */
const guarded =
  (mask: number): Plan =>
  (at) =>
    at === 0 ? mask : LEFT | DOWN;

const jumpIn: Plan = (at) => {
  if (at <= JUMP_HELD) return UP | RIGHT;
  return at === STRIKE_AT ? HEAVY : 0;
};

/** A fighter's options in its state. */
export const PLANS: readonly Plan[] = [
  keep(LEFT | DOWN),
  keep(LEFT),
  guarded(LIGHT),
  guarded(DOWN | LIGHT),
  guarded(THROW),
  guarded(HEAVY),
  guarded(DOWN | HEAVY),
  guarded(DOWN | SPECIAL),
  keep(RIGHT),
  guarded(SPECIAL),
  jumpIn,
  press(DASH | RIGHT),
  (at) => (at <= JUMP_HELD ? UP | LEFT : 0),
  press(DASH | LEFT),
  (at) => (at <= JUMP_HELD ? UP : 0),
];

/** The opponent's options, likeliest first. */
export const REPLIES: readonly Plan[] = [
  keep(LEFT | DOWN),
  guarded(LIGHT),
  guarded(DOWN | SPECIAL),
  guarded(DOWN | HEAVY),
  guarded(THROW),
  keep(RIGHT),
  jumpIn,
];

/** The plan's mask for that direction. */
export function maskOf(plan: Plan, at: number, facing: Facing): number {
  const mask = plan(at);
  return facing === 1 ? mask : mirrorMask(mask);
}
