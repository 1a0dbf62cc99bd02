/** The layout of a folder of games: one folder each, named by the game's id (decision 0045). */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { GamesError, gameFault } from './game-error.ts';

/** The files of one game, by absolute paths. */
export interface GameFiles {
  /** The folder's name, which has to be the game's id. */
  readonly id: string;
  readonly folder: string;
  /** `rules.ts`, or `.js` or `.mjs`. */
  readonly rules: string;
  readonly bot: string | null;
  readonly board: string | null;
  readonly strings: string | null;
  /** `check.ts`: what `matchd games check` has to know of the game. */
  readonly check: string | null;
  /** `versions/<n>.mjs`, by version. */
  readonly frozen: readonly FrozenFile[];
}

export interface FrozenFile {
  readonly version: number;
  readonly path: string;
}

export const VERSIONS_FOLDER = 'versions';
const ENDINGS = ['ts', 'js', 'mjs'] as const;
const FROZEN_NAME = /^([1-9]\d{0,8})\.mjs$/;

/** Every game of a folder, by id. A folder without rules is none. Throws a `GamesError`. */
export function findGames(root: string): readonly GameFiles[] {
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    throw new GamesError([`${root}: there is no such folder`]);
  }
  if (moduleIn(root, 'rules') !== null) {
    const above = path.dirname(root);
    throw gameFault(root, `it is one game; name the folder that holds it, ${above}`);
  }
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map(({ name }) => path.join(root, name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
    .sort()
    .flatMap((folder) => filesOf(folder) ?? []);
}

/** Null where the folder is no game. Throws a `GamesError`. */
export function filesOf(folder: string): GameFiles | null {
  const id = path.basename(folder);
  const rules = moduleIn(folder, 'rules');
  const frozen = frozenIn(folder);
  if (rules === null && frozen.length === 0) return null;
  if (rules === null) throw gameFault(id, `there is no rules.${ENDINGS.join(', rules.')}`);
  const strings = path.join(folder, 'strings.json');
  return {
    id,
    folder,
    rules,
    frozen,
    bot: moduleIn(folder, 'bot'),
    board: moduleIn(folder, 'board'),
    check: moduleIn(folder, 'check'),
    strings: existsSync(strings) ? strings : null,
  };
}

function moduleIn(folder: string, name: string): string | null {
  const found = ENDINGS.map((ending) => path.join(folder, `${name}.${ending}`)).filter((file) =>
    existsSync(file),
  );
  if (found.length < 2) return found[0] ?? null;
  const names = found.map((file) => path.basename(file)).join(' and ');
  throw gameFault(path.basename(folder), `there are ${names}: which one counts?`);
}

function frozenIn(folder: string): readonly FrozenFile[] {
  const versions = path.join(folder, VERSIONS_FOLDER);
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .flatMap((name) => {
      const version = FROZEN_NAME.exec(name)?.[1];
      return version === undefined
        ? []
        : [{ version: Number(version), path: path.join(versions, name) }];
    })
    .sort((a, b) => a.version - b.version);
}
