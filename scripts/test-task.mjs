/** `npm test` and `npm run e2e`: `bun test` with its files spread over several processes. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChild } from './run-child.mjs';
import { projectRoot } from './setup.mjs';
import { makeTestFolder } from './test-folder.mjs';

/** The timeout of a test without its own. */
const TEST_TIMEOUT_MS = 20_000;
const WORKERS_MAX = 16;
/** The timeout of tests that wait for real time and may run in parallel (`test.concurrent`). */
const CONCURRENT_MAX = 4;

/**
 * The duration of each file, so that the slowest start first: as last measured here, and as
 * committed.
 */
const TIMES = '.cache/test-times.json';
const COMMITTED_TIMES = 'scripts/test-times.json';
/** `--fast` runs the fastest files that together take this part of the total time. */
const FAST_PART = 0.025;

const WRITER = 'src/store/sqlite/writer/writer.ts';
/** Lets the tests of a complete run start the built writer. */
const THREADS = 'scripts/test-threads.ts';

const exists = (file) => fs.existsSync(path.join(projectRoot, file));

/** All test files in these folders, as `bun test` finds them. */
function listTests(places) {
  const isTest = (name) => /\.test\.(ts|tsx|mjs)$/.test(name);
  return places.flatMap((place) => {
    if (!place.endsWith('/')) return [place];
    return fs
      .readdirSync(path.join(projectRoot, place), { recursive: true })
      .filter((name) => isTest(name) && !name.split(path.sep).includes('node_modules'))
      .map((name) => place + name);
  });
}

/** The fastest by the committed list. An unknown file is included, and comes first. */
function listFast(places) {
  const { files } = JSON.parse(fs.readFileSync(path.join(projectRoot, COMMITTED_TIMES), 'utf8'));
  const times = listTests(places).map((file) => ({ file, ms: files[file] ?? 0 }));
  let msLeft = FAST_PART * times.reduce((sum, { ms }) => sum + ms, 0);
  const fast = times
    .sort((a, b) => a.ms - b.ms)
    .filter(({ ms }) => {
      msLeft -= ms;
      return msLeft >= 0;
    });
  const left = times.length - fast.length;
  console.error(`--fast: ${left} slower files of ${times.length} are left out\n`);
  return fast.map(({ file }) => file);
}

/**
 * `places` are what runs unless the caller names folders or files; flags are passed on. Where tests wait for a
 * process or a moment, more workers than cores keep the cores busy.
 */
export function testArgs(places, args, workersPerCore = 1) {
  const passed = args.filter((arg) => arg !== '--fast');
  const isNamed = passed.some(
    (arg) => !arg.startsWith('-') && (exists(arg) || /\.tsx?$/.test(arg)),
  );
  const chosen = isNamed ? [] : passed.length < args.length ? listFast(places) : places;
  const isWhole = !isNamed && chosen === places;
  const workers = Math.min(workersPerCore * os.availableParallelism(), WORKERS_MAX);
  const flags = [
    '--no-env-file',
    `--timeout=${TEST_TIMEOUT_MS}`,
    `--max-concurrency=${CONCURRENT_MAX}`,
    '--no-isolate',
    `--preload=./${THREADS}`,
    `--timings=${TIMES}`,
    `--timings=${COMMITTED_TIMES}`,
    ...(passed.some((arg) => arg.startsWith('--parallel')) ? [] : [`--parallel=${workers}`]),
    // A part of a file's tests does not tell the file's duration.
    ...(isWhole && passed.length === 0 ? ['--update-timings'] : []),
  ];
  return { isWhole, args: ['test', ...flags, ...passed, ...chosen.map((place) => `./${place}`)] };
}

/**
 * The single executable, which tests of the command line start very often because it starts
 * fastest.
 */
function buildProgram(bun, file) {
  const script = ['scripts/build/build-executable.ts', '--bytecode', file];
  const stdio = ['ignore', 'ignore', 2];
  return runChild(bun, ['--no-env-file', '--no-install', ...script], { cwd: projectRoot, stdio });
}

/** The thread that writes to SQLite in one file, which tests start hundreds of times. */
function buildWriter(bun, folder) {
  const options = ['--target=bun', '--format=cjs', '--bytecode', `--outdir=${folder}`];
  const stdio = ['ignore', 'ignore', 2];
  return runChild(bun, ['build', ...options, WRITER], { cwd: projectRoot, stdio });
}

/**
 * Builds into `folder` what a complete run starts again and again, and names it in `env`. Returns
 * how a build failed; null when none did.
 */
async function buildStarted(bun, folder, env) {
  const program = path.join(folder, 'matchd');
  for (const built of [await buildProgram(bun, program), await buildWriter(bun, folder)]) {
    if (built.code !== 0) return built;
  }
  env.MATCHD_TEST_PROGRAM = program;
  env.MATCHD_TEST_WRITER = path.join(folder, path.basename(WRITER).replace('.ts', '.js'));
  return null;
}

/**
 * Runs the tests; what they write is in a folder of its own, which is removed with it. `limitMs` ends a run
 * of all places, which then starts built files wherever a test needs the real command or the writer's thread;
 * null for neither.
 */
export async function runTests(bun, places, given, { workersPerCore, limitMs = null }) {
  fs.mkdirSync(path.join(projectRoot, '.cache'), { recursive: true });
  const { isWhole, args } = testArgs(places.filter(exists), given, workersPerCore);
  const isLimited = isWhole && limitMs !== null;
  const { folder, remove } = makeTestFolder();
  const env = {
    ...process.env,
    TMPDIR: folder,
    MATCHD_TEST_RUN: folder,
    // For the few tests that are about disks.
    MATCHD_TEST_DISK: os.tmpdir(),
  };
  // On the disk: the system maps more of a file there at once, and it starts in a tenth less time.
  const disk = isLimited ? fs.mkdtempSync(path.join(os.tmpdir(), 'matchd-program-')) : null;
  try {
    if (disk !== null) {
      const failed = await buildStarted(bun, disk, env);
      if (failed !== null) return failed;
    }
    return await runChild(bun, args, {
      cwd: projectRoot,
      env,
      ...(isLimited ? { timeout: limitMs, killSignal: 'SIGINT' } : {}),
    });
  } finally {
    remove();
    if (disk !== null) fs.rmSync(disk, { recursive: true, force: true });
  }
}
