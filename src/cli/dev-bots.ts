/** The demo tenant's bots: one built-in bot for each game there is (rule S4). */

import { GAME_IDS } from '../games/game.ts';
import { findBot } from '../games/registry.ts';
import type { BotService } from '../runtime/bots/bot-service.ts';

/** Registers those that are missing; to be called at every start. */
export async function openDevBots(bots: BotService, tenant: string): Promise<void> {
  for (const game of GAME_IDS) {
    if (findBot(game) === null) continue;
    const bot = {
      tenant,
      game,
      name: `demo ${game}`,
      displayName: 'Robo',
      playerId: `bot:${game}`,
      kind: 'builtin',
      difficulty: null,
      weight: null,
    } as const;
    // One that is there already has the player id.
    await bots.register(bot, 'dev', null);
  }
}
