/** A word of the list is found where people read it, with its line and what to say instead. */

import { expect, test } from 'bun:test';
import { ROOT, readTexts } from './files.ts';
import { checkWords } from './words.ts';

const found = (path: string, text: string): readonly string[] =>
  checkWords([{ path, text }]).map((fault) => fault.split(': say')[0]!);

test('[DOCS] a phrase is found in prose, over the end of a line, and not in code', () => {
  expect(found('docs/a.md', 'It is\n`anew` tried\nagain.\n\n```\nfor ever\n```\n')).toEqual([
    'docs/a.md:2: "tried again"',
  ]);
});

test('[DOCS] comments are read, strings of the command line too, and no other strings', () => {
  const source = "/** One.\n * Kept for\n * ever. */\nexport const a = 'made anew';\n// his own\n";
  expect(found('src/match/a.ts', source)).toEqual([
    'src/match/a.ts:2: "for ever"',
    'src/match/a.ts:5: "his"',
  ]);
  expect(found('src/cli/a.ts', source)).toContain('src/cli/a.ts:4: "anew"');
});

test('[DOCS] summaries of the API and parts of names are read', () => {
  expect(found('openapi.json', '{\n"summary": "Make a session",\n"title": "for ever"\n}')).toEqual([
    'openapi.json:2: "Make a session"',
  ]);
  expect(found('src/match/a.ts', 'const isBereft = 1;')).toEqual(['src/match/a.ts:1: isBereft']);
});

test('[DOCS] no word of the list is in the project', () => {
  expect(checkWords(readTexts(ROOT))).toEqual([]);
}, 60_000);
