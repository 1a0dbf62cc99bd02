/** The shipped games, each with its bot. The only place that lists them all. */

import type { AnyBot } from '../../game/src/bot.ts';
import type { AnyGame, GameId } from '../../game/src/game.ts';
import { checkersBot } from './checkers/bot.ts';
import { checkers } from './checkers/checkers.ts';
import { connect4Bot } from './connect4/bot.ts';
import { connect4 } from './connect4/connect4.ts';
import { fightArenaBot } from './fight-arena/bot.ts';
import { fightArena } from './fight-arena/fight-arena.ts';
import { type Games, makeGames, type Rules } from './games.ts';
import { ludoBot } from './ludo/bot.ts';
import { ludo } from './ludo/ludo.ts';
import { poolBot } from './pool/bot.ts';
import { pool } from './pool/pool.ts';
import { tictactoeBot } from './tictactoe/bot.ts';
import { tictactoe } from './tictactoe/tictactoe.ts';

/** The shipped games, in the order of every list. */
export const GAME_IDS = [
  'checkers',
  'tictactoe',
  'connect4',
  'fight-arena',
  'pool',
  'ludo',
] as const;
export type ShippedGameId = (typeof GAME_IDS)[number];

/** In the order of `GAME_IDS`. */
const shipped: Readonly<Record<ShippedGameId, Omit<Rules, 'hash'>>> = {
  checkers: { game: checkers, bot: checkersBot },
  tictactoe: { game: tictactoe, bot: tictactoeBot },
  connect4: { game: connect4, bot: connect4Bot },
  'fight-arena': { game: fightArena, bot: fightArenaBot },
  pool: { game: pool, bot: poolBot },
  ludo: { game: ludo, bot: ludoBot },
};

/** The shipped games' rules, in listing order. */
export const SHIPPED_RULES: readonly Rules[] = GAME_IDS.map((id) => ({
  ...shipped[id],
  hash: null,
}));

/** The shipped games only. */
export const shippedGames: Games = makeGames(SHIPPED_RULES);

/** The shipped game with that id; null if there is none. */
export function findGame(id: GameId): AnyGame | null {
  return shippedGames.find(id)?.game ?? null;
}

/** The bot of the shipped game with that id; null if there is none. */
export function findBot(id: GameId): AnyBot | null {
  return shippedGames.find(id)?.bot ?? null;
}
