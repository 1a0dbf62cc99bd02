/** Loads an operator's game from its folder: every version of its rules, its bot, its board. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyBot } from '../../../game/src/bot.ts';
import type { GameId } from '../../../game/src/game.ts';
import type { Rules } from '../../games/games.ts';
import type { Bundle, BundleSource } from '../../platform/bundler.ts';
import { botFor } from './bot-for.ts';
import { type FrozenRules, parseFrozen } from './frozen.ts';
import { GamesError, gameFault, messageOf } from './game-error.ts';
import { type FrozenFile, findGames, type GameFiles } from './game-folder.ts';
import { type AnyModule, importModule, type ModuleFiles } from './module-files.ts';
import { PACKAGE_NAME } from './package-text.ts';
import { readBot, readGame, readStrings, type Strings } from './read-game.ts';
import { hashSources } from './source-hash.ts';

/** One version of an operator's game. */
export interface LoadedGame {
  /** Guarded rules, which matches are played by. `hash` is never null. */
  readonly rules: Rules;
  /** New matches use this version; other versions are for matches that began with them. */
  readonly isCurrent: boolean;
  /** The rules as a module that exports `game`: the text that this process and browsers run. */
  readonly browserRules: string;
  /** The board for the players' page, a module of its own; older versions use the current board. */
  readonly browserBoard: string | null;
  readonly strings: Strings | null;
  /** Files that threads import. */
  readonly files: { readonly rules: string; readonly bot: string | null };
}

export interface LoadDeps {
  readonly bundle: Bundle;
  /** `@matchd/game` as a module's text. */
  readonly packageText: string;
  readonly modules: ModuleFiles;
  /** Guards the functions of rules. */
  protect(rules: Rules): Rules;
  /** Ids that no operator's game may have. */
  readonly shippedIds: readonly GameId[];
}

/** Every game of a folder in every version, the current version last. Throws a `GamesError` with all faults. */
export async function loadGames(deps: LoadDeps, root: string): Promise<readonly LoadedGame[]> {
  const faults: string[] = [];
  const loaded: LoadedGame[] = [];
  for (const files of findGames(root)) {
    try {
      loaded.push(...(await loadGame(deps, files)));
    } catch (error) {
      if (!(error instanceof GamesError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new GamesError(faults);
  return loaded;
}

/** One game in every version, the current one last. Throws a `GamesError`. */
export async function loadGame(deps: LoadDeps, files: GameFiles): Promise<readonly LoadedGame[]> {
  const { id } = files;
  if (deps.shippedIds.includes(id)) {
    throw gameFault(id, 'a shipped game has this id; rename the folder and the game');
  }
  const rules = await bundleIn(deps, files, files.rules);
  const hash = hashSources(files.folder, rules.sources);
  const bot = files.bot === null ? null : await loadBot(deps, files, files.bot);
  const dress: Dress = {
    browserBoard: files.board === null ? null : (await bundleIn(deps, files, files.board)).text,
    strings: files.strings === null ? null : loadStrings(files, files.strings),
  };
  const current = await makeLoaded(deps, {
    id,
    hash,
    text: rules.text,
    bot,
    dress,
    file: shownName(files, files.rules),
    isCurrent: true,
  });
  const older: LoadedGame[] = [];
  for (const file of files.frozen) {
    const frozen = readFrozen(files, file);
    checkFrozen(frozen, current, shownName(files, files.rules));
    if (frozen.hash !== hash)
      older.push(await loadFrozen(deps, frozen, dress, shownName(files, file.path)));
  }
  return [...older, current];
}

/** What a game has besides its rules, the same for all versions. */
type Dress = Pick<LoadedGame, 'browserBoard' | 'strings'>;

/** Rules of an earlier version, as they were frozen; `file` is their name in messages. */
export function loadFrozen(
  deps: LoadDeps,
  { id, version, hash, text }: FrozenRules,
  dress: Dress,
  file: string,
): Promise<LoadedGame> {
  // The current bot was written for the current rules.
  return makeLoaded(deps, { id, hash, text, bot: null, dress, file, isCurrent: false, version });
}

interface Found {
  readonly id: GameId;
  readonly hash: string;
  readonly text: string;
  readonly bot: { readonly bot: AnyBot; readonly file: string } | null;
  readonly dress: Dress;
  readonly file: string;
  readonly isCurrent: boolean;
  /** The names that the rules must have, where known. */
  readonly version?: number;
}

async function makeLoaded(deps: LoadDeps, found: Found): Promise<LoadedGame> {
  const { id, hash, text, bot, dress, file, isCurrent, version } = found;
  const rulesFile = deps.modules.write(`${id}.rules`, text);
  const game = readGame(await run(file, rulesFile));
  if (typeof game === 'string') throw gameFault(file, game);
  if (game.id !== id) {
    throw gameFault(file, `the game calls itself ${JSON.stringify(game.id)}, its folder ${id}`);
  }
  if (version !== undefined && game.rulesVersion !== version) {
    throw gameFault(file, `the rules call themselves version ${game.rulesVersion}`);
  }
  return {
    rules: protectWithBot(deps, file, { game, bot: bot?.bot ?? null, hash }),
    isCurrent,
    browserRules: text,
    ...dress,
    files: { rules: rulesFile, bot: bot?.file ?? null },
  };
}

/** A search calls the game on the way: guarded, because a game may hang in its first position. */
function protectWithBot({ protect }: LoadDeps, file: string, { game, bot, hash }: Rules): Rules {
  const bare = protect({ game, bot: null, hash });
  try {
    return protect({ game, bot: botFor(bare.game, bot), hash });
  } catch (error) {
    throw gameFault(file, `its first position: ${messageOf(error)}`);
  }
}

async function loadBot(deps: LoadDeps, files: GameFiles, source: string) {
  const name = shownName(files, source);
  const { text } = await bundleIn(deps, files, source);
  const file = deps.modules.write(`${files.id}.bot`, text);
  const bot = readBot(await run(name, file));
  if (typeof bot === 'string') throw gameFault(name, bot);
  return { bot, file };
}

function loadStrings(files: GameFiles, file: string): Strings {
  const strings = readStrings(readFileSync(file, 'utf8'));
  if (typeof strings === 'string') throw gameFault(shownName(files, file), strings);
  return strings;
}

function readFrozen(files: GameFiles, { version, path: file }: FrozenFile): FrozenRules {
  const name = shownName(files, file);
  const frozen = parseFrozen(readFileSync(file, 'utf8'));
  if (typeof frozen === 'string') throw gameFault(name, frozen);
  if (frozen.id === files.id && frozen.version === version) return frozen;
  throw gameFault(name, `it holds version ${frozen.version} of ${frozen.id}`);
}

/** One version cannot have two texts: its matches would continue by other rules. */
function checkFrozen(frozen: FrozenRules, { rules }: LoadedGame, file: string): void {
  const { rulesVersion } = rules.game;
  if (frozen.version !== rulesVersion || frozen.hash === rules.hash) return;
  throw gameFault(
    file,
    `version ${rulesVersion} was frozen with other code: raise rulesVersion, or undo the change`,
  );
}

/** Bundles a file of a game. Throws a `GamesError`. */
export async function bundleIn(
  { bundle, packageText }: LoadDeps,
  { folder }: Pick<GameFiles, 'folder'>,
  entry: string,
): Promise<{ readonly text: string; readonly sources: readonly BundleSource[] }> {
  const root = path.dirname(folder);
  const made = await bundle({ entry, root, provided: { [PACKAGE_NAME]: packageText } });
  if (made.ok) return made;
  const file = path.relative(root, entry);
  // A fault of another file that it imports names that one.
  throw new GamesError(
    made.errors.map((error) => (namesFile(error) ? error : `${file}: ${error}`)),
  );
}

function namesFile(error: string): boolean {
  return /\.[jt]sx?$|\.mjs$|\.json$/.test(error.split(':')[0]!);
}

/** Runs a module; `name` is the file in messages. */
async function run(name: string, file: string): Promise<AnyModule> {
  try {
    return await importModule(file);
  } catch (error) {
    throw gameFault(name, `does not load: ${messageOf(error)}`);
  }
}

function shownName({ folder }: GameFiles, file: string): string {
  return path.relative(path.dirname(folder), file);
}
