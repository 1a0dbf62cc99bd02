/** An operator's rules on a thread of their own: unguarded, because a thread that takes too long is terminated. */

import type { Rules, RulesRef } from '../../games/games.ts';
import { stopwatchMs } from '../system.ts';
import { botFor, searchBudget } from './bot-for.ts';
import type { RulesFiles } from './library.ts';
import { importModule } from './module-files.ts';
import { readBot, readGame } from './read-game.ts';

/** Loads files that the main thread has already loaded. Rejects if that fails here. */
export async function loadRules(ref: RulesRef, { rules, bot }: RulesFiles): Promise<Rules> {
  const game = readGame(await importModule(rules));
  if (typeof game === 'string') throw new Error(`${ref.game}: ${game}`);
  const own = bot === null ? null : readBot(await importModule(bot));
  if (typeof own === 'string') throw new Error(`${ref.game}: ${own}`);
  const positions = own === null ? searchBudget(game, stopwatchMs) : undefined;
  return { game, bot: botFor(game, own, positions), hash: ref.rulesHash ?? null };
}
