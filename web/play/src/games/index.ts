/** The available boards, each its own chunk. The only module of the page that names the games. */

import type { Translate } from '../i18n/translate.ts';
import type { BoardModule } from './board-view.ts';

const LOADERS: Readonly<Record<string, () => Promise<BoardModule>>> = {
  tictactoe: async () => (await import('./tictactoe.ts')).tictactoeBoard,
  checkers: async () => (await import('./checkers/checkers.ts')).checkersBoard,
  ludo: async () => (await import('./ludo/ludo.ts')).ludoBoard,
  'fight-arena': async () => (await import('./fight-arena/fight-arena.ts')).fightBoard,
  pool: async () => (await import('./pool/pool.ts')).poolBoard,
  connect4: async () => (await import('./connect4.ts')).connect4Board,
};

/** Loads a game's board: the page's own, the game's own, or one for any game. Rejects when it cannot be fetched. */
export async function loadBoard(game: string, t: Translate): Promise<BoardModule> {
  if (Object.hasOwn(LOADERS, game)) return LOADERS[game]!();
  return (await import('./operator/board.ts')).loadOperatorBoard(game, t);
}
