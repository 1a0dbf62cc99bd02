/**
 * Builds the SDK into sdk/dist, scripts and types, packs it into dist, and reports what each entrance weighs:
 * `bun scripts/build-sdk.ts [--aim BYTES]`, where BYTES stands in for the aim of every entrance.
 */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { repositoryUrl } from './repository-url.ts';
import { overAim, type Weight } from './weight.ts';

const root = path.dirname(import.meta.dir);
const sdk = path.join(root, 'sdk');
const dist = path.join(sdk, 'dist');
/** Where a release lies: the tarball, beside the executable. */
const release = path.join(root, 'dist');

interface Entrance {
  /** Of the file in dist. */
  readonly name: string;
  readonly source: string;
  /** What it should weigh at most: compressed, without what it loads when asked. Bytes. */
  readonly aim: number;
}

const ENTRANCES: readonly Entrance[] = [
  { name: 'index', source: 'src/server/index.ts', aim: 8_000 },
  // 400 of them for commands whose position is gone, sessions never shown and an own clock (P4, P8).
  { name: 'client', source: 'src/client/index.ts', aim: 8_250 },
  { name: 'embed', source: 'src/embed/index.ts', aim: 3_000 },
];

/** Each entrance by itself, so that none brings the code of another. */
async function build({ name, source, aim }: Entrance): Promise<Weight> {
  const built = await Bun.build({
    entrypoints: [path.join(sdk, source)],
    outdir: dist,
    target: 'browser',
    minify: true,
    splitting: true,
    // With the sources in it: a debugger shows what was written.
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
    // What both share comes with the entrance.
    const isShared = code.includes(`from"./${file}"`);
    if (isShared) bytes += weight;
    console.log(
      `  ${isShared ? 'shared' : 'when asked'}: ${file} ${chunk.size} B, ${weight} B gzip`,
    );
  }
  console.log(`@matchd/sdk ${name}: ${main.size} B, ${bytes} B gzip with what it shares`);
  return { name: `@matchd/sdk ${name}`, bytes, aim };
}

/** Compressed. Bytes. */
async function weigh(output: Blob): Promise<number> {
  return gzipSync(await output.arrayBuffer(), { level: 9 }).length;
}

function emitTypes(): void {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  run('node', [compiler, '-p', sdk], root);
}

/** Writes the tarball that a registry would be given: what `sdk/` has, the license, and whence it comes. */
function pack(): void {
  const staged = fs.mkdtempSync(path.join(os.tmpdir(), 'matchd-sdk-'));
  try {
    for (const name of ['README.md', 'dist']) {
      fs.cpSync(path.join(sdk, name), path.join(staged, name), { recursive: true });
    }
    fs.copyFileSync(path.join(root, 'LICENSE'), path.join(staged, 'LICENSE'));
    const manifest = JSON.parse(fs.readFileSync(path.join(sdk, 'package.json'), 'utf8')) as object;
    const text = JSON.stringify({ ...manifest, ...readRepository() }, null, 2);
    fs.writeFileSync(path.join(staged, 'package.json'), `${text}\n`);
    fs.mkdirSync(release, { recursive: true });
    run(process.execPath, ['pm', 'pack', '--quiet', '--destination', release], staged);
  } finally {
    fs.rmSync(staged, { recursive: true });
  }
}

/** The `repository` of a package: where this checkout was cloned from. Nothing for a folder's path. */
function readRepository(): object {
  const { stdout } = spawnSync('git', ['config', '--get', 'remote.origin.url'], {
    cwd: root,
    encoding: 'utf8',
  });
  const url = repositoryUrl(stdout?.trim() ?? '');
  return url === null ? {} : { repository: { type: 'git', url, directory: 'sdk' } };
}

/** Ends this script as the program ended, unless that went well. Its output goes to standard error. */
function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const { aim } = parseArgs({ options: { aim: { type: 'string' } } }).values;
fs.rmSync(dist, { recursive: true, force: true });
const weights = await Promise.all(ENTRANCES.map(build));
emitTypes();
pack();
const held = weights.map((weight) =>
  aim === undefined ? weight : { ...weight, aim: Number(aim) },
);
for (const line of overAim(held)) console.warn(line);
