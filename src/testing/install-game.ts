/** Puts a made-up game into the registry, for the tests of one file. */

import { afterAll, mock } from 'bun:test';
import type { AnyGame } from '../../game/src/game.ts';
import * as registry from '../games/registry.ts';

/** As it was loaded: the module itself is what gets replaced. */
const { findGame, findBot } = registry;

/** From now to the end of the calling file, the game is what stands under its id. */
export function installGame(game: AnyGame): void {
  mock.module('../games/registry.ts', () => ({
    findGame: (id: string) => (id === game.id ? game : findGame(id as AnyGame['id'])),
    findBot,
  }));
  afterAll(() => {
    mock.module('../games/registry.ts', () => ({ findGame, findBot }));
  });
}
