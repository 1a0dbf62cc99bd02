/** What counts as a page's first load. */

import { afterAll, expect, test } from 'bun:test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { weighPage } from './page-weight.ts';

const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'matchd-weight-'));
afterAll(() => fs.rmSync(dist, { recursive: true, force: true }));

const FILES: Readonly<Record<string, string>> = {
  'index.html':
    '<link href="/p/assets/a.css"><script src="/p/assets/a.js"></script><a href="/b.js">',
  'assets/a.css': 'a{}',
  'assets/a.js':
    'import{x}from"/p/assets/shared.js";import("/p/assets/big.js");import("./small.js")',
  'assets/shared.js': 'import"./a.js";export const x=1',
  'assets/big.js': `import"./deep.js";"${'0123456789abcdef'.repeat(9)}"`,
  'assets/deep.js': 'export const deep="deep"',
  'assets/small.js': '1',
  'assets/never.js': 'export{}',
};

test("[SETUP] a page's size is what it requests at once, and the heaviest part that comes later", () => {
  fs.mkdirSync(path.join(dist, 'assets'));
  for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(dist, name), text);
  const weigh = (...names: string[]): number =>
    names.map((name) => gzipSync(FILES[name]!, { level: 9 }).length).reduce((a, b) => a + b);
  const first = ['index.html', 'assets/a.css', 'assets/a.js', 'assets/shared.js'];
  expect(weighPage(dist)).toEqual({
    first: weigh(...first),
    most: weigh(...first, 'assets/big.js', 'assets/deep.js'),
    all: weigh(...Object.keys(FILES)),
  });
});
