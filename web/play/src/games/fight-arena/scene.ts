/** What a picture of a fight shows, in one value. */

import type { FightState } from '../../../../../src/games/fight-arena/state.ts';
import type { Effect } from './effects.ts';

/** What is to be seen now. */
export interface Scene {
  readonly state: FightState;
  /** The state a tick before, and how far the picture is from it to `state`, 0 to 1. */
  readonly before: FightState;
  readonly part: number;
  /** Whose seat looks; null for watchers. */
  readonly seat: number | null;
  readonly effects: readonly Effect[];
  /** 0 to 1. */
  readonly shake: number;
  /** Seconds since the last picture. */
  readonly seconds: number;
  /** Are the boxes of the rules drawn over it? */
  readonly showsBoxes: boolean;
  /** The player wants little to move. */
  readonly isCalm: boolean;
  /** Who has won a match that ended in the middle of a round; null while it goes on. */
  readonly winner: number | null;
}
