/** Tests of the sentences about a rematch in every language. */

import { expect, test } from 'bun:test';
import { LANGUAGE_TAGS } from './languages.ts';
import { makeWords, WORDS, type Word } from './rematch-words.ts';

const formsOf = (text: string | { readonly one: string; readonly other: string }) =>
  typeof text === 'string' ? [text] : [text.one, text.other];
const gapsOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test('[W6][W8] every language of the page has every sentence, with the same placeholders', () => {
  expect(Object.keys(WORDS).sort()).toEqual([...LANGUAGE_TAGS].sort());
  const en = WORDS['en']!;
  for (const [tag, words] of Object.entries(WORDS)) {
    for (const word of Object.keys(en) as Word[]) {
      for (const form of formsOf(words[word])) {
        expect([tag, word, gapsOf(form)]).toEqual([tag, word, gapsOf(formsOf(en[word])[0]!)]);
        expect([tag, word, form.trim()]).not.toEqual([tag, word, '']);
        // Two numbers and an arrow need no translation.
        const isOwn = tag === 'en' || word === 'change' || !formsOf(en[word]).includes(form);
        expect([tag, word, isOwn]).toEqual([tag, word, true]);
      }
    }
  }
  expect(makeWords('de')('asked', { name: 'Ann' })).toBe('Ann möchte eine Revanche.');
  const two = makeWords('en')('asked', { name: 'Ann and Ben' }, 2);
  expect(two).toBe('Ann and Ben want a rematch.');
  expect(makeWords('xx')('again')).toBe('Rematch');
});
