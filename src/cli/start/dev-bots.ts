/** The demo tenant's bots: as many of each game as one player needs to fill it (rule S4). */

import type { GameId } from '../../../game/src/game.ts';
import type { Games } from '../../games/games.ts';
import type { BotService, NewBot } from '../../runtime/bots/bot-service.ts';

/** Registers those that are missing; to be called at every start. */
export async function openDevBots(
  bots: Pick<BotService, 'register'>,
  tenant: string,
  games: Games,
): Promise<void> {
  for (const game of games.ids()) {
    const rules = games.find(game);
    const count = rules === null || rules.bot === null ? 0 : rules.game.seats.max - 1;
    for (let number = 1; number <= count; number += 1) {
      // An existing one already has the player id.
      await bots.register(makeDevBot(tenant, game, number), 'dev', null);
    }
  }
}

/** Numbered from the second on. */
function makeDevBot(tenant: string, game: GameId, number: number): NewBot {
  const [label, suffix] = number === 1 ? ['', ''] : [` ${number}`, `:${number}`];
  return {
    tenant,
    // Seated in test sessions, too: the demo plays with either key.
    mode: 'live',
    game,
    name: `demo ${game}${label}`,
    displayName: `Robo${label}`,
    playerId: `bot:${game}${suffix}`,
    kind: 'builtin',
    difficulty: null,
    weight: null,
  };
}
