/** All games of a process, shipped and the operator's. The operator's can be replaced while it runs. */

import type { GameId } from '../../../game/src/game.ts';
import { type Games, makeGames, type Rules, type RulesRef } from '../../games/games.ts';
import type { LoadedGame } from './load-game.ts';

/** Files from which a thread loads rules that are not shipped. */
export interface RulesFiles {
  readonly rules: string;
  readonly bot: string | null;
}

export interface GameLibrary {
  readonly games: Games;
  /** The operator's games, every version that this process has loaded; the current version of each game comes last. */
  loaded(): readonly LoadedGame[];
  /** The version of each operator's game that new sessions use. */
  current(): readonly LoadedGame[];
  /** An operator's game: the version with that hash, or the current one for null. Null where there is none. */
  find(id: GameId, hash: string | null): LoadedGame | null;
  /** Files of an operator's rules; null for shipped ones. */
  filesOf(ref: RulesRef): RulesFiles | null;
  /**
   * Replaces the operator's games for new sessions. Sessions that are running keep the version they began with.
   */
  exchange(loaded: readonly LoadedGame[]): void;
  /** Adds earlier versions, for sessions that began with them. */
  remember(earlier: readonly LoadedGame[]): void;
}

/** `loaded`: versions of each game in order, the current one last. */
export function makeLibrary(shipped: readonly Rules[], loaded: readonly LoadedGame[]): GameLibrary {
  let all: readonly LoadedGame[] = [];
  let ids: readonly GameId[] = [];
  let known = makeGames(shipped);

  const current = () => all.filter(({ isCurrent }) => isCurrent);
  const set = (now: readonly LoadedGame[]): void => {
    all = now;
    known = makeGames([...shipped, ...all.map(({ rules }) => rules)]);
    const own = current().map(({ rules }) => rules);
    const offered = new Set([...shipped, ...own].map(({ game }) => game.id));
    ids = known.ids().filter((id) => offered.has(id));
  };
  set(loaded);

  return {
    games: {
      ids: () => ids,
      find: (id) => (ids.includes(id) ? known.find(id) : null),
      versions: (id) => (ids.includes(id) ? known.versions(id) : []),
      findPlayed: (ref) => known.findPlayed(ref),
    },
    loaded: () => all,
    current,
    find(id, hash) {
      const versions = all.filter(({ rules }) => rules.game.id === id);
      if (hash !== null) return versions.find(({ rules }) => rules.hash === hash) ?? null;
      return versions.find(({ isCurrent }) => isCurrent) ?? null;
    },
    filesOf({ game, rulesVersion, rulesHash = null }) {
      const found = all.find(
        ({ rules }) =>
          rules.game.id === game &&
          rules.game.rulesVersion === rulesVersion &&
          rules.hash === rulesHash,
      );
      return found?.files ?? null;
    },
    exchange(games) {
      const earlier = without(all, games).map((each) => ({ ...each, isCurrent: false }));
      set([...earlier, ...games]);
    },
    remember: (earlier) => set([...without(earlier, all), ...all]),
  };
}

/** The shipped games that are not among the operator's, which may be the same code. */
function without(
  games: readonly LoadedGame[],
  others: readonly LoadedGame[],
): readonly LoadedGame[] {
  const names = new Set(others.map(({ rules }) => nameOf(rules)));
  return games.filter(({ rules }) => !names.has(nameOf(rules)));
}

function nameOf({ game, hash }: Rules): string {
  return `${game.id} ${hash}`;
}
