/**
 * Words, sentences, files and lines of the project at a commit, for docs/measurements.md: `bun
 * scripts/docs/figures.ts [COMMIT…]`, of the current folder without one.
 */

import { spawnSync } from 'node:child_process';
import { ROOT, readTexts, type TextFile } from './files.ts';
import { proseOfMarkdown, sentencesOf, wordsOf } from './prose.ts';

const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;

const isCode = (file: string): boolean => /\.(?:[cm]?[jt]sx?)$/.test(file);
const isTestFile = (file: string): boolean =>
  /\.(?:test|slow)(?:[.-]|$)|\/contract\/|^src\/testing\/|^e2e\//.test(file);
const isShipped = (file: string): boolean =>
  isCode(file) && /^(?:game|src|sdk|web)\//.test(file) && !isTestFile(file);

/** Documents that are counted together. */
const GROUPS: readonly (readonly [name: string, fits: RegExp])[] = [
  ['SPEC', /^SPEC\.md$/],
  ['decision records', /^docs\/decisions\//],
  [
    'guides, README, CONTRIBUTING, SECURITY',
    /^(?:README|CONTRIBUTING|SECURITY)\.md$|^docs\/guides\//,
  ],
  ['docs/measurements.md', /^docs\/measurements\.md$/],
  ['ARCHITECTURE', /^ARCHITECTURE\.md$/],
];

function git(...args: readonly string[]): string {
  const asked = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (asked.status !== 0) throw new Error(`git ${args[0]}: ${asked.stderr}`);
  return asked.stdout;
}

/** Documents and code of a commit; null is the current folder. */
function filesOf(commit: string | null): readonly TextFile[] {
  if (commit === null) return readTexts(ROOT);
  const names = git('ls-tree', '-r', '--name-only', commit).split('\n');
  return names
    .filter((name) => isShipped(name) || /\.md$|^(?:open|async)api\.json$/.test(name))
    .map((name) => ({ path: name, text: git('show', `${commit}:${name}`) }));
}

/** Every summary and description of an API description. */
function apiProse(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'summary' || key === 'description') && typeof inner === 'string'
      ? [inner]
      : apiProse(inner),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function line(name: string, texts: readonly string[]): string {
  const sentences = texts.flatMap((text) => sentencesOf(text));
  const lengths = sentences.map((sentence) => wordsOf(sentence).length);
  const words = texts.reduce((sum, text) => sum + wordsOf(text).length, 0);
  const long = lengths.filter((length) => length > 25).length;
  const share = lengths.length === 0 ? 0 : (100 * long) / lengths.length;
  return `${name}: ${words} words, median sentence ${median(lengths)}, over 25 words ${share.toFixed(0)} %`;
}

for (const commit of process.argv.length > 2 ? process.argv.slice(2) : [null]) {
  const files = filesOf(commit);
  console.log(commit ?? 'the current folder');
  for (const [name, fits] of GROUPS) {
    const texts = files.filter((file) => fits.test(file.path)).map(({ text }) => text);
    console.log(`  ${line(name, texts.map(proseOfMarkdown))}`);
  }
  const documents = files.filter((file) => /^(?:open|async)api\.json$/.test(file.path));
  console.log(
    `  ${line(
      'openapi.json, asyncapi.json',
      documents.flatMap(({ text }) => apiProse(JSON.parse(text))),
    )}`,
  );
  const shipped = files.filter((file) => isShipped(file.path));
  const lines = shipped.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  console.log(`  game, src, sdk, web without tests: ${shipped.length} files, ${lines} lines`);
}
