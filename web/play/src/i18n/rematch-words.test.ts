/** The sentences about a rematch, in every language. */

import { expect, test } from 'bun:test';
import { LANGUAGE_TAGS } from './languages.ts';
import { makeWords, WORDS, type Word } from './rematch-words.ts';

const gapsOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test('[W6][W8] every language of the page has every sentence, with the same gaps', () => {
  expect(Object.keys(WORDS).sort()).toEqual([...LANGUAGE_TAGS].sort());
  const en = WORDS['en']!;
  for (const [tag, words] of Object.entries(WORDS)) {
    for (const word of Object.keys(en) as Word[]) {
      expect([tag, word, gapsOf(words[word])]).toEqual([tag, word, gapsOf(en[word])]);
      const isSaid = words[word].trim() !== '' && (tag === 'en' || word === 'change');
      expect(isSaid || words[word] !== en[word]).toBe(true);
    }
  }
  expect(makeWords('de')('asked', { name: 'Ann' })).toBe('Ann möchte eine Revanche.');
  expect(makeWords('xx')('again')).toBe('Rematch');
});
