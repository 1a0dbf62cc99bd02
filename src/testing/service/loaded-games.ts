/** An operator's games as loaded by a process, for pages that serve their files. */

import { hashJson } from '../../../game/src/json.ts';
import type { OwnGame } from '../../http/site/game-files.ts';

/** A version of a game; `part` are the differences. */
export function loadedGame(
  part: Partial<OwnGame> & {
    readonly game: OwnGame['rules']['game'];
    /** If it is not the hash of the rules' text. */
    readonly hash?: string;
  },
): OwnGame {
  const { game, hash, ...rest } = part;
  const browserRules = rest.browserRules ?? `export const game = ${JSON.stringify(game)};`;
  return {
    rules: { game, hash: hash ?? hashJson(browserRules) },
    isCurrent: true,
    browserRules,
    browserBoard: null,
    strings: null,
    ...rest,
  };
}
