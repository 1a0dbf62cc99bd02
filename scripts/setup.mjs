/**
 * Installs from the lock file when that has changed, and makes the pinned Bun usable, without a
 * separate command.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBun, isBunLinked, isMusl, linkBun } from './bun-binary.mjs';
import { withLock } from './setup-lock.mjs';

/** The checkout this script belongs to. */
export const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The oldest Node that the setup and the launcher run on. */
const NODE_MIN = [20, 19];

/** Lines of npm's output shown when it fails; the reason is at its beginning, advice follows. */
const OUTPUT_LINES_MAX = 16;

/** A read-only folder is fine as long as everything is in it. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

/** An error that the user can act on; its message is all they see. */
export class SetupError extends Error {}

/** The version as `[major, minor]`. */
function parseVersion(version) {
  return version.replace(/^v/, '').split('.').slice(0, 2).map(Number);
}

/** Throws a SetupError on a Node older than the scripts need. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = parseVersion(version);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new SetupError(`Node ${NODE_MIN.join('.')} or newer is needed, this is ${version}.`);
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Changes when the wanted packages change, when npm has changed the folder, or on another machine.
 */
function fingerprint(root) {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    hash.update(`${file}\n${readIfThere(path.join(root, file))}\n`);
  }
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`;
}

const stampFile = (root) => path.join(root, 'node_modules', '.matchd-setup');

/** Is this optional package meant for this machine? `os`, `cpu` and `libc` are npm's lists. */
function fitsMachine({ os, cpu, libc }) {
  const fits = (list, value) =>
    !list ||
    (list.some((item) => item[0] !== '!') ? list.includes(value) : !list.includes(`!${value}`));
  const ownLibc = isMusl() ? 'musl' : 'glibc';
  return (
    fits(os, process.platform) &&
    fits(cpu, process.arch) &&
    (process.platform !== 'linux' || fits(libc, ownLibc))
  );
}

/** Has the user's own `npm install` already installed every package of the lock file? */
export function isInstalledAsLocked(root) {
  try {
    const read = (file) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
    const [wanted, manifest] = [read('package-lock.json').packages, read('package.json')];
    const present = read('node_modules/.package-lock.json').packages;
    const same = (a, b) => JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
    if (!same(wanted[''].dependencies, manifest.dependencies)) return false;
    if (!same(wanted[''].devDependencies, manifest.devDependencies)) return false;
    return Object.entries(wanted).every(([folder, entry]) => {
      if (folder === '' || !folder.includes('node_modules/')) return true;
      if (entry.optional && !fitsMachine(entry)) return true;
      const found = present[folder];
      if (found?.version !== entry.version || found?.integrity !== entry.integrity) return false;
      return fs.existsSync(path.join(root, folder, 'package.json'));
    });
  } catch {
    return false;
  }
}

/** How to start npm: the one that runs us, else the one on the path. */
function npmCommand() {
  const running = process.env.npm_execpath ?? '';
  if (/npm-cli\.c?js$/.test(running)) return [process.execPath, [running], false];
  return process.platform === 'win32' ? ['npm.cmd', [], true] : ['npm', [], false];
}

/** Runs `npm ci`. Its output is not shown unless it fails; then a SetupError shows it. */
async function install(root, signal) {
  process.stderr.write('matchd: installing the dependencies that package-lock.json names …\n');
  const [command, first, shell] = npmCommand();
  const args = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  // Packages that the caller's npm settings may omit are needed here, and `--silent` hides errors.
  args.push('--include=dev', '--include=optional', '--loglevel=error', '--prefix', root);
  const child = spawn(command, args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  signal.addEventListener('abort', () => child.kill('SIGKILL')); // A step that it began is repeated.
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const problem = await new Promise((resolve) => {
    child.on('error', (error) => resolve(`npm could not be started (${error.message}).`));
    child.on('close', (code) => resolve(code === 0 ? null : `npm ci failed with code ${code}.`));
  });
  if (problem === null) return;
  const lines = Buffer.concat(output).toString('utf8').split('\n');
  const telling = lines.filter((line) => !/^(?:npm warn.*|npm error)?\s*$/.test(line));
  throw new SetupError(
    `${[problem, ...telling.slice(0, OUTPUT_LINES_MAX)].join('\n')}\nThe dependencies are not installed. ` +
      'Check that npm reaches its registry, then run the same command again.',
  );
}

const launcherLink = (root) => path.join(root, 'node_modules', '.bin', 'matchd');

function isLauncherLinked(root) {
  if (process.platform === 'win32') return fs.existsSync(`${launcherLink(root)}.cmd`);
  return fs.existsSync(launcherLink(root));
}

/** Gives npm scripts and `npx` the checkout's own `matchd` command. */
function linkLauncher(root) {
  const link = launcherLink(root);
  fs.mkdirSync(path.dirname(link), { recursive: true });
  if (process.platform === 'win32') {
    fs.writeFileSync(`${link}.cmd`, '@node "%~dp0..\\..\\bin\\matchd.mjs" %*\r\n');
    return;
  }
  fs.rmSync(link, { force: true });
  try {
    fs.symlinkSync('../../bin/matchd.mjs', link);
  } catch {
    const script = '#!/bin/sh\nexec node "$(dirname "$0")/../../bin/matchd.mjs" "$@"\n';
    fs.writeFileSync(link, script, { mode: 0o755 });
  }
}

function isReady(root) {
  if (readIfThere(stampFile(root)) !== fingerprint(root)) return false;
  const bun = findBun(root);
  return bun !== null && isBunLinked(root, bun) && isLauncherLinked(root);
}

/** Performs missing steps; runs under the lock. */
async function prepare(root, signal) {
  const known = readIfThere(stampFile(root)) === fingerprint(root);
  if ((!known && !isInstalledAsLocked(root)) || findBun(root) === null) await install(root, signal);
  const bun = findBun(root);
  if (bun === null) {
    throw new SetupError(
      `The dependencies hold no Bun for ${process.platform} on ${process.arch}; ` +
        'matchd runs where Bun does: Linux, macOS and Windows on x64 or arm64.',
    );
  }
  try {
    linkBun(root, bun);
    linkLauncher(root);
  } catch (error) {
    // The scripts start the binary by its own path; only `node_modules/.bin` stays without it.
    process.stderr.write(`matchd: node_modules/.bin could not be completed: ${error.message}\n`);
  }
  fs.writeFileSync(stampFile(root), fingerprint(root));
}

/**
 * Makes the checkout ready to run and returns the path of the pinned Bun. Prints nothing on
 * standard output, and one line on standard error only when there is work. Throws SetupError.
 */
export async function setup(root = projectRoot) {
  checkNode();
  if (isReady(root)) return findBun(root);
  try {
    await withLock(path.join(root, '.cache', 'setup.lock'), async (signal) => {
      if (!isReady(root)) await prepare(root, signal);
    });
  } catch (error) {
    if (!UNWRITABLE.has(error.code)) throw error;
    if (!isInstalledAsLocked(root) || findBun(root) === null) {
      throw new SetupError(`The dependencies cannot be installed: ${error.message}`);
    }
  }
  return findBun(root);
}

/**
 * Runs `action`; a SetupError becomes its message and exit code 1. Other errors are bugs of ours:
 * thrown.
 */
export async function orExplain(action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`matchd: ${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await orExplain(() => setup());
}
