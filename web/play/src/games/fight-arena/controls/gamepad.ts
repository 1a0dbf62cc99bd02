/** Gamepads with the standard mapping, polled before every frame because they have no events. */

import {
  DASH,
  DOWN,
  HEAVY,
  LEFT,
  LIGHT,
  RIGHT,
  SPECIAL,
  THROW,
  UP,
} from '../../../../../../src/games/fight-arena/controls.ts';
import type { Presses } from '../../presses.ts';

/** A stick counts from this deflection on, 0 to 1. */
const STICK = 0.5;

/** Controls by the standard mapping's button numbers. */
const BUTTONS: Readonly<Record<number, number>> = {
  0: LIGHT,
  1: HEAVY,
  2: SPECIAL,
  3: THROW,
  4: DASH,
  5: DASH,
  6: THROW,
  7: DASH,
  12: UP,
  13: DOWN,
  14: LEFT,
  15: RIGHT,
};

/** The held input of a gamepad. */
export function maskOfPad({ axes, buttons }: Pick<Gamepad, 'axes' | 'buttons'>): number {
  let mask = 0;
  const [x = 0, y = 0] = axes;
  if (x <= -STICK) mask |= LEFT;
  if (x >= STICK) mask |= RIGHT;
  if (y <= -STICK) mask |= UP;
  if (y >= STICK) mask |= DOWN;
  for (const [index, button] of buttons.entries()) {
    if (button.pressed) mask |= BUTTONS[index] ?? 0;
  }
  return mask;
}

/** Reads all gamepads as one: one that is unplugged is no longer listed and holds nothing. */
export function readPads(presses: Presses): void {
  let pads: readonly (Gamepad | null)[] = [];
  try {
    pads = navigator.getGamepads();
  } catch {
    // The embedding page may have forbidden it.
  }
  let mask = 0;
  for (const pad of pads) if (pad?.connected) mask |= maskOfPad(pad);
  presses.hold('pads', mask);
}
