/** Tests of the languages: each has every sentence with the same placeholders, and no text is outside them. */

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { en } from './en.ts';
import { chooseLanguage, LANGUAGE_TAGS, languageOf } from './languages.ts';
import type { Forms, Key, Texts } from './translate.ts';
import { keyOr, makeTranslate } from './translate.ts';

const all = Object.fromEntries(
  await Promise.all(LANGUAGE_TAGS.map(async (tag) => [tag, await languageOf(tag).load()])),
) as Readonly<Record<string, Texts>>;
const KEYS = Object.keys(en) as Key[];

const formsOf = (text: string | Forms): readonly string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
const gapsOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

/** Equal in every language, on purpose or by chance: names, symbols, loanwords. */
const SAME = new Set<Key>([
  'page.noTitle',
  'say.emote',
  'say.result',
  'say.did',
  'tictactoe.piece0',
  'tictactoe.piece1',
  'player.bot',
  'any.no',
  'player.here',
  'game.ludo',
  'pool.pushOut',
  'fight.ms',
  'replay.times',
]);

describe.each(LANGUAGE_TAGS.filter((tag) => tag !== 'en'))('%s', (tag) => {
  const texts = all[tag]!;

  test('[W6] has every sentence and no other', () => {
    expect(Object.keys(texts).sort()).toEqual([...KEYS].sort());
    const empty = KEYS.filter((key) => formsOf(texts[key]).some((form) => form.trim() === ''));
    expect(empty).toEqual([]);
  });

  test('[WEB] has the placeholders of the English sentence', () => {
    for (const key of KEYS) {
      const wanted = gapsOf(formsOf(en[key]).at(-1)!);
      const forms = formsOf(texts[key]).map(gapsOf);
      expect([key, forms.at(-1)]).toEqual([key, wanted]);
      // The singular may leave out the number.
      expect([key, forms.flat().filter((gap) => !wanted.includes(gap))]).toEqual([key, []]);
    }
  });

  test('[WEB] has a form for each plural category', () => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    // Spanish and Portuguese use it for millions; `other` is used instead.
    const wanted = pluralCategories.filter((category) => category !== 'many').sort();
    for (const key of KEYS) {
      const text = texts[key];
      const isCounted = typeof en[key] !== 'string';
      expect([key, typeof text !== 'string']).toEqual([key, isCounted]);
      if (typeof text !== 'string') expect([key, Object.keys(text).sort()]).toEqual([key, wanted]);
    }
  });

  test('[WEB] is not a copy of English', () => {
    const copied = KEYS.filter(
      (key) => !SAME.has(key) && JSON.stringify(texts[key]) === JSON.stringify(en[key]),
    );
    expect(copied).toEqual([]);
  });
});

test('[WEB] Hindi is written in Devanagari, except for keys and symbols', () => {
  const latin = KEYS.flatMap((key) => formsOf(all['hi']![key])).filter((text) =>
    /[A-Za-z]{2,}/.test(text.replace(/\{\w+\}/g, '')),
  );
  expect(latin).toEqual(['matchd']);
});

describe('choosing a language', () => {
  test('[W6] uses the first available preference, ignoring its region', () => {
    expect(chooseLanguage(['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(chooseLanguage([null, 'pt_BR'])).toBe('pt');
    expect(chooseLanguage(['HI-in'])).toBe('hi');
  });

  test('[W6] falls back to English if no preference is available', () => {
    for (const preference of ['', 'fr', 'constructor', '__proto__', '../en', 'toString']) {
      expect(chooseLanguage([preference])).toBe('en');
    }
    expect(chooseLanguage([])).toBe('en');
  });
});

describe('a sentence', () => {
  const t = (tag: string) => makeTranslate(tag, all[tag]!);

  test('[WEB] uses the plural forms of its language', () => {
    const moves = (tag: string, count: number) => t(tag)('result.moves', { count });
    expect([moves('en', 1), moves('en', 2)]).toEqual(['1 move', '2 moves']);
    expect([moves('de', 1), moves('de', 1_234)]).toEqual(['1 Zug', '1.234 Züge']);
    expect([moves('pt', 0), moves('es', 0)]).toEqual(['0 lance', '0 jugadas']);
    expect([moves('hi', 1), moves('hi', 5)]).toEqual(['1 चाल', '5 चालें']);
  });

  test('[WEB] leaves a player’s name unchanged', () => {
    const name = '{name} <b>{count}</b> $& 5';
    expect(t('de')('status.theirTurn', { name })).toBe(`${name} ist am Zug`);
  });

  test('[WEB] falls back to the general one for an unknown word of the server', () => {
    expect(keyOr('reason.resignation', 'reject.other', t('hi'))).toBe('reason.resignation');
    expect(keyOr('reason.constructor', 'reject.other', t('hi'))).toBe('reject.other');
    expect(keyOr('toString', 'reject.other', t('hi'))).toBe('reject.other');
  });
});

describe('a time', () => {
  const MINUTE = 60_000;
  const t = (tag: string) => makeTranslate(tag, all[tag]!);

  test('[WEB] is shown as on a clock, with days in words', () => {
    const times = [1, 9_000, 12.5 * MINUTE, 62 * MINUTE + 3_000, -5];
    expect(times.map(t('hi').countdown)).toEqual(['0:01', '0:09', '12:30', '1:02:03', '0:00']);
    expect(t('en').countdown(52 * 60 * MINUTE)).toBe('2 days, 4 hr');
    expect(t('de').countdown(52 * 60 * MINUTE)).toBe('2 Tg., 4 Std.');
    expect(t('en').elapsed(1_499)).toBe('0:01');
  });

  test('[WEB] is spoken in words', () => {
    const spoken = (tag: string, ms: number) => t(tag).spoken(ms);
    expect(spoken('en', 90_000)).toBe('1 minute, 30 seconds');
    expect(spoken('de', 90_000)).toBe('1 Minute, 30 Sekunden');
    expect(spoken('es', 30_000)).toBe('30 segundos');
    expect(spoken('pt', 1_000)).toBe('1 segundo');
    expect(spoken('hi', 60_000)).toBe('1 मिनट');
    expect(spoken('en', 0)).toBe('0 seconds');
  });
});

test('[WEB] no source of the page contains text outside the languages', async () => {
  const root = join(import.meta.dirname, '..');
  const said: string[] = [];
  for (const file of new Glob('**/*.ts').scanSync(root)) {
    if (file.startsWith('i18n/') || file.includes('.test')) continue;
    // Error texts are for developers.
    const code = readFileSync(join(root, file), 'utf8').replace(
      /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|Error\([^)]*\)|\berror: '[^']*'/gm,
      '',
    );
    // Capitalised text with a second word, or a readable attribute set to a word.
    const texts = code.match(
      /(['"`])[A-Z][a-z’]+ (?:[\w’]+[ .,!?]?)+\1|'(?:aria-label|title|alt|placeholder)': '[^']+'/g,
    );
    said.push(...(texts ?? []).map((text) => `${file}: ${text}`));
  }
  expect(said).toEqual([]);
});
