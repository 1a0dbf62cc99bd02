/** A short vibration when it is the player's turn, on devices that have one. */

import { movesFreely } from './motion.ts';
import type { Settings } from './settings.ts';

const TURN_MS = 40;

/** A fine pointer is a mouse: such devices have the API but no vibration. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;
}

export function vibrateForTurn(settings: Settings): void {
  // A browser rejects it, and logs a warning, until the player has touched the page.
  if (!canVibrate() || !navigator.userActivation.hasBeenActive) return;
  if (!movesFreely() || !settings.isOn('vibrate')) return;
  navigator.vibrate(TURN_MS);
}
