/** `matchd bots`: the bots of a running service, with a key: listed with their scores. */

import type { Environment } from '../../config.ts';
import type { Answer } from '../terminal/answer.ts';
import { printTable } from '../terminal/text-table.ts';
import { askService, parseLimit } from './ask-service.ts';
import type { ClientOptions } from './client.ts';

export interface BotsOptions extends ClientOptions {
  readonly game?: string;
  readonly limit?: string;
}

interface Score {
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

/** Of all modes and levels together: `3 won, 1 lost, 0 drawn of 4`. */
function scoreText(score: readonly Score[]): string {
  const sum = (name: keyof Score): number => score.reduce((all, each) => all + each[name], 0);
  if (sum('matches') === 0) return 'no matches';
  return `${sum('wins')} won, ${sum('losses')} lost, ${sum('draws')} drawn of ${sum('matches')}`;
}

export async function listBots(
  env: Environment,
  { limit = '25', game, ...options }: BotsOptions,
): Promise<Answer | null> {
  const count = parseLimit(limit);
  if (typeof count !== 'number') return count;
  return askService(env, options, async (api) => {
    // The service checks the arguments, and says what is valid.
    const filter = { game, limit: count } as Parameters<typeof api.bots.list>[0];
    const { data } = await api.bots.list(filter).page();
    const rows = data.map((bot) => [
      bot.id,
      bot.name,
      bot.game,
      bot.mode,
      bot.kind,
      bot.difficulty ?? '',
      bot.active ? 'active' : 'inactive',
      scoreText(bot.score),
    ]);
    const titles = ['BOT', 'NAME', 'GAME', 'MODE', 'KIND', 'LEVEL', 'STATUS', 'SCORE'];
    return { json: { data }, text: printTable(titles, rows, 'No bots.') };
  });
}
