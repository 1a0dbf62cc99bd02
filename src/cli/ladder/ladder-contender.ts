/** The bots of a ladder: each level of the game's own bot, and each level of the search that plays any game. */

import type { AnyBot, BotLevel } from '../../../game/src/bot.ts';
import { BOT_LEVELS } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeSearchBot } from '../../../game/src/search/search-bot.ts';
import { findBot } from '../../games/registry.ts';

/** `perfect` is left out: there the search plays as in `hard`. */
const SEARCH_CONTENDERS = ['search-easy', 'search-medium', 'search-hard'] as const;

/** Each bot that may be named, the weakest level first. */
export const CONTENDERS = [...BOT_LEVELS, ...SEARCH_CONTENDERS] as const;
export type Contender = (typeof CONTENDERS)[number];

const SEARCH_PREFIX = 'search-';

export function levelOf(contender: Contender): BotLevel {
  const name = contender.replace(SEARCH_PREFIX, '');
  return BOT_LEVELS.find((level) => level === name)!;
}

/** The contender's bot; null where the game has none. */
export function botOf(game: AnyGame, contender: Contender): AnyBot | null {
  return contender.startsWith(SEARCH_PREFIX) ? makeSearchBot(game) : findBot(game.id);
}
