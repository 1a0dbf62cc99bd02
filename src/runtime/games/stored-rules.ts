/** Rules that development sessions were played by, stored so that these sessions continue after a restart. */

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeFrozen, parseFrozen } from './frozen.ts';
import { type LoadDeps, type LoadedGame, loadFrozen } from './load-game.ts';

/** Stored versions of one game; the oldest are removed. */
const STORED_MAX = 20;
/** Digits of the hash in a file's name. */
const NAME_DIGITS = 16;

/** Stores the rules: one file each, in a folder for the game. */
export function storeRules(folder: string, { rules, browserRules }: LoadedGame, now: number): void {
  const { id, rulesVersion: version } = rules.game;
  const hash = rules.hash!;
  const place = path.join(folder, id);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const file = path.join(place, `${version}-${hash.slice(0, NAME_DIGITS)}.mjs`);
  writeFileSync(file, makeFrozen({ id, version, hash, text: browserRules }), { mode: 0o600 });
  utimesSync(file, now / 1_000, now / 1_000);
  for (const old of byAge(place).slice(0, -STORED_MAX)) rmSync(old, { force: true });
}

/** The stored rules of these games, oldest first. Rules that cannot be loaded any more are removed. */
export async function loadStored(
  deps: LoadDeps,
  folder: string,
  games: readonly LoadedGame[],
): Promise<readonly LoadedGame[]> {
  const kept: LoadedGame[] = [];
  for (const { rules, isCurrent, browserBoard, strings } of games) {
    if (!isCurrent) continue;
    for (const file of byAge(path.join(folder, rules.game.id))) {
      const frozen = parseFrozen(readFileSync(file, 'utf8'));
      try {
        if (typeof frozen === 'string') throw new Error(frozen);
        kept.push(await loadFrozen(deps, frozen, { browserBoard, strings }, file));
      } catch {
        rmSync(file, { force: true });
      }
    }
  }
  return kept;
}

/** The files of a folder, oldest first; none if the folder does not exist. */
function byAge(folder: string): readonly string[] {
  const names =
    statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
  return names
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
}
