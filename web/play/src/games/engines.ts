/** The engines, each its own chunk: loaded when the page verifies a match. */

import type { AnyGame } from '../../../../game/src/game.ts';
import type { PlayedRules } from './operator/manifest.ts';
import { loadOperatorRules } from './operator/rules.ts';

const LOADERS: Readonly<Record<string, () => Promise<AnyGame>>> = {
  tictactoe: async () => (await import('../../../../src/games/tictactoe/tictactoe.ts')).tictactoe,
  connect4: async () => (await import('../../../../src/games/connect4/connect4.ts')).connect4,
  checkers: async () => (await import('../../../../src/games/checkers/checkers.ts')).checkers,
  ludo: async () => (await import('../../../../src/games/ludo/ludo.ts')).ludo,
  pool: async () => (await import('../../../../src/games/pool/pool.ts')).pool,
  'fight-arena': async () =>
    (await import('../../../../src/games/fight-arena/fight-arena.ts')).fightArena,
};

/**
 * Loads a game's rules: for an operator's game the version that the match was played by, or the current one. Null
 * when
 * there are none. Rejects when they cannot be fetched.
 */
export async function loadEngine(
  game: string,
  played: PlayedRules | null,
): Promise<AnyGame | null> {
  return Object.hasOwn(LOADERS, game) ? LOADERS[game]!() : loadOperatorRules(game, played);
}
