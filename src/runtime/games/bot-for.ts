/** Which bot plays the service's seats in an operator's game. */

import type { AnyBot } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { canSearch, makeSearchBot } from '../../../game/src/search/search-bot.ts';
import { measureSpeed, type Positions, positionsAt } from '../../../game/src/search/speed.ts';

/** The measurement takes twice this. Ms. */
const SAMPLE_MS = 50;

/** The game's own bot, else one that searches by the rules; null when the rules do not allow a search. */
export function botFor(
  game: AnyGame,
  own: AnyBot | null,
  positions?: Partial<Positions>,
): AnyBot | null {
  return own ?? makeSearchBot(game, positions === undefined ? {} : { positions });
}

/** How much a search can do in its time on this machine; undefined when there is nothing to search. Takes a moment. */
export function searchBudget(game: AnyGame, elapsedMs: () => number): Positions | undefined {
  if (!canSearch(game)) return undefined;
  const seed = makeRandom(game.id, () => '', 0);
  return positionsAt(measureSpeed(game, seed, elapsedMs, SAMPLE_MS));
}
