/** A game's display name. */

import type { Translate } from '../i18n/translate.ts';
import { readable } from './readable.ts';

/** From the game's own texts or the page's, else its id. */
export function titleOf(game: string, t: Translate): string {
  const key = [`${game}.name`, `game.${game}`].find(t.knows);
  return key === undefined ? readable(game) : t(key);
}
