/** The sentences of an operator's game, by the keys its author gave them. */

import type { BoardText } from '../../../../../game/src/board.ts';
import type { Params, Translate } from '../../i18n/translate.ts';
import { readable } from '../readable.ts';

/** The sentence of a key; null if its author gave none. */
export type KnownText = (name: string, params?: Params) => string | null;

export function makeKnownText(game: string, t: Translate): KnownText {
  return (name, params) => {
    const key = `${game}.${name}`;
    return t.knows(key) ? t(key, params) : null;
  };
}

/** A key without a sentence as words: its last part, which is the most specific. */
function nameWords(name: string): string {
  return readable(name.slice(name.lastIndexOf('.') + 1));
}

export function makeBoardText(known: KnownText, language: string): BoardText {
  const text = (name: string, params: Params = {}): string =>
    known(name, params) ?? nameWords(name);
  return Object.assign(text, { language });
}
