/** Words of the list are found in text that people read, with the line and the replacement. */

import { expect, test } from 'bun:test';
import { ROOT, readTexts } from './files.ts';
import { checkWords } from './words.ts';

const found = (path: string, text: string): readonly string[] =>
  checkWords([{ path, text }]).map((fault) => fault.split(': say')[0]!);

test('[DOCS] a phrase is found in prose, across line ends, and not in code', () => {
  expect(found('docs/a.md', 'It is\n`anew` tried\nagain.\n\n```\nfor ever\n```\n')).toEqual([
    'docs/a.md:2: "tried again"',
  ]);
});

test('[DOCS] comments, test titles and strings of the command line and pages are read, no others', () => {
  const source = "/** One.\n * Kept for\n * ever. */\nexport const a = 'made anew';\n// his own\n";
  expect(found('src/match/a.ts', source)).toEqual([
    'src/match/a.ts:2: "for ever"',
    'src/match/a.ts:5: "his"',
  ]);
  for (const shown of ['src/cli/a.ts', 'web/docs/src/a.ts', 'web/play/src/i18n/fight/en.ts']) {
    expect(found(shown, source)).toContain(`${shown}:4: "anew"`);
  }
  expect(found('src/match/a.test.ts', "test('[P1] a seat is drawn anew', () => {});")).toEqual([
    'src/match/a.test.ts:1: "anew"',
  ]);
});

test('[DOCS] summaries of the API and parts of names are read', () => {
  expect(found('openapi.json', '{\n"summary": "Make a session",\n"title": "for ever"\n}')).toEqual([
    'openapi.json:2: "Make a session"',
  ]);
  expect(found('src/match/a.ts', 'const isBereft = 1;')).toEqual(['src/match/a.ts:1: isBereft']);
});

test('[DOCS] text between tags of the pages is read, and code between comparisons is not', () => {
  const source =
    'const a = (b: number) =>\n  b > his && b < 2 ? null : (\n    <p id={b}>\n      Made {b} anew\n    </p>\n  );\n';
  expect(found('web/dashboard/src/a.tsx', source)).toEqual(['web/dashboard/src/a.tsx:4: "anew"']);
  expect(found('src/match/a.tsx', source)).toEqual([]);
});

test('[DOCS] the project has no word of the list', () => {
  expect(checkWords(readTexts(ROOT))).toEqual([]);
}, 60_000);
