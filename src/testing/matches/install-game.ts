/** Puts a test game into the registry, for the tests of one file. */

import { afterAll, mock } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeGames } from '../../games/games.ts';
import * as registry from '../../games/registry.ts';

/** The loaded module: its contents are replaced. */
const loaded = { ...registry };

/** Until the end of the calling file, the game has its id in the registry. */
export function installGame(game: AnyGame): void {
  const { SHIPPED_RULES } = loaded;
  const bot = loaded.findBot(game.id);
  const others = SHIPPED_RULES.filter((rules) => rules.game.id !== game.id);
  const shippedGames = makeGames([...others, { game, bot, hash: null }]);
  mock.module('../../games/registry.ts', () => ({
    ...loaded,
    shippedGames,
    findGame: (id: string) => shippedGames.find(id)?.game ?? null,
  }));
  afterAll(() => {
    mock.module('../../games/registry.ts', () => loaded);
  });
}
