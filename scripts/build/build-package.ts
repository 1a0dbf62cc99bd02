/**
 * Builds a package, a folder such as `sdk/`, into its `dist`: scripts, types and the licenses of bundled code. Packs
 * it into the project's `dist` and reports the size of each entry.
 */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { repositoryUrl } from './repository-url.ts';
import { overAim, type Weight } from './weight.ts';

const ROOT = path.join(import.meta.dir, '../..');
/** The folder of release files: tarballs and the executable. */
const RELEASE = path.join(ROOT, 'dist');
/** The licenses of bundled code, in a package's `dist`. */
const NOTICES = 'THIRD-PARTY-LICENSES.txt';

export interface Entrance {
  /** Of the file in dist. */
  readonly name: string;
  /** From the package's folder. */
  readonly source: string;
  /** Size limit: compressed, without lazy chunks. A larger entry is reported. Bytes. */
  readonly aim: number;
}

export interface Package {
  /** From the project's root: `sdk`. */
  readonly folder: string;
  readonly entrances: readonly Entrance[];
}

interface Manifest {
  readonly name: string;
}

/** `--aim BYTES` on the command line replaces the limit of every entry. */
export async function buildPackage(built: Package): Promise<void> {
  const { aim } = parseArgs({ options: { aim: { type: 'string' } } }).values;
  const home = path.join(ROOT, built.folder);
  fs.rmSync(path.join(home, 'dist'), { recursive: true, force: true });
  const weights = await Promise.all(built.entrances.map((entrance) => build(home, entrance)));
  run('node', [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', home], ROOT);
  writeNotices(path.join(home, 'dist'));
  pack(built.folder);
  const held = weights.map((weight) =>
    aim === undefined ? weight : { ...weight, aim: Number(aim) },
  );
  for (const line of overAim(held)) console.warn(line);
}

function readManifest(home: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')) as Manifest;
}

/** Builds each entry by itself, so that none includes the code of another. */
async function build(home: string, { name, source, aim }: Entrance): Promise<Weight> {
  const built = await Bun.build({
    entrypoints: [path.join(home, source)],
    outdir: path.join(home, 'dist'),
    target: 'browser',
    minify: true,
    splitting: true,
    // A library adds no elements to the page that uses it.
    modulePreload: false,
    // The maps include the sources, for debuggers.
    sourcemap: 'linked',
    naming: { entry: `${name}.[ext]`, chunk: '[name]-[hash].[ext]' },
  });
  if (!built.success) throw new AggregateError(built.logs, `${source} cannot be built`);
  const main = built.outputs.find(({ kind }) => kind === 'entry-point')!;
  const code = await main.text();
  let bytes = await weigh(main);
  for (const chunk of built.outputs.filter(({ kind }) => kind === 'chunk')) {
    const file = path.basename(chunk.path);
    const weight = await weigh(chunk);
    // A shared chunk loads with its entry.
    const isShared = code.includes(`from"./${file}"`);
    if (isShared) bytes += weight;
    console.log(
      `  ${isShared ? 'shared' : 'when asked'}: ${file} ${chunk.size} B, ${weight} B gzip`,
    );
  }
  const title = `${readManifest(home).name} ${name}`;
  console.log(`${title}: ${main.size} B, ${bytes} B gzip with what it shares`);
  return { name: title, bytes, aim };
}

/** Compressed. Bytes. */
async function weigh(output: Blob): Promise<number> {
  return gzipSync(await output.arrayBuffer(), { level: 9 }).length;
}

/** Writes the licenses of all bundled packages, if there are any. */
function writeNotices(dist: string): void {
  const maps = fs.readdirSync(dist).filter((name) => name.endsWith('.map'));
  const sources = maps.flatMap((name) => {
    const map = JSON.parse(fs.readFileSync(path.join(dist, name), 'utf8')) as { sources: string[] };
    return map.sources.map((source) => path.resolve(dist, source));
  });
  const others = new Set(sources.flatMap((source) => packageHome(source) ?? []));
  const notices = [...others].sort().map((home) => {
    const license = fs.readFileSync(path.join(home, 'LICENSE'), 'utf8').trim();
    return `${readManifest(home).name}\n\n${license}\n`;
  });
  if (notices.length === 0) return;
  fs.writeFileSync(path.join(dist, NOTICES), notices.join(`\n${'-'.repeat(78)}\n\n`));
}

/** The folder of the installed package that has the source; null for our own sources. */
function packageHome(source: string): string | null {
  const installed = `${path.sep}node_modules${path.sep}`;
  const at = source.lastIndexOf(installed);
  if (at === -1) return null;
  const rest = source.slice(at + installed.length).split(path.sep);
  const name = rest.slice(0, rest[0]!.startsWith('@') ? 2 : 1);
  return path.join(source.slice(0, at), 'node_modules', ...name);
}

/** Writes the tarball for a registry: the folder's files, the license, and the repository. */
function pack(folder: string): void {
  const home = path.join(ROOT, folder);
  const staged = fs.mkdtempSync(path.join(os.tmpdir(), `matchd-${folder}-`));
  try {
    for (const name of ['README.md', 'dist']) {
      fs.cpSync(path.join(home, name), path.join(staged, name), { recursive: true });
    }
    fs.copyFileSync(path.join(ROOT, 'LICENSE'), path.join(staged, 'LICENSE'));
    const text = JSON.stringify({ ...readManifest(home), ...readRepository(folder) }, null, 2);
    fs.writeFileSync(path.join(staged, 'package.json'), `${text}\n`);
    fs.mkdirSync(RELEASE, { recursive: true });
    run(process.execPath, ['pm', 'pack', '--quiet', '--destination', RELEASE], staged);
  } finally {
    fs.rmSync(staged, { recursive: true });
  }
}

/** The `repository` of a package: the remote of this checkout, unless it is a path. */
function readRepository(directory: string): object {
  const { stdout } = spawnSync('git', ['config', '--get', 'remote.origin.url'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const url = repositoryUrl(stdout?.trim() ?? '');
  return url === null ? {} : { repository: { type: 'git', url, directory } };
}

/** Runs a program with its output on standard error. If it fails, exits with its code. */
function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
