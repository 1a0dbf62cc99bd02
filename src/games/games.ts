/** The loaded rules of a process: shipped games and the operator's own, each in any number of versions. */

import type { AnyBot } from '../../game/src/bot.ts';
import type { AnyGame, GameId } from '../../game/src/game.ts';

/** One version of one game. */
export interface Rules {
  readonly game: AnyGame;
  /** Plays the service's seats; null if the game has no bot. */
  readonly bot: AnyBot | null;
  /**
   * Hash of the source, in hex: identifies the version's code. Null for shipped games, whose
   * version is enough.
   */
  readonly hash: string | null;
}

/** The rules' version in a session's log. */
export interface RulesRef {
  readonly game: GameId;
  readonly rulesVersion: number;
  /** Absent in logs of shipped games. */
  readonly rulesHash?: string | undefined;
}

export interface Games {
  /** Ids of the games of new sessions, in the order of every list. */
  ids(): readonly GameId[];
  /** The latest rules of a game, for new sessions. Null for an unknown game. */
  find(id: GameId): Rules | null;
  /** Every loaded version of a game, the latest last; none for an unknown game. */
  versions(id: GameId): readonly Rules[];
  /**
   * The rules a session began with: the same code if it is loaded, otherwise code with the same
   * version. Null if neither is.
   */
  findPlayed(ref: RulesRef): Rules | null;
}

/** `all` in listing order. The last entry of a game has its latest rules. */
export function makeGames(all: readonly Rules[]): Games {
  const byId = new Map<GameId, Rules[]>();
  for (const rules of all) {
    const versions = byId.get(rules.game.id);
    if (versions === undefined) byId.set(rules.game.id, [rules]);
    else versions.push(rules);
  }
  const ids = [...byId.keys()];
  return {
    ids: () => ids,
    find: (id) => byId.get(id)?.at(-1) ?? null,
    versions: (id) => byId.get(id) ?? [],
    findPlayed({ game, rulesVersion, rulesHash = null }) {
      const versions = byId.get(game) ?? [];
      const same = versions.filter((rules) => rules.game.rulesVersion === rulesVersion);
      return same.find(({ hash }) => hash === rulesHash) ?? same.at(-1) ?? null;
    },
  };
}

/**
 * The rules a session began with, otherwise the latest of its game: to show or check it. Null for
 * an unknown game.
 */
export function findStandIn(games: Games, ref: RulesRef): Rules | null {
  return games.findPlayed(ref) ?? games.find(ref.game);
}

/** Fields of a session's setup that identify its rules. */
export function refOf({ game, hash }: Rules): {
  readonly game: GameId;
  readonly rulesVersion: number;
  readonly rulesHash?: string;
} {
  const ref = { game: game.id, rulesVersion: game.rulesVersion };
  return hash === null ? ref : { ...ref, rulesHash: hash };
}
