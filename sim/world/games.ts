/** The games that are simulated: the shipped ones, and one with simultaneous and hidden moves. */

import { type AnyBot, pickOne } from '../../game/src/bot.ts';
import type { AnyGame } from '../../game/src/game.ts';
import { type Games, makeGames } from '../../src/games/games.ts';
import { SHIPPED_RULES } from '../../src/games/registry.ts';
import { sealedBids } from '../../src/testing/matches/sealed-bids.ts';

const game: AnyGame = {
  ...(sealedBids as AnyGame),
  id: 'sealed-bids',
  seats: { ...sealedBids.seats, default: 2 },
};

const bot: AnyBot = {
  makeMind: () => ({
    choose: ({ state, seat }, random) => pickOne(game.legalActions(state, seat)!, random),
  }),
};

export const simulatedGames: Games = makeGames([
  ...SHIPPED_RULES,
  { game, bot, hash: '5ea1ed'.padEnd(64, '0') },
]);
