/** An operator's games as a process has loaded them, for pages that hand out their files. */

import { hashJson } from '../../../game/src/json.ts';
import type { OwnGame } from '../../http/site/game-files.ts';

/** A version of a game; `part` says what is special about it. */
export function loadedGame(
  part: Partial<OwnGame> & {
    readonly game: OwnGame['rules']['game'];
    /** Where it is not that of the rules' text. */
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
