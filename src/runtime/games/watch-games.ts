/** Reloads games when their files change, for development. */

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../ports.ts';
import { GamesError, messageOf } from './game-error.ts';
import { filesOf } from './game-folder.ts';
import type { GameLibrary } from './library.ts';
import { type LoadDeps, type LoadedGame, loadGame } from './load-game.ts';

export interface Watching {
  readonly root: string;
  readonly library: GameLibrary;
  readonly loading: LoadDeps;
  readonly clock: Clock;
  /** New sessions take that version from now on. */
  onLoaded(game: LoadedGame): void;
  /** The game's folder is gone: no new sessions of it. */
  onGone(id: string): void;
  /** The faults, one a line; the version loaded before stays. */
  onFaults(faults: readonly string[]): void;
}

/**
 * How often the folder is polled. Polling works alike on every system, in containers and over networks, and costs
 * a millisecond. Ms.
 */
const POLL_MS = 400;
/** Folders in folders: links may lead in a circle. */
const DEPTH_MAX = 8;

/** Runs until it is cancelled. */
export function watchGames(watching: Watching): () => void {
  const { clock, root } = watching;
  let seen = readSigns(root);
  let isOver = false;
  const look = async (): Promise<void> => {
    const now = readSigns(root);
    await loadChanged(watching, seen, now).catch((error: unknown) =>
      watching.onFaults([messageOf(error)]),
    );
    seen = now;
    if (!isOver) cancel = clock.after(POLL_MS, () => void look());
  };
  let cancel = clock.after(POLL_MS, () => void look());
  return () => {
    isOver = true;
    cancel();
  };
}

/** What tells whether files have changed, by folder of the root; '' is for files beside them. */
type Signs = ReadonlyMap<string, string>;

function readSigns(root: string): Signs {
  const signs = new Map<string, string[]>();
  const visit = (folder: string, of: string, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const file = path.join(folder, entry.name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const group = folder === root && stat.isDirectory() ? entry.name : of;
      if (stat.isDirectory()) visit(file, group, depth + 1);
      else signs.set(group, [...(signs.get(group) ?? []), `${file} ${stat.mtimeMs} ${stat.size}`]);
    }
  };
  // While a folder is being moved it does not exist.
  if (statSync(root, { throwIfNoEntry: false }) !== undefined) visit(root, '', 0);
  return new Map([...signs].map(([group, each]) => [group, each.join('\n')]));
}

async function loadChanged(watching: Watching, before: Signs, now: Signs): Promise<void> {
  const { root, library } = watching;
  const groups = [...new Set([...before.keys(), ...now.keys()])];
  const changed = groups.filter((group) => before.get(group) !== now.get(group));
  if (changed.length === 0) return;
  const isGame = (group: string): boolean => filesIn(root, group);
  const known = library.current().map(({ rules }) => rules.game.id);
  for (const id of known.filter((each) => changed.includes(each) && !isGame(each))) {
    library.exchange(withoutGame(library, id));
    watching.onGone(id);
  }
  // What several games share lies in files, or folders, that are not games.
  const isShared = changed.some((group) => !isGame(group) && !known.includes(group));
  const ids = isShared ? [...now.keys()].filter(isGame) : changed.filter(isGame);
  for (const id of ids) await loadOne(watching, id);
}

function filesIn(root: string, group: string): boolean {
  if (group === '') return false;
  try {
    return filesOf(path.join(root, group)) !== null;
  } catch {
    // A game with a fault, which its load will name.
    return true;
  }
}

async function loadOne({ root, library, loading, onLoaded, onFaults }: Watching, id: string) {
  try {
    const files = filesOf(path.join(root, id));
    if (files === null) return;
    const loaded = await loadGame(loading, files);
    library.exchange([...withoutGame(library, id), ...loaded]);
    onLoaded(loaded.at(-1)!);
  } catch (error) {
    if (!(error instanceof GamesError)) throw error;
    onFaults(error.faults);
  }
}

/** The current versions of all other games. */
function withoutGame(library: GameLibrary, id: string): readonly LoadedGame[] {
  return library.current().filter(({ rules }) => rules.game.id !== id);
}
