/** `matchd games freeze`: the rules as they are now, as one file, for matches that began with them. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../config.ts';
import { makeFrozen } from '../../runtime/games/frozen.ts';
import { VERSIONS_FOLDER } from '../../runtime/games/game-folder.ts';
import { loadGame } from '../../runtime/games/load-game.ts';
import { type Answer, failed, isRefusal } from '../terminal/answer.ts';
import { findTargets, type GamesOptions, gamesFolder, withLoading } from './games-folder.ts';

export async function freezeGame(
  env: Environment,
  name: string,
  options: GamesOptions,
): Promise<Answer> {
  const targets = findTargets(gamesFolder(env, options), name);
  if (isRefusal(targets)) return targets;
  const [files, ...others] = targets;
  if (files === undefined || others.length > 0) return failed(`${name}: it is not one game`);
  const loaded = await withLoading(
    (rules) => rules,
    (loading) => loadGame(loading, files),
  );
  const { rules, browserRules: text } = loaded.at(-1)!;
  const { id, rulesVersion: version } = rules.game;
  const hash = rules.hash!;
  const file = path.join(files.folder, VERSIONS_FOLDER, `${version}.mjs`);
  // Loading has refused a file of the same version with other code.
  const isNew = !existsSync(file);
  if (isNew) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, makeFrozen({ id, version, hash, text }), { flag: 'wx' });
  }
  const shown = path.relative(process.cwd(), file);
  const done = isNew
    ? `${shown}: version ${version} of ${id} is frozen. Raise rulesVersion with the next change of the rules.`
    : `${shown}: version ${version} of ${id} was frozen before, as it is.`;
  return { json: { game: id, rulesVersion: version, rulesHash: hash, file, isNew }, text: done };
}
