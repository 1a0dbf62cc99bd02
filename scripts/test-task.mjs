/** `npm test` and `npm run e2e`: `bun test` with its files spread over several processes. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChild } from './run-child.mjs';
import { projectRoot } from './setup.mjs';
import { makeTestFolder } from './test-folder.mjs';

/** A test without a limit of its own may take this long. */
const TEST_TIMEOUT_MS = 20_000;
/** Many tests wait for a process or a moment, so more of them than cores keep the cores busy. */
const WORKERS_PER_CORE = 2;
const WORKERS_MAX = 16;
/** A run of everything is ended after this long: `bun test` then names the files that still run. */
const RUN_MS_MAX = 20 * 60_000;

/** How long each file takes, so that the slowest start first: as last seen here, and as committed. */
const TIMES = '.cache/test-times.json';
const COMMITTED_TIMES = 'scripts/test-times.json';
/** `--fast` leaves out every file that takes longer by the committed list. */
const FAST_MS_MAX = 1_200;

const exists = (file) => fs.existsSync(path.join(projectRoot, file));

/** Of the places, every file of tests, as `bun test` finds them. */
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

/** The files that the committed list knows to be quick. One that it does not know runs. */
function listFast(places) {
  const { files } = JSON.parse(fs.readFileSync(path.join(projectRoot, COMMITTED_TIMES), 'utf8'));
  const all = listTests(places);
  const fast = all.filter((file) => (files[file] ?? 0) <= FAST_MS_MAX);
  console.error(`--fast: ${all.length - fast.length} slower files of ${all.length} are left out\n`);
  return fast;
}

/** `places` are what runs unless the caller names folders or files; flags are passed on. */
function testArgs(places, args) {
  const passed = args.filter((arg) => arg !== '--fast');
  const isNamed = passed.some(
    (arg) => !arg.startsWith('-') && (exists(arg) || /\.tsx?$/.test(arg)),
  );
  const chosen = isNamed ? [] : passed.length < args.length ? listFast(places) : places;
  const isWhole = !isNamed && chosen === places;
  const workers = Math.min(WORKERS_PER_CORE * os.availableParallelism(), WORKERS_MAX);
  const flags = [
    '--no-env-file',
    `--timeout=${TEST_TIMEOUT_MS}`,
    ...['--no-isolate', `--timings=${TIMES}`, `--timings=${COMMITTED_TIMES}`],
    ...(passed.some((arg) => arg.startsWith('--parallel')) ? [] : [`--parallel=${workers}`]),
    // Part of a file's tests says nothing of its time.
    ...(isWhole && passed.length === 0 ? ['--update-timings'] : []),
  ];
  return { isWhole, args: ['test', ...flags, ...passed, ...chosen.map((place) => `./${place}`)] };
}

/** The one file to run, which tests of the command line start very often and which starts quickest. */
function buildProgram(bun, file) {
  const script = ['scripts/build-executable.ts', '--bytecode', file];
  const stdio = ['ignore', 'ignore', 2];
  return runChild(bun, ['--no-env-file', '--no-install', ...script], { cwd: projectRoot, stdio });
}

/** Runs the tests; what they write is in a folder of its own, which is removed with it. */
export async function runTests(bun, places, given) {
  fs.mkdirSync(path.join(projectRoot, '.cache'), { recursive: true });
  const { isWhole, args } = testArgs(places.filter(exists), given);
  const { folder, remove } = makeTestFolder();
  const program = path.join(folder, 'matchd');
  const env = {
    ...process.env,
    TMPDIR: folder,
    MATCHD_TEST_RUN: folder,
    // For the few tests that are about disks.
    MATCHD_TEST_DISK: os.tmpdir(),
  };
  try {
    if (isWhole) {
      const ended = await buildProgram(bun, program);
      if (ended.code !== 0) return ended;
      env.MATCHD_TEST_PROGRAM = program;
    }
    return await runChild(bun, args, {
      ...{ cwd: projectRoot, env },
      ...(isWhole ? { timeout: RUN_MS_MAX, killSignal: 'SIGINT' } : {}),
    });
  } finally {
    remove();
  }
}
