/**
 * Tests the tarball of `@matchd/game`: it is self-contained, its README is correct, and Node's test runner runs the
 * contract checks from it.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { MEMBERS } from '../../game/src/declaration.ts';
import * as entrance from '../../game/src/index.ts';
import * as testing from '../../game/src/testing/index.ts';
import { samplesOf } from '../guides/samples.ts';
import {
  compile,
  makePacked,
  mapFaults,
  missingFiles,
  RESOLUTIONS,
  type Resolution,
  ROOT,
  reportsOf,
  run,
  scriptsOf,
  TEST_MS_MAX,
} from './packed.test-kit.ts';

const kit = makePacked('game');
let said = '';
beforeAll(() => {
  said = kit.build();
  kit.install();
}, TEST_MS_MAX);
afterAll(kit.remove);

const EXAMPLES = path.join(ROOT, 'examples/games');
const examples = fs
  .readdirSync(EXAMPLES)
  .filter((name) => fs.existsSync(path.join(EXAMPLES, name, 'rules.ts')));
const rulesOf = (name: string): string =>
  fs.readFileSync(path.join(EXAMPLES, name, 'rules.ts'), 'utf8');

const read = (...names: readonly string[]): string =>
  fs.readFileSync(path.join(kit.home(), ...names), 'utf8');

test('[SETUP] @matchd/game is built and packed whatever its size', () => {
  expect(reportsOf(said, kit)).toEqual(['index', 'testing']);
  expect(missingFiles(kit)).toEqual([]);
  expect(mapFaults(kit)).toEqual([]);
});

test('[SETUP] @matchd/game imports no other package, in scripts and declarations', () => {
  expect(scriptsOf(kit)).toEqual(['index.js', 'testing.js']);
  const types = fs
    .readdirSync(path.join(kit.home(), 'dist/types'), { recursive: true })
    .map((name) => `types/${name}`)
    .filter((name) => name.endsWith('.d.ts'));
  expect(types.length).toBeGreaterThan(10);
  const imports = [...scriptsOf(kit), ...types].flatMap((name) =>
    Array.from(
      read('dist', name).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g),
      ([, specifier]) => [name, specifier!] as const,
    ),
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(([, specifier]) => !specifier.startsWith('.'))).toEqual([]);
});

test('[SETUP] @matchd/game has the licenses of bundled code', () => {
  const notices = read('dist/THIRD-PARTY-LICENSES.txt');
  for (const name of ['@noble/hashes', 'fast-check', 'pure-rand']) {
    expect(notices).toMatch(new RegExp(`^${name}\\n\\n(?:The )?MIT License`, 'm'));
  }
});

test('[SETUP] the README of @matchd/game names every member and every export', () => {
  const readme = read('README.md');
  const isNamed = (name: string): boolean =>
    new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(readme);
  const names = [...Object.keys(MEMBERS), ...Object.keys(entrance), ...Object.keys(testing)];
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test.each(RESOLUTIONS)(
  "[SETUP] the README's samples and the examples compile strictly against the packed @matchd/game (%s)",
  (resolution, module, dom) => {
    const samples = kit.samples();
    const copies = examples.map((name) => {
      const file = path.join(kit.install(), `${name}.ts`);
      fs.writeFileSync(file, rulesOf(name));
      return file;
    });
    expect([samples.length, copies.length]).toEqual([5, 4]);
    compile(kit, [...samples, ...copies], [resolution, module, dom] as Resolution, 'ES2023');
  },
  TEST_MS_MAX,
);

test.each(RESOLUTIONS)(
  '[SETUP] the board of the guide compiles strictly against the packed types of boards (%s)',
  (resolution, module, dom) => {
    const guide = fs.readFileSync(path.join(ROOT, 'docs/guides/boards.md'), 'utf8');
    const file = path.join(kit.install(), 'guide-board.ts');
    fs.writeFileSync(file, samplesOf(guide, 'ts')[0]!);
    compile(kit, [file], [resolution, module, dom] as Resolution, 'ES2023');
  },
  TEST_MS_MAX,
);

test('[SETUP] Bun imports both entries of @matchd/game', () => {
  const code = `
    const [rules, testing] = await Promise.all(
      ['', '/testing'].map((entrance) => import('${kit.manifest.name}' + entrance)));
    console.log(typeof rules.defineGame, typeof testing.gameContractChecks);`;
  const flags = ['--no-env-file', '-e', code];
  expect(run(process.execPath, flags, kit.install())).toBe('function function\n');
});

/** Writes a game and the README's test of it into the app; returns the test's file. */
function writeGame(name: string, code: string): string {
  const folder = path.join(kit.install(), name);
  fs.mkdirSync(folder);
  const script = new Bun.Transpiler({ loader: 'ts' }).transformSync(code);
  fs.writeFileSync(path.join(folder, 'game.js'), script);
  const [, sample] = /```js\n([\s\S]*?)```/.exec(read('README.md'))!;
  const file = path.join(folder, 'game.test.mjs');
  fs.writeFileSync(file, sample!);
  return file;
}

/** A fixed seed, and no variables of the surrounding test run. */
const NODE_ENV = { PATH: process.env['PATH'], MATCHD_TEST_SEED: '4711' };

function runNodeTests(file: string): { readonly status: number | null; readonly said: string } {
  const args = ['--test', '--test-reporter=tap', file];
  const { status, stdout } = spawnSync('node', args, { env: NODE_ENV, encoding: 'utf8' });
  return { status, said: stdout };
}

test(
  "[SETUP] Node's test runner passes each game of the README",
  () => {
    const games = kit
      .samples()
      .map((file) => fs.readFileSync(file, 'utf8'))
      .filter((code) => /\bdefine(?:Tick)?Game\b/.test(code));
    expect(games.length).toBe(3);
    for (const [index, code] of games.entries()) {
      const { status, said: report } = runNodeTests(writeGame(`sound-${index}`, code));
      expect([report, status]).toEqual([expect.stringContaining('# fail 0'), 0]);
      expect(report).toContain('ok 1 - the declaration is valid (seed 4711)');
      expect(Number(/^# pass (\d+)$/m.exec(report)?.[1])).toBeGreaterThanOrEqual(10);
    }
  },
  TEST_MS_MAX,
);

/** A program that plays random games of an example and prints their hash. */
const PLAY = (file: string): string => `
  const [{ game }, { playMany }] = await Promise.all(
    ['${file}', '@matchd/game/testing'].map((name) => import(name)));
  console.log(playMany(game, { seed: 4711, games: game.ticks === undefined ? 30 : 3 }).hash);`;

test.each(examples)(
  '[SETUP] the example %s plays the same on Node and Bun with the packed @matchd/game',
  (name) => {
    const script = new Bun.Transpiler({ loader: 'ts' }).transformSync(rulesOf(name));
    fs.writeFileSync(path.join(kit.install(), `${name}.js`), script);
    const code = PLAY(`./${name}.js`);
    const onNode = run('node', ['--input-type=module', '-e', code], kit.install());
    const onBun = run(process.execPath, ['--no-env-file', '-e', code], kit.install());
    expect(onNode).toMatch(/^[0-9a-f]{64}\n$/);
    expect(onBun).toBe(onNode);
  },
  TEST_MS_MAX,
);

test(
  "[SETUP] Node's test runner reports a broken game once, with its position",
  () => {
    const nim = fs.readFileSync(kit.samples()[0]!, 'utf8');
    const broken = nim.replace('take <= left', 'take <= left + 1');
    expect(broken).not.toBe(nim);
    const { status, said: report } = runNodeTests(writeGame('broken', broken));
    expect(status).toBe(1);
    expect(report).toMatch(/not ok \d+ - random games end with a consistent outcome/);
    expect(report.match(/There are only/g)).toHaveLength(1);
    expect(report).toMatch(/nim setup 0 game \d, seed 4711.*There are only \d left/);
  },
  TEST_MS_MAX,
);
