/** Everything that a frame of a fight shows, in one value. */

import type { FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { Effect } from './effects.ts';

/** The current state. */
export interface Scene {
  readonly state: FightState;
  /** The state a tick before, and the frame's position between it and `state`, 0 to 1. */
  readonly before: FightState;
  readonly part: number;
  /** The viewer's seat; null for watchers. */
  readonly seat: number | null;
  readonly effects: readonly Effect[];
  /** 0 to 1. */
  readonly shake: number;
  /** Seconds since the last frame. */
  readonly seconds: number;
  /** Whether hit boxes are drawn. */
  readonly showsBoxes: boolean;
  /** The player prefers reduced motion. */
  readonly isCalm: boolean;
  /** The winner of a match that ended during a round; null while it is running. */
  readonly winner: number | null;
}
