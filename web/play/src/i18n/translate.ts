/** Sentences by key, with names and numbers filled in. */

import { en } from './en.ts';

export type Key = keyof typeof en;
/** A language. What it lacks is said in English. */
export type Sentences = Partial<Record<Key, string>>;
export type Params = Readonly<Record<string, string | number>>;
export type Translate = (key: Key, params?: Params) => string;

/** The languages there are, by their tags. */
const LANGUAGES: Readonly<Record<string, Sentences>> = { en };
export const FALLBACK_LANGUAGE = 'en';

/** The best language there is for a wish such as `de-AT`. */
export function chooseLanguage(wishes: readonly (string | null)[]): string {
  for (const wish of wishes) {
    const tag = wish?.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(LANGUAGES, tag)) return tag;
  }
  return FALLBACK_LANGUAGE;
}

export function makeTranslate(language: string): Translate {
  const sentences = LANGUAGES[language] ?? en;
  return (key, params = {}) =>
    (sentences[key] ?? en[key]).replace(/\{(\w+)\}/g, (hole, name: string) =>
      Object.hasOwn(params, name) ? String(params[name]) : hole,
    );
}

/** The key made of a prefix and a word of the server's, or the given one if there is no such. */
export function keyOr(key: string, otherwise: Key): Key {
  return Object.hasOwn(en, key) ? (key as Key) : otherwise;
}
