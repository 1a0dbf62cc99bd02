/** The sentences of an operator's game, by the names its author gave them. */

import type { BoardText } from '../../../../../game/src/board.ts';
import type { Params, Translate } from '../../i18n/translate.ts';
import { readable } from '../readable.ts';

/** The sentence of a name; null where its author gave none. */
export type KnownText = (name: string, params?: Params) => string | null;

export function makeKnownText(game: string, t: Translate): KnownText {
  return (name, params) => {
    const key = `${game}.${name}`;
    return t.knows(key) ? t(key, params) : null;
  };
}

/** A name without a sentence as words: the last part of it, which says most. */
function nameWords(name: string): string {
  return readable(name.slice(name.lastIndexOf('.') + 1));
}

export function makeBoardText(known: KnownText, language: string): BoardText {
  const text = (name: string, params: Params = {}): string =>
    known(name, params) ?? nameWords(name);
  return Object.assign(text, { language });
}
