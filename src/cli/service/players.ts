/** `matchd players`: a player of a running service, with a key: shown, with the ratings over time, exported, erased. */

import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { Matchd } from '../../../sdk/src/server/index.ts';
import type { Environment } from '../../config.ts';
import { FILE_MODE } from '../../runtime/whole-file.ts';
import { type Answer, failed, wrongUsage } from '../terminal/answer.ts';
import { paint, type Tone } from '../terminal/paint.ts';
import { printFields, printTable } from '../terminal/text-table.ts';
import { askService, parseLimit } from './ask-service.ts';
import type { ClientOptions } from './client.ts';

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

export interface HistoryOptions extends ClientOptions {
  readonly game?: string;
  readonly limit?: string;
}

type Pages = ReturnType<Matchd['players']['ratingHistory']>;
type RatedMatch = Awaited<ReturnType<Pages['page']>>['data'][number];

const TONES: Readonly<Record<RatedMatch['outcome'], Tone>> = {
  win: 'good',
  loss: 'bad',
  draw: 'warning',
};

/** With its sign: `+12.5`. */
function signed(points: number): string {
  return `${points < 0 ? '' : '+'}${points.toFixed(1)}`;
}

/** The newest first. A page may be short and not be the last: rows are gathered over pages. */
export async function listRatingHistory(
  env: Environment,
  id: string,
  { game, limit = '25', ...options }: HistoryOptions,
): Promise<Answer | null> {
  if (game === undefined) return wrongUsage('--game <game> is required');
  const count = parseLimit(limit);
  if (typeof count !== 'number') return count;
  return askService(env, options, async (api) => {
    // The service checks the arguments, and says what is valid.
    const filter = { game, limit: count } as Parameters<typeof api.players.ratingHistory>[1];
    const data: RatedMatch[] = [];
    for await (const each of api.players.ratingHistory(id, filter)) {
      data.push(each);
      if (data.length === count) break;
    }
    const rows = data.map(({ at, sessionId, before, after, outcome }) => [
      at,
      after.toFixed(1),
      signed(after - before),
      paint(TONES[outcome], outcome),
      sessionId,
    ]);
    const titles = ['TIME', 'RATING', 'CHANGE', 'OUTCOME', 'SESSION'];
    return { json: { data }, text: printTable(titles, rows, 'No rated matches.') };
  });
}

/** No request is made if the file cannot be written. */
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
  if (existsSync(out)) return failed(`${out} already exists and is not overwritten`);
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
        text: `${out} has all data of ${id}: ${sessions.length} sessions.`,
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
      `This permanently erases the id and name of ${id}. Run "matchd players export" first if you need the data, then use --yes`,
    );
  }
  return askService(env, options, async (api) => {
    const erased = await api.players.erase(id);
    return { json: erased, text: `${id} is erased. Results remain, without a name.` };
  });
}
