/** The sentences of an operator's game, by the names its author gave them. */

import type { BoardText } from '../../../../../game/src/board.ts';
import type { Translate } from '../../i18n/translate.ts';
import { readable } from '../readable.ts';

/** A name without a sentence is shown as words: the last part of it, which says most. */
export function makeBoardText(game: string, t: Translate): BoardText {
  const text = (name: string, params: Readonly<Record<string, string | number>> = {}): string => {
    const key = `${game}.${name}`;
    return t.knows(key) ? t(key, params) : readable(name.slice(name.lastIndexOf('.') + 1));
  };
  return Object.assign(text, { language: t.language });
}
