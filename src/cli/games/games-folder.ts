/** The operator's games as commands find them: by name or by path, loaded without a service. */

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Environment, type Flags, rawSetting } from '../../config.ts';
import type { Games, Rules } from '../../games/games.ts';
import { SHIPPED_RULES, shippedGames } from '../../games/registry.ts';
import { makeLoading } from '../../open-games.ts';
import { filesOf, findGames, type GameFiles } from '../../runtime/games/game-folder.ts';
import { GUARD_LIMITS, type Guard, makeGuard } from '../../runtime/games/guard.ts';
import { makeLibrary } from '../../runtime/games/library.ts';
import { type LoadDeps, loadGames } from '../../runtime/games/load-game.ts';
import { stopwatchMs } from '../../runtime/system.ts';
import { failed, type Refusal } from '../terminal/answer.ts';

export interface GamesOptions {
  readonly games?: string;
  readonly json?: boolean;
}

/** The default folder of games, if it exists. */
const USUAL_FOLDER = 'my-games';

export function flagsOf({ games }: { readonly games?: string | undefined }): Flags {
  return games === undefined ? {} : { games };
}

/** The folder of games, absolute; it need not be there. */
export function gamesFolder(env: Environment, { games }: GamesOptions): string {
  const { text } = rawSetting(env, flagsOf({ games }), 'games');
  return path.resolve(text === '' ? USUAL_FOLDER : text);
}

/** The files of the games that are meant: all of the folder, or one by its name or its path. */
export function findTargets(
  root: string,
  name: string | undefined,
): readonly GameFiles[] | Refusal {
  if (name === undefined) return existsSync(root) ? findGames(root) : noFolder(root);
  const byName = isFolder(path.join(root, name)) ? filesOf(path.join(root, name)) : null;
  if (byName !== null) return [byName];
  if (!isFolder(name))
    return failed(`${name}: there is no such game in ${root}, and no such folder`);
  const byPath = filesOf(path.resolve(name));
  return byPath !== null ? [byPath] : findGames(path.resolve(name));
}

function noFolder(root: string): Refusal {
  return failed(
    `${root}: there is no such folder; name it with --games, or make it: matchd games new NAME`,
  );
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The shipped games and, if a folder is named, those in it, for the duration of `work`. */
export async function withGames<T>(
  env: Environment,
  options: GamesOptions,
  work: (games: Games) => Promise<T>,
): Promise<T> {
  const { text } = rawSetting(env, flagsOf(options), 'games');
  if (text === '') return work(shippedGames);
  const root = path.resolve(text);
  return withLoading(makeCommandGuard().protect, async (loading) => {
    const library = makeLibrary(SHIPPED_RULES, await loadGames(loading, root));
    return work(library.games);
  });
}

/** Rules that hang end a command as they would end a match. */
function makeCommandGuard(): Guard {
  return makeGuard({ limits: GUARD_LIMITS, elapsedMs: stopwatchMs });
}

/** Loads games for the duration of `work`. */
export async function withLoading<T>(
  protect: (rules: Rules) => Rules,
  work: (loading: LoadDeps, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'matchd-games-'));
  try {
    return await work(await makeLoading(folder, Date.now(), protect), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
