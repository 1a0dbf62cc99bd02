/** Sentences by key, with names, numbers and times filled in as a language writes them. */

import type { Durations } from './durations.ts';
import { makeDurations } from './durations.ts';
import type { en } from './en.ts';

export type Key = keyof typeof en;

/** Plural forms of a sentence, by CLDR's categories; `{count}` decides. */
export type Forms = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};
/** A language: every sentence of the page. */
export type Texts = Readonly<Record<Key, string | Forms>>;
/** The sentences of fight arena in a language. */
export type FightTexts = Pick<Texts, Extract<Key, `fight.${string}`>>;
export type Params = Readonly<Record<string, string | number>>;

export interface Translate extends Durations {
  (key: Key, params?: Params): string;
  /** Its tag, for the browser's own formatting. */
  readonly language: string;
  knows(key: string): key is Key;
  /** Adds the sentences of an operator's game, under keys of its own. */
  add(more: MoreTexts): void;
}

export type MoreTexts = Readonly<Record<string, string | Forms>>;

export function makeTranslate(language: string, texts: Texts): Translate {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  const formOf = (text: string | Forms, count: string | number | undefined): string => {
    if (typeof text === 'string') return text;
    return text[plurals.select(Number(count))] ?? text.other;
  };
  let known: MoreTexts = texts;
  const translate = (key: Key, params: Params = {}): string =>
    formOf(known[key]!, params['count']).replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = Object.hasOwn(params, name) ? params[name]! : hole;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  return Object.assign(translate, {
    ...makeDurations(language),
    language,
    knows: (key: string): key is Key => Object.hasOwn(known, key),
    add(more: MoreTexts) {
      known = { ...known, ...more };
    },
  });
}

/** The key made of a prefix and a word of the server, or the given fallback if that key does not exist. */
export function keyOr(key: string, otherwise: Key, t: Translate): Key {
  return t.knows(key) ? key : otherwise;
}
