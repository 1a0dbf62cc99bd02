/** The games there are, by id. The only place that names them all. */

import { connect4 } from './connect4/connect4.ts';
import type { AnyGame, GameId } from './game.ts';
import { tictactoe } from './tictactoe/tictactoe.ts';

const games: Partial<Record<GameId, AnyGame>> = {
  tictactoe,
  connect4,
};

/** The game of that id, or null while its engine is not built. */
export function findGame(id: GameId): AnyGame | null {
  return Object.hasOwn(games, id) ? (games[id] ?? null) : null;
}
