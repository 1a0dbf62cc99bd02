/** Starts `src/cli/main.ts` on the pinned Bun, or on Node when asked to by `--runtime node`. */

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findBun } from './bun-binary.mjs';
import { exitLike, runChild } from './run-child.mjs';
import { checkNode, orExplain, projectRoot, SetupError, setup } from './setup.mjs';

/** The oldest Node that runs the service itself: it has node:sqlite and reads TypeScript. */
const SERVICE_NODE_MIN = 24;

/** Splits `--runtime <name>` off the arguments before `--`. Throws SetupError for another name. */
export function parseRuntime(args) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const rest = [];
  let runtime = 'bun';
  for (let index = 0; index < args.length; index += 1) {
    const match = index < end ? /^--runtime(?:=(.*))?$/s.exec(args[index]) : null;
    if (match === null) {
      rest.push(args[index]);
      continue;
    }
    runtime = match[1] ?? args[++index];
    if (runtime !== 'bun' && runtime !== 'node') {
      throw new SetupError(`--runtime takes bun or node, not ${runtime ?? 'nothing'}.`);
    }
  }
  return { runtime, rest };
}

/** The major version that a Node binary reports. Throws SetupError when it cannot be run. */
function nodeMajor(file) {
  try {
    return Number(/^v(\d+)\./.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))?.[1]);
  } catch (error) {
    throw new SetupError(`MATCHD_NODE is ${file}, which cannot be run: ${error.message}`);
  }
}

/** The Node to run the service on: the one in MATCHD_NODE, else the current one. */
function serviceNode() {
  const named = process.env.MATCHD_NODE;
  const file = named || process.execPath;
  const major = named ? nodeMajor(named) : Number(process.versions.node.split('.')[0]);
  if (major >= SERVICE_NODE_MIN) return file;
  throw new SetupError(
    `--runtime node needs Node ${SERVICE_NODE_MIN} or newer, ${file} is ${major}. ` +
      'Run matchd by a newer Node, or name one in MATCHD_NODE.',
  );
}

/** Program and arguments that run one of our TypeScript files on Bun or on Node. */
const bunArgs = ['--no-env-file', '--no-install'];
const nodeArgs = ['--disable-warning=ExperimentalWarning'];

/** Are the packages of the service itself installed? Development packages may be missing. */
function hasDependencies() {
  const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  return Object.keys(manifest.dependencies).every((name) =>
    fs.existsSync(path.join(projectRoot, 'node_modules', name, 'package.json')),
  );
}

/** The pinned Bun; installs first when something is missing. */
async function readyBun() {
  const found = findBun(projectRoot);
  return found !== null && hasDependencies() ? found : await setup();
}

/** Runs the service's command line with these arguments and ends this process with its result. */
export async function launch(args) {
  await orExplain(async () => {
    checkNode();
    const { runtime, rest } = parseRuntime(args);
    const bun = await readyBun();
    const main = path.join(projectRoot, 'src', 'cli', 'main.ts');
    const [command, first] = runtime === 'bun' ? [bun, bunArgs] : [serviceNode(), nodeArgs];
    exitLike(await runChild(command, [...first, main, ...rest]));
  });
}
