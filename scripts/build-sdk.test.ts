/** Shows that the SDK is built and packed whatever it weighs, and that its tarball works in an empty folder, on Node and Bun. */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../src/testing/temp-folder.ts';

const ROOT = path.dirname(import.meta.dirname);
const TEST_MS_MAX = 60_000;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const manifest = JSON.parse(
  fs.readFileSync(path.join(ROOT, 'sdk/package.json'), 'utf8'),
) as Manifest;
const tarball = path.join(ROOT, 'dist', `matchd-sdk-${manifest.version}.tgz`);

/** Runs to its end and answers all that it printed. Throws when it fails. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status} ${stdout}${stderr}`);
  return stdout + stderr;
}

test(
  '[SETUP] an SDK over its aim of weight is reported, built and packed all the same',
  () => {
    fs.rmSync(tarball, { force: true });
    const script = path.join(import.meta.dirname, 'build-sdk.ts');
    const said = run(process.execPath, ['--no-env-file', script, '--aim', '1'], folder);
    for (const name of ['index', 'client', 'embed']) {
      expect(said).toMatch(
        new RegExp(`^\\*\\*\\* OVER \\*\\*\\* @matchd/sdk ${name}: \\d+ B gzip, aim 1 B$`, 'm'),
      );
    }
    expect(fs.existsSync(tarball)).toBe(true);
  },
  TEST_MS_MAX,
);

/** An empty folder in which the tarball is installed as anybody would install it. */
function installed(): string {
  const home = path.join(folder, 'app');
  if (fs.existsSync(home)) return home;
  fs.mkdirSync(home);
  fs.writeFileSync(path.join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], home);
  return home;
}
const packageOf = (home: string): string => path.join(home, 'node_modules', manifest.name);

test(
  '[SETUP] the packed SDK holds every file that it exports, its license and a README',
  () => {
    const home = packageOf(installed());
    const files = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    for (const file of [...files, 'README.md']) {
      expect([file, fs.existsSync(path.join(home, file))]).toEqual([file, true]);
    }
    const license = (at: string): string => fs.readFileSync(path.join(at, 'LICENSE'), 'utf8');
    expect(license(home)).toBe(license(ROOT));
  },
  TEST_MS_MAX,
);

test(
  '[SETUP] every script of the packed SDK has a source map with its sources, and no path of this machine',
  () => {
    const dist = path.join(packageOf(installed()), 'dist');
    const scripts = fs.readdirSync(dist).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(3);
    for (const name of scripts) {
      const code = fs.readFileSync(path.join(dist, name), 'utf8');
      expect(code.trimEnd()).toEndWith(`//# sourceMappingURL=${name}.map`);
      const map = JSON.parse(fs.readFileSync(path.join(dist, `${name}.map`), 'utf8')) as {
        readonly sources: readonly string[];
        readonly sourcesContent: readonly string[];
      };
      expect([name, map.sourcesContent.length]).toEqual([name, map.sources.length]);
      for (const [i, source] of map.sources.entries()) {
        expect([name, path.isAbsolute(source)]).toEqual([name, false]);
        expect([source, map.sourcesContent[i]?.length]).toEqual([source, expect.any(Number)]);
      }
    }
  },
  TEST_MS_MAX,
);

/** The samples of the README, as files of their own. */
function samplesOf(home: string): readonly string[] {
  const readme = fs.readFileSync(path.join(packageOf(home), 'README.md'), 'utf8');
  return Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code], i) => {
    const file = path.join(home, `sample-${i}.ts`);
    fs.writeFileSync(file, code!);
    return file;
  });
}

test.each([
  ['bundler', 'ESNext', 'ES2022,DOM'],
  ['nodenext', 'NodeNext', 'ES2022,DOM,DOM.Iterable'],
])(
  "[SETUP] the README's samples compile against the packed SDK, strictly (%s)",
  (resolution, module, lib) => {
    const home = installed();
    const samples = samplesOf(home);
    expect(samples.length).toBeGreaterThanOrEqual(5);
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const rest = ['--noEmit', '--target', 'ES2022', '--types', '', '--skipLibCheck', 'false'];
    run(
      'node',
      [
        ...[compiler, ...flags, ...rest, '--lib', lib],
        ...['--module', module, '--moduleResolution', resolution, ...samples],
      ],
      home,
    );
  },
  TEST_MS_MAX,
);

test.each([
  ['Node', 'node', ['--input-type=module', '-e']],
  ['Bun', process.execPath, ['--no-env-file', '-e']],
] as const)(
  '[SETUP] %s imports each entrance of the packed SDK',
  (_, program, flags) => {
    const code = `
      const [server, client, embed] = await Promise.all(
        ['', '/client', '/embed'].map((entrance) => import('${manifest.name}' + entrance)));
      console.log(typeof server.createMatchd, typeof client.connect, typeof embed.mount);`;
    expect(run(program, [...flags, code], installed())).toBe('function function function\n');
  },
  TEST_MS_MAX,
);
