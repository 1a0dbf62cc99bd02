/** `matchd games list`: the shipped games and those of a folder, in every version. */

import { existsSync } from 'node:fs';
import type { Environment } from '../../config.ts';
import { rawSetting } from '../../config.ts';
import { SHIPPED_RULES } from '../../games/registry.ts';
import { type LoadedGame, loadGames } from '../../runtime/games/load-game.ts';
import type { Answer } from '../terminal/answer.ts';
import { printTable } from '../terminal/text-table.ts';
import { flagsOf, type GamesOptions, gamesFolder, withLoading } from './games-folder.ts';

interface Line {
  readonly game: string;
  readonly rulesVersion: number;
  readonly rulesHash: string | null;
  readonly isCurrent: boolean;
  readonly seats: { readonly min: number; readonly max: number };
  readonly variants: readonly string[];
  readonly hasBot: boolean;
  readonly hasBoard: boolean;
}

/** Digits of a hash that people are shown. */
const SHOWN_DIGITS = 12;

export async function listGames(env: Environment, options: GamesOptions): Promise<Answer> {
  const root = gamesFolder(env, options);
  const isNamed = rawSetting(env, flagsOf(options), 'games').from !== 'default';
  const own =
    isNamed || existsSync(root)
      ? await withLoading(
          (rules) => rules,
          (loading) => loadGames(loading, root),
        )
      : [];
  const shipped = SHIPPED_RULES.map((rules) => lineOf({ rules, isCurrent: true }, true));
  const games = [...shipped, ...own.map((each) => lineOf(each, each.browserBoard !== null))];
  const rows = games.map((line) => [
    line.game,
    `${line.rulesVersion}${line.isCurrent ? '' : ' (earlier)'}`,
    line.rulesHash?.slice(0, SHOWN_DIGITS) ?? 'shipped',
    line.seats.min === line.seats.max ? `${line.seats.min}` : `${line.seats.min}-${line.seats.max}`,
    line.variants.join(', '),
    line.hasBot ? 'yes' : 'no',
    line.hasBoard ? 'own' : 'general',
  ]);
  const titles = ['GAME', 'VERSION', 'HASH', 'SEATS', 'VARIANTS', 'BOT', 'BOARD'];
  return { json: { games }, text: printTable(titles, rows, '') };
}

function lineOf(
  { rules, isCurrent }: Pick<LoadedGame, 'rules' | 'isCurrent'>,
  hasBoard: boolean,
): Line {
  const { id, rulesVersion, seats, variants } = rules.game;
  return {
    game: id,
    rulesVersion,
    rulesHash: rules.hash,
    isCurrent,
    seats: { min: seats.min, max: seats.max },
    variants,
    hasBot: rules.bot !== null,
    hasBoard,
  };
}
