/** A player's input in one tick: a bit mask. */

export const LEFT = 1;
export const RIGHT = 2;
export const UP = 4;
export const DOWN = 8;
export const LIGHT = 16;
export const HEAVY = 32;
export const SPECIAL = 64;
export const THROW = 128;
export const DASH = 256;

/** The controls by name, as clients list them. */
export const CONTROLS = {
  left: LEFT,
  right: RIGHT,
  up: UP,
  down: DOWN,
  light: LIGHT,
  heavy: HEAVY,
  special: SPECIAL,
  throw: THROW,
  dash: DASH,
} as const;

/** Every control at once: masks are 0 to this. */
export const MASK_MAX = 511;

/** Buttons count when they are pressed, not while they are held. */
export const BUTTONS = LIGHT | HEAVY | SPECIAL | THROW | DASH;

/** -1 to the left, 1 to the right; both at once count as neither. */
export function sideways(mask: number): -1 | 0 | 1 {
  const both = mask & (LEFT | RIGHT);
  if (both === LEFT) return -1;
  return both === RIGHT ? 1 : 0;
}

/** Up and down at once count as neither. */
export function isDown(mask: number): boolean {
  return (mask & (UP | DOWN)) === DOWN;
}

export function isUp(mask: number): boolean {
  return (mask & (UP | DOWN)) === UP;
}

/** The same controls on a mirrored stage. */
export function mirrorMask(mask: number): number {
  const kept = mask & ~(LEFT | RIGHT);
  return kept | (mask & LEFT ? RIGHT : 0) | (mask & RIGHT ? LEFT : 0);
}
