/** The games of the service: what sessions can be created of. */

import type { GameId } from '../../../game/src/game.ts';
import { seatRangeOf } from '../../../game/src/game.ts';
import type { Games, Rules } from '../../games/games.ts';
import type { HttpDeps } from '../deps.ts';
import type { Endpoints } from '../exchange.ts';
import { makeReply } from '../exchange.ts';

export function makeGameEndpoints({ games }: HttpDeps): Pick<Endpoints, 'listGames'> {
  return {
    listGames: () => ({
      refusal: null,
      perform: () => makeReply(200, { data: games.ids().map((id) => presentGame(games, id)) }),
    }),
  };
}

function presentGame(games: Games, id: GameId): object {
  const rules = games.find(id)!;
  const { game, bot, hash } = rules;
  return {
    game: id,
    isShipped: hash === null,
    ...presentVersion(rules),
    versions: games.versions(id).map(presentVersion),
    seats: game.seats,
    variants: game.variants.map((name) => {
      const { min, max } = seatRangeOf(game, name);
      return { name, seats: { min, max } };
    }),
    options: game.options,
    turnTimeoutMs: game.turnTimeoutMs,
    ticksPerSecond: game.ticks?.ticksPerSecond ?? null,
    isSimultaneous: game.acting !== undefined,
    openInformation: game.openInformation,
    drawOffers: game.drawOffers,
    hasBot: bot !== null,
  };
}

function presentVersion({ game, hash }: Rules): object {
  return { rulesVersion: game.rulesVersion, rulesHash: hash };
}
