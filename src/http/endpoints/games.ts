/** The games that sessions can be created of. */

import type { GameId } from '../../../game/src/game.ts';
import { seatRangeOf } from '../../../game/src/game.ts';
import type { Rules } from '../../games/games.ts';
import { makeTime } from '../../match/frames/frames.ts';
import type { SlowCalls } from '../../runtime/games/slow-rules.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Endpoints } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';

type Deps = Pick<HttpDeps, 'games' | 'slowCallsOf'>;

export function makeGameEndpoints(deps: Deps): Pick<Endpoints, 'listGames'> {
  return {
    listGames: () => ({
      refusal: null,
      perform: () => makeReply(200, { data: deps.games.ids().map((id) => presentGame(deps, id)) }),
    }),
  };
}

function presentGame({ games, slowCallsOf }: Deps, id: GameId): object {
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
    slowCalls: presentSlow(slowCallsOf(id)),
  };
}

function presentSlow(calls: SlowCalls | null): object | null {
  return calls && { ...calls, lastAt: makeTime(calls.lastAt) };
}

function presentVersion({ game, hash }: Rules): object {
  return { rulesVersion: game.rulesVersion, rulesHash: hash };
}
