/**
 * Builds the single executable: `bun scripts/build/build-executable.ts [--bytecode] [FILE]`. It
 * contains pages, documents and threads. With bytecode, which the tests use, it is a tenth larger
 * and starts in half the time.
 */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.join(import.meta.dirname, '../..');
const OUT = path.join(ROOT, 'dist', 'matchd');
const MAIN = 'src/cli/main.ts';
/** Added before the command line, so that the bundler includes the files. */
const ENTRY = '.cache/executable.ts';

const GAME_DIST = 'game/dist';

/** Built pages and documents that the service reads while it runs. */
const FOLDERS = [
  'web/home/dist',
  'web/play/dist',
  'web/docs/dist',
  'web/demo/dist',
  'web/dashboard/dist',
  // For games created by `matchd games new`.
  GAME_DIST,
];
const DOCUMENTS = ['openapi.json', 'asyncapi.json', 'game/package.json', 'game/README.md'];

/**
 * `@matchd/game`, with which an operator's games are bundled, and its test helpers: modules of
 * their own.
 */
const PACKAGE = { source: 'game/src/index.ts', file: '.cache/matchd-game.mjs' };
const TESTING = { source: 'game/src/testing/index.ts', file: '.cache/matchd-game-testing.mjs' };

/** Files that run as threads of their own. */
const THREADS = [
  'src/store/sqlite/writer/writer.ts',
  'src/runtime/bots/thinker.ts',
  'src/cli/ladder/ladder-worker.ts',
];

interface Place {
  readonly file: string;
  /** How sources of a checkout express a location. */
  readonly here: string;
  /** The same in the executable, where every source is at the root: an expression. */
  readonly inside: string;
}

/** In the executable a path relative to a source file has nothing to be relative to. */
const PLACES: readonly Place[] = [
  {
    file: 'src/compose.ts',
    here: "join(import.meta.dirname, '..')",
    inside: 'import.meta.dirname',
  },
  // The bundler keeps the dot in the names of files at the root.
  {
    file: 'src/listen.ts',
    here: 'join(PROJECT_ROOT, name)',
    inside: "PROJECT_ROOT + '/./' + name",
  },
  {
    file: 'src/cli/build.ts',
    here: "new URL('../../openapi.json', import.meta.url)",
    inside: "import.meta.dirname + '/./openapi.json'",
  },
  {
    file: 'src/runtime/games/package-text.ts',
    here: "new URL('../../../game/src/index.ts', import.meta.url)",
    inside: `import.meta.dirname + '/${PACKAGE.file}'`,
  },
  {
    file: 'src/cli/games/game-package.ts',
    here: "new URL('../../../game/', import.meta.url)",
    inside: "import.meta.dirname + '/./game/'",
  },
  {
    file: 'src/cli/games/games-engines.ts',
    here: "new URL('../../../game/src/testing/index.ts', import.meta.url)",
    inside: `import.meta.dirname + '/${TESTING.file}'`,
  },
  thread('src/store/sqlite/writer/group-commit.ts', './writer.ts', THREADS[0]!),
  thread('src/runtime/bots/thinkers.ts', './thinker.ts', THREADS[1]!),
  thread('src/cli/ladder/ladder-crew.ts', './ladder-worker.ts', THREADS[2]!),
];

function thread(file: string, here: string, source: string): Place {
  const inside = `import.meta.dirname + '/${source.replace(/\.ts$/, '.js')}'`;
  return { file, here: `new URL('${here}', import.meta.url)`, inside };
}

function filesIn(folder: string): string[] {
  const found = fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
  if (found.length === 0) throw new Error(`${folder} is empty: npm run build makes it`);
  return found.sort();
}

/** Imports the embedded files, then runs the command line. */
function makeEntry(): string {
  const files = [...FOLDERS.flatMap(filesIn), ...DOCUMENTS, PACKAGE.file, TESTING.file];
  const lines = files.map((file, i) => {
    const source = JSON.stringify(path.join(ROOT, file));
    return `import file${i} from ${source} with { type: 'file' };`;
  });
  const names = files.map((_, i) => `file${i}`).join(', ');
  // Named, so that none is dropped as unused.
  return [
    ...lines,
    `globalThis.matchdFiles = [${names}];`,
    "await import('../src/cli/main.ts');",
  ].join('\n');
}

/**
 * Sources by their paths, with every location replaced. Throws when one is not found exactly once.
 */
function placeAll(): ReadonlyMap<string, string> {
  const placed = new Map<string, string>();
  for (const { file, here, inside } of PLACES) {
    const full = path.join(ROOT, file);
    const parts = (placed.get(full) ?? fs.readFileSync(full, 'utf8')).split(here);
    if (parts.length !== 2) throw new Error(`${file} does not say ${here} exactly once`);
    placed.set(full, parts.join(`(${inside})`));
  }
  return placed;
}

const sources = placeAll();

/** The package that games are written with; built if it is missing or older than its sources. */
function buildGamePackage(): void {
  const built = fs.statSync(path.join(ROOT, GAME_DIST, 'index.js'), { throwIfNoEntry: false });
  const sources = fs.readdirSync(path.join(ROOT, 'game/src'), { recursive: true }).map(String);
  const isStale = sources.some(
    (name) => fs.statSync(path.join(ROOT, 'game/src', name)).mtimeMs > (built?.mtimeMs ?? 0),
  );
  if (!isStale) return;
  const args = ['--no-env-file', '--no-install', path.join(ROOT, 'scripts/build/build-game.ts')];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('@matchd/game cannot be built');
}

async function buildModule({ source, file }: typeof PACKAGE): Promise<void> {
  const made = await Bun.build({
    entrypoints: [path.join(ROOT, source)],
    target: 'browser',
    format: 'esm',
  });
  fs.writeFileSync(path.join(ROOT, file), await made.outputs[0]!.text());
}

async function build(outfile: string, bytecode: boolean): Promise<void> {
  fs.mkdirSync(path.dirname(outfile), { recursive: true });
  fs.mkdirSync(path.join(ROOT, '.cache'), { recursive: true });
  buildGamePackage();
  await buildModule(PACKAGE);
  await buildModule(TESTING);
  fs.writeFileSync(path.join(ROOT, ENTRY), makeEntry());
  const built = await Bun.build({
    entrypoints: [ENTRY, ...THREADS].map((file) => path.join(ROOT, file)),
    root: ROOT,
    target: 'bun',
    // Code for several nodes is loaded only when needed; threads share common code.
    splitting: true,
    format: 'esm',
    bytecode,
    naming: { entry: '[dir]/[name].[ext]', asset: '[dir]/[name].[ext]' },
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    plugins: [
      {
        name: 'places',
        setup({ onLoad }) {
          onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
            contents: sources.get(file) ?? fs.readFileSync(file, 'utf8'),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  if (!built.success) throw new AggregateError(built.logs, `${MAIN} cannot be built`);
}

const { values, positionals } = parseArgs({
  options: { bytecode: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const outfile = path.resolve(positionals[0] ?? OUT);
await build(outfile, values.bytecode);
const megabytes = (fs.statSync(outfile).size / 1_000_000).toFixed(1);
console.log(`${path.relative(process.cwd(), outfile)}: ${megabytes} MB`);
