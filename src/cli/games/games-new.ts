/** `matchd games new`: begins a game that runs, tests and type-checks at once, without a registry. */

import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../config.ts';
import { GAME_IDS } from '../../games/registry.ts';
import { type Answer, failed, wrongUsage } from '../terminal/answer.ts';
import { writeGamePackage } from './game-package.ts';
import { FOLDER_FILES, gameFiles } from './game-template.ts';
import { type GamesOptions, gamesFolder } from './games-folder.ts';

/** What `GameId` says. */
const GAME_ID = /^[a-z][a-z0-9-]{1,31}$/;
/** Where the package lies, so that npm takes it from there and removes nothing. */
const PACKAGE_FOLDER = '.matchd/game';
const PACKAGE_LINK = 'node_modules/@matchd/game';

export function newGame(env: Environment, id: string, options: GamesOptions): Answer {
  if (!GAME_ID.test(id)) {
    return wrongUsage(`game "${id}": must be 2 to 32 lower-case letters, digits and hyphens`);
  }
  if (GAME_IDS.some((each) => each === id)) {
    return wrongUsage(`game "${id}": a shipped game has this name`);
  }
  const root = gamesFolder(env, options);
  const folder = path.join(root, id);
  if (existsSync(folder)) return failed(`${folder} already exists`);
  const made = [...writeMissing(root, FOLDER_FILES), ...writeMissing(folder, gameFiles(id))];
  writeGamePackage(path.join(root, PACKAGE_FOLDER));
  linkPackage(root);
  const shown = path.relative(process.cwd(), root) || '.';
  const lines = [
    `${path.join(shown, id)} is a game.`,
    '',
    `  matchd dev --games ${shown}            play it at /demo/${id}`,
    `  matchd games check ${id} --games ${shown}`,
    `  cd ${shown} && npm test            Node 22.18 or newer; or: bun test`,
  ];
  return { json: { game: id, folder, files: made }, text: lines.join('\n') };
}

/** Writes the files that are not there; answers which. */
function writeMissing(folder: string, files: Readonly<Record<string, string>>): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(files).flatMap(([name, text]) => {
    const file = path.join(folder, name);
    if (existsSync(file)) return [];
    writeFileSync(file, text);
    return [file];
  });
}

/** As npm links a package of a folder. */
function linkPackage(root: string): void {
  const link = path.join(root, PACKAGE_LINK);
  mkdirSync(path.dirname(link), { recursive: true });
  const known = lstatSync(link, { throwIfNoEntry: false });
  // What somebody has installed there is theirs.
  if (known !== undefined && !known.isSymbolicLink()) return;
  if (known !== undefined) rmSync(link);
  const target = path.join(root, PACKAGE_FOLDER);
  // Windows links folders by whole paths only.
  const isWindows = process.platform === 'win32';
  symlinkSync(isWindows ? target : path.relative(path.dirname(link), target), link, 'junction');
}
