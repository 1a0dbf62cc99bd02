/** Who plays the seats of the service in an operator's game. */

import type { AnyBot } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeSearchBot } from '../../../game/src/search-bot.ts';

/** The game's own bot, else one that searches; null where the game cannot be searched. Calls the rules. */
export function botFor(game: AnyGame, own: AnyBot | null): AnyBot | null {
  return own ?? makeSearchBot(game);
}
