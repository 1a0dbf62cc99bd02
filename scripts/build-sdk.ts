/** Builds the SDK into sdk/dist, scripts and types, and says what each entrance weighs: `bun scripts/build-sdk.ts`. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const root = path.dirname(import.meta.dir);
const sdk = path.join(root, 'sdk');
const dist = path.join(sdk, 'dist');

interface Entrance {
  /** Of the file in dist. */
  readonly name: string;
  readonly source: string;
  /** What it may weigh compressed, without what it loads when asked. Bytes. */
  readonly bytesMax: number;
}

const ENTRANCES: readonly Entrance[] = [
  { name: 'index', source: 'src/server/index.ts', bytesMax: 8_000 },
  // 400 of them for commands whose position is gone, sessions never shown and an own clock (P4, P8).
  { name: 'client', source: 'src/client/index.ts', bytesMax: 7_100 },
  { name: 'embed', source: 'src/embed/index.ts', bytesMax: 3_000 },
];

/** Each entrance by itself, so that none brings the code of another. */
async function build({ name, source, bytesMax }: Entrance): Promise<boolean> {
  const built = await Bun.build({
    entrypoints: [path.join(sdk, source)],
    outdir: dist,
    target: 'browser',
    minify: true,
    splitting: true,
    sourcemap: 'none',
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
  if (bytes > bytesMax) console.error(`${name} is over ${bytesMax} B`);
  return bytes <= bytesMax;
}

/** Compressed. Bytes. */
async function weigh(output: Blob): Promise<number> {
  return gzipSync(await output.arrayBuffer(), { level: 9 }).length;
}

function emitTypes(): boolean {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const ended = spawnSync('node', [compiler, '-p', sdk], { cwd: root, stdio: ['ignore', 2, 2] });
  return ended.status === 0;
}

fs.rmSync(dist, { recursive: true, force: true });
const fits = (await Promise.all(ENTRANCES.map(build))).every(Boolean);
process.exitCode = emitTypes() && fits ? 0 : 1;
