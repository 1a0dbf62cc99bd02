/** The figures of docs/guides/compare.md match the samples. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { countSample, makeRows, partsOf, SERVERS } from './compare.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SAMPLES = path.join(ROOT, 'examples/compare');
const page = readFileSync(path.join(ROOT, 'docs/guides/compare.md'), 'utf8');

test('[WEB] the table of lines matches a count of the samples', () => {
  const [, table] = page.split('\n## Lines you write\n');
  const rows = table!.split('\n\n')[0]!.trim().split('\n').slice(2);
  expect(rows).toEqual([...makeRows()]);
});

test('[WEB] the statements about a storage adapter match, too', () => {
  const storage = readFileSync(path.join(SAMPLES, 'boardgameio/storage.cjs'), 'utf8');
  const lines = partsOf(storage, 'storage.cjs').length;
  const counts = countSample('boardgameio');
  const sum = Object.values(counts).reduce((all, each) => all + each, 0);
  const prose = page.replaceAll(/\s+/g, ' ');
  expect(prose).toContain(`On boardgame.io ${lines} of the ${counts.crash} lines for a restart`);
  expect(prose).toContain(`they are one line, and the sum is ${sum - lines + 1}.`);
  expect(prose).toContain(`Colyseus, without the ${countSample('colyseus').crash} lines`);
});

test('[WEB] the versions are the installed ones', () => {
  const prose = page.replaceAll(/\s+/g, ' ');
  const [, versions] = /\nVersions: ([\s\S]*?)(?:: the|\.\n)/.exec(page) ?? [];
  for (const server of SERVERS.filter((each) => each !== 'matchd')) {
    const manifest = readFileSync(path.join(SAMPLES, server, 'package.json'), 'utf8');
    const { dependencies } = JSON.parse(manifest) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    for (const [name, version] of Object.entries(dependencies)) {
      const short = name === '@colyseus/core' ? name : name.replace('@colyseus/', '');
      expect(versions!.replaceAll(/\s+/g, ' ')).toContain(`${short} ${version}`);
    }
  }
  expect(prose).toContain('written on boardgame.io 0.50.2');
});

test('[WEB] a mark applies to its statement, one on the first line to the rest of its file', () => {
  const text = [
    '// [match] A server.',
    '',
    "import { a } from 'a';",
    '// [bot]',
    'const b = {',
    '  // Why.',
    '  c() {',
    '    // [time]',
    '    d();',
    '    e();',
    '',
    '    // [code]',
    '    if (f) {',
    '      g();',
    '    }',
    '  },',
    '};',
    'h();',
    '',
  ].join('\n');
  const parts = partsOf(text, 'x.mjs');
  expect(parts.join(' ')).toBe('match bot bot time bot code code code bot bot match');
  expect(() => partsOf('// A server.\n', 'x.mjs')).toThrow('x.mjs');
  expect(() => partsOf('// [bat] A server.\n', 'x.mjs')).toThrow('bat');
});
