/** The games there are, by id, each with the bot that plays it. The only place that names them all. */

import type { AnyBot } from '../../game/src/bot.ts';
import type { AnyGame, GameId } from '../../game/src/game.ts';
import { checkersBot } from './checkers/bot.ts';
import { checkers } from './checkers/checkers.ts';
import { connect4Bot } from './connect4/bot.ts';
import { connect4 } from './connect4/connect4.ts';
import { fightArenaBot } from './fight-arena/bot.ts';
import { fightArena } from './fight-arena/fight-arena.ts';
import { ludoBot } from './ludo/bot.ts';
import { ludo } from './ludo/ludo.ts';
import { poolBot } from './pool/bot.ts';
import { pool } from './pool/pool.ts';
import { tictactoeBot } from './tictactoe/bot.ts';
import { tictactoe } from './tictactoe/tictactoe.ts';

/** The games that are shipped, in the order in which every list names them. */
export const GAME_IDS = [
  'checkers',
  'tictactoe',
  'connect4',
  'fight-arena',
  'pool',
  'ludo',
] as const;
export type ShippedGameId = (typeof GAME_IDS)[number];

interface Built {
  readonly game: AnyGame;
  readonly bot: AnyBot;
}

const games: Readonly<Record<ShippedGameId, Built>> = {
  checkers: { game: checkers, bot: checkersBot },
  tictactoe: { game: tictactoe, bot: tictactoeBot },
  connect4: { game: connect4, bot: connect4Bot },
  'fight-arena': { game: fightArena, bot: fightArenaBot },
  pool: { game: pool, bot: poolBot },
  ludo: { game: ludo, bot: ludoBot },
};

function find(id: GameId): Built | null {
  return Object.hasOwn(games, id) ? games[id as ShippedGameId] : null;
}

/** The game of that id, or null while its engine is not built. */
export function findGame(id: GameId): AnyGame | null {
  return find(id)?.game ?? null;
}

/** Who plays the game of that id; null while it is not built. */
export function findBot(id: GameId): AnyBot | null {
  return find(id)?.bot ?? null;
}
