/** Runs one of the project's tasks, on a fresh checkout as well: `run.mjs <task> [args]`. */

import fs from 'node:fs';
import path from 'node:path';
import { runChecks } from './checks.mjs';
import { launch } from './launch.mjs';
import { exitLike, runChild } from './run-child.mjs';
import { orExplain, projectRoot, SetupError, setup } from './setup.mjs';
import { runTests } from './test-task.mjs';

/** `npm test` is ended after this long: `bun test` then names the files that still run. */
const TEST_RUN_MS_MAX = 20 * 60_000;

/**
 * The folders of `npm test`. Of e2e only tests that need no browser and little time; all of it has
 * a task.
 */
const TEST_PLACES = [
  'game/',
  'examples/',
  'src/',
  'scripts/',
  'sdk/',
  'web/',
  'sim/',
  'bench/',
  'e2e/kill.test.ts',
];

const exists = (file) => fs.existsSync(path.join(projectRoot, file));

/** Runs a script of ours on Bun and returns how it ended. */
function runScript(bun, file, args, options = {}) {
  if (!exists(file)) throw new SetupError(`There is no ${file} in this checkout.`);
  return runChild(bun, ['--no-env-file', '--no-install', file, ...args], {
    cwd: projectRoot,
    ...options,
  });
}

/** Builds the players' page if its sources are newer. Standard output stays for the task itself. */
async function buildWeb(bun, args = ['--if-stale']) {
  if (!exists('scripts/build/build-web.ts')) return;
  const ended = await runScript(bun, 'scripts/build/build-web.ts', args, {
    stdio: ['ignore', 2, 2],
  });
  if (ended.code !== 0) throw new SetupError('The pages in web/ could not be built.');
}

async function test(bun, places, args, options) {
  await buildWeb(bun);
  return runTests(bun, places, args, options);
}

async function build(bun) {
  if (exists('scripts/generate.ts')) {
    const ended = await runScript(bun, 'scripts/generate.ts', []);
    if (ended.code !== 0) return ended;
  }
  await buildWeb(bun, []);
  for (const script of ['scripts/build/build-sdk.ts', 'scripts/build/build-game.ts']) {
    const ended = await runScript(bun, script, []);
    if (ended.code !== 0) return ended;
  }
  return runScript(bun, 'scripts/build/build-executable.ts', []);
}

/** Shows the command line's own help and starts nothing. */
const onlyHelps = (args) => args.includes('--help') || args.includes('-h');

const tasks = {
  async start(bun, args) {
    if (!onlyHelps(args)) await buildWeb(bun);
    await launch(['dev', ...args]);
    return null;
  },
  test: (bun, args) =>
    test(bun, TEST_PLACES, args, { workersPerCore: 2, limitMs: TEST_RUN_MS_MAX }),
  // Browsers use all cores.
  e2e: (bun, args) => test(bun, ['e2e/'], args, { workersPerCore: 1 }),
  check: (bun) => runChecks(bun, projectRoot),
  build,
  async bench(bun, args) {
    if (!onlyHelps(args)) await buildWeb(bun);
    return runScript(bun, 'bench/main.ts', args);
  },
  async torture(bun, args) {
    if (!onlyHelps(args)) await buildWeb(bun);
    return runScript(bun, 'e2e/torture.ts', args);
  },
  sim: (bun, args) => runScript(bun, 'sim/main.ts', args),
  async faults(bun, args) {
    if (!onlyHelps(args)) await buildWeb(bun);
    return runScript(bun, 'e2e/faults.ts', args);
  },
};

const [name, ...args] = process.argv.slice(2);
await orExplain(async () => {
  if (!Object.hasOwn(tasks, name ?? '')) {
    throw new SetupError(`Unknown task ${name}. Valid: ${Object.keys(tasks).join(', ')}`);
  }
  const ended = await tasks[name](await setup(), args);
  if (ended !== null) exitLike(ended);
});
