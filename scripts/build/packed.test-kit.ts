/** Shared by the tests of our packages: builds a tarball and installs it into an empty folder. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';

export const ROOT = path.join(import.meta.dirname, '../..');
/** Time limit for building and installing a package. */
export const TEST_MS_MAX = 60_000;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** One of our packages, built and packed. */
export interface Packed {
  readonly manifest: Manifest;
  /** Path of the tarball. */
  readonly tarball: string;
  /** A temporary folder. */
  readonly folder: string;
  /** Builds the package with a size limit of one byte; returns the output. */
  build(): string;
  /** Installs the tarball on the first call; returns the folder of the app. */
  install(): string;
  /** The folder of the installed package. */
  home(): string;
  /** Writes the samples of the README into the app; returns their files. */
  samples(): readonly string[];
  remove(): void;
}

export function makePacked(name: string): Packed {
  const text = fs.readFileSync(path.join(ROOT, name, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const file = `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`;
  const tarball = path.join(ROOT, 'dist', file);
  const folder = makeTempFolder();
  const install = (): string => {
    const app = path.join(folder, 'app');
    if (fs.existsSync(app)) return app;
    fs.mkdirSync(app);
    fs.writeFileSync(path.join(app, 'package.json'), '{ "private": true, "type": "module" }\n');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], app);
    return app;
  };
  const home = (): string => path.join(install(), 'node_modules', manifest.name);
  return {
    manifest,
    tarball,
    folder,
    install,
    home,
    build() {
      fs.rmSync(tarball, { force: true });
      const script = path.join(import.meta.dirname, `build-${name}.ts`);
      return run(process.execPath, ['--no-env-file', script, '--aim', '1'], folder);
    },
    samples() {
      const readme = fs.readFileSync(path.join(home(), 'README.md'), 'utf8');
      return Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code], i) => {
        const sample = path.join(install(), `sample-${i}.ts`);
        fs.writeFileSync(sample, code!);
        return sample;
      });
    },
    remove: () => removeFolder(folder),
  };
}

/** Runs a program and returns its output. Throws if it fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status} ${stdout}${stderr}`);
  return stdout + stderr;
}

/** The entries that the output reports as over the limit. */
export function reportsOf(said: string, { manifest }: Packed): readonly string[] {
  const line = new RegExp(
    `^\\*\\*\\* OVER \\*\\*\\* ${manifest.name} (\\w+): \\d+ B gzip, aim 1 B$`,
    'gm',
  );
  return Array.from(said.matchAll(line), ([, name]) => name!).sort();
}

/** Required files that the package does not have. */
export function missingFiles(packed: Packed): readonly string[] {
  const exported = Object.values(packed.manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  const needed = [...exported, 'README.md', 'LICENSE'];
  return needed.filter((file) => !fs.existsSync(path.join(packed.home(), file)));
}

/** Faults of the source maps: missing sources and absolute paths. */
export function mapFaults(packed: Packed): readonly string[] {
  const dist = path.join(packed.home(), 'dist');
  return scriptsOf(packed).flatMap((name) => {
    const code = fs.readFileSync(path.join(dist, name), 'utf8');
    if (!code.trimEnd().endsWith(`//# sourceMappingURL=${name}.map`)) return [`${name} has no map`];
    const map = JSON.parse(fs.readFileSync(path.join(dist, `${name}.map`), 'utf8')) as {
      readonly sources: readonly string[];
      readonly sourcesContent: readonly (string | null)[];
    };
    return map.sources.flatMap((source, i) => [
      ...(path.isAbsolute(source) ? [`${name}: ${source} is an absolute path`] : []),
      ...(typeof map.sourcesContent[i] === 'string' ? [] : [`${name}: ${source} is not in it`]),
    ]);
  });
}

/** Names of the built scripts in dist. */
export function scriptsOf(packed: Packed): readonly string[] {
  const names = fs.readdirSync(path.join(packed.home(), 'dist'));
  return names.filter((name) => name.endsWith('.js')).sort();
}

/** Ways in which a project may resolve a package's types. */
export const RESOLUTIONS = [
  ['bundler', 'ESNext', 'DOM'],
  ['nodenext', 'NodeNext', 'DOM,DOM.Iterable'],
] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

/** Compiles files strictly against the installed package with the library `lib`, e.g. `ES2022`. Throws on errors. */
export function compile(
  packed: Packed,
  files: readonly string[],
  [resolution, module, dom]: Resolution,
  lib: string,
): void {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const rest = ['--noEmit', '--target', 'ES2022', '--types', '', '--skipLibCheck', 'false'];
  const modules = ['--module', module, '--moduleResolution', resolution];
  const args = [compiler, ...flags, ...rest, ...modules, '--lib', `${lib},${dom}`, ...files];
  run('node', args, packed.install());
}
