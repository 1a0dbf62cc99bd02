/**
 * The operator's games in development: a change is loaded at once, and the code of running matches
 * is stored.
 */

import path from 'node:path';
import type { Parts } from '../../compose.ts';
import type { Config } from '../../config.ts';
import { GAMES_FOLDER } from '../../open-games.ts';
import { loadStored, storeRules } from '../../runtime/games/stored-rules.ts';
import { watchGames } from '../../runtime/games/watch-games.ts';

/** Below the folder of games in the data folder. */
const KEPT_FOLDER = 'kept';

/**
 * Adds what earlier runs have played by, before anything listens. Answers what watches the folder until it is called
 * off; null where the operator has no games. `opened` is called for a new game.
 */
export async function openDevGames(
  { library, loading, clock }: Parts,
  { games: root, dataDir }: Config,
): Promise<((opened: () => void) => () => void) | null> {
  if (root === null || loading === null) return null;
  const kept = path.join(dataDir, GAMES_FOLDER, KEPT_FOLDER);
  const loaded = library.current();
  library.remember(await loadStored(loading, kept, loaded));
  for (const game of loaded) storeRules(kept, game, clock.now());
  return (opened) =>
    watchGames({
      root,
      library,
      loading,
      clock,
      onLoaded(game) {
        storeRules(kept, game, clock.now());
        const { id, rulesVersion } = game.rules.game;
        say(`${id}: loaded, version ${rulesVersion}; new matches use it`);
        opened();
      },
      onGone: (id) => say(`${id}: removed; it has no new matches`),
      onFaults: (faults) => [...faults, 'the rules loaded before stay in use'].forEach(say),
    });
}

/** For the person at the terminal, beside the log. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
