/** Who plays the seats of the service in an operator's game. */

import type { AnyBot } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';

/** The game's own bot, where it has one. */
export function botFor(_game: AnyGame, own: AnyBot | null): AnyBot | null {
  return own;
}
