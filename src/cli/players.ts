/** `matchd players`: a player of a running service, with a key: shown, exported, erased. */

import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { Environment } from '../config.ts';
import { FILE_MODE } from '../runtime/whole-file.ts';
import { type Answer, failed, wrongUsage } from './answer.ts';
import { askService } from './ask-service.ts';
import type { ClientOptions } from './client.ts';
import { printFields } from './text-table.ts';

export interface PlayersOptions extends ClientOptions {
  /** Where an export goes; a file that is not there yet. */
  readonly out?: string;
  readonly yes?: boolean;
}

export function showPlayer(
  env: Environment,
  id: string,
  options: ClientOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api) => {
    const player = await api.players.get(id);
    const ratings = Object.entries(player.ratings).map(([game, of]): [string, string] => [
      `rating in ${game}`,
      `${Math.round(of!.rating)} after ${of!.games} matches`,
    ]);
    const text = printFields([
      ['player', player.playerId],
      ['name', player.displayName ?? 'none'],
      ['connected', player.connected ? 'yes' : 'no'],
      ['created', player.createdAt],
      ...ratings,
    ]);
    return { json: player, text };
  });
}

/** Nothing is asked for where its file could not be written. */
export async function exportPlayer(
  env: Environment,
  id: string,
  { out, ...options }: PlayersOptions,
): Promise<Answer | null> {
  if (out === undefined) {
    return askService(env, options, async (api) => {
      const data = await api.players.export(id);
      return { json: data, text: JSON.stringify(data, null, 2) };
    });
  }
  if (existsSync(out)) return failed(`${out} is there already: nothing is written over`);
  const file = openSync(out, 'wx', FILE_MODE);
  let isWritten = false;
  try {
    return await askService(env, options, async (api) => {
      const data = await api.players.export(id);
      writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
      isWritten = true;
      const { sessions } = data;
      return {
        json: { player: id, file: out, sessions: sessions.length },
        text: `${out} has all that is kept of ${id}: ${sessions.length} sessions.`,
      };
    });
  } finally {
    closeSync(file);
    if (!isWritten) rmSync(out, { force: true });
  }
}

export async function erasePlayer(
  env: Environment,
  id: string,
  { yes: isAgreed = false, ...options }: PlayersOptions,
): Promise<Answer | null> {
  if (!isAgreed) {
    return wrongUsage(
      `The id and name of ${id} are erased for good: say --yes, after "matchd players export" where you need one`,
    );
  }
  return askService(env, options, async (api) => {
    const erased = await api.players.erase(id);
    return { json: erased, text: `${id} is erased. Results remain, without a name.` };
  });
}
