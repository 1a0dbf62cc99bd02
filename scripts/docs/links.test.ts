/** Broken links and malformed records are reported with their place. */

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, readTexts } from './files.ts';
import { anchorOf, checkLinks, checkRecordNumbers, checkRecords } from './links.ts';

const INDEX = {
  path: 'docs/decisions/README.md',
  text: '| [0001](0001-a.md) | a |\n| 0002 | b | [0001](0001-a.md) |\n',
};
const record = (text: string) => ({ path: 'docs/decisions/0001-a.md', text });
const FORM = '# 0001 A\n\n## Context\n\n## Decision\n\n## Consequences\n';

test('[DOCS] a link to a missing file or heading is named with its line', () => {
  const files = [
    { path: 'a.md', text: '# A\n\n[b](docs/b.md)\n[c](c.md) [d](docs/b.md#two) [e](#a)\n' },
    {
      path: 'docs/b.md',
      text: '# One\n\n```\n[x](nowhere.md)\n```\n`[y](nowhere.md)` [a](../a.md#a)\n',
    },
  ];
  expect(checkLinks(files, (file) => files.some((known) => known.path === file))).toEqual([
    'a.md:4: c.md leads nowhere',
    'a.md:4: docs/b.md has no heading for #two',
  ]);
});

test('[DOCS] an anchor is the one that GitHub generates', () => {
  expect(anchorOf('Moves: `npm run bench -- --only moves`')).toBe(
    'moves-npm-run-bench------only-moves',
  );
});

test('[DOCS] the number of a missing decision record is refused, that of a replaced one is not', () => {
  const files = [INDEX, record(FORM), { path: 'src/a.ts', text: '\n// decisions 0002 and 0003' }];
  expect(checkRecordNumbers(files)).toEqual(['src/a.ts:2: no record 0003']);
});

test('[DOCS] a record without its parts, over a page or missing in the index is refused', () => {
  expect(checkRecords([INDEX, record(FORM)])).toEqual([]);
  expect(checkRecords([INDEX, record(FORM.replace('## Context', '## Why'))])[0]).toContain(
    'has no parts',
  );
  expect(checkRecords([INDEX, record(`${FORM}${'word '.repeat(600)}`)])[0]).toContain('words');
  expect(checkRecords([record(FORM)])).toEqual(['docs/decisions/0001-a.md: is not in the index']);
});

test('[DOCS] the documents of the project are valid', () => {
  const files = readTexts(ROOT);
  const exists = (file: string) => existsSync(path.join(ROOT, file));
  expect(files.filter((file) => file.path.endsWith('.md')).length).toBeGreaterThan(50);
  expect([
    ...checkLinks(files, exists),
    ...checkRecordNumbers(files),
    ...checkRecords(files),
  ]).toEqual([]);
});
