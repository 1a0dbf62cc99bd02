/** Finds the Bun binary that the lock file pins and makes `node_modules/.bin/bun` start it. */

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Folders under `@oven` that may hold a binary for this machine, the best first. */
export function binaryPackages(platform, arch, musl, avx2) {
  const cpu = arch === 'arm64' ? 'aarch64' : arch;
  const system = platform === 'win32' ? 'windows' : platform === 'android' ? 'linux' : platform;
  const libc = platform === 'android' ? '-android' : platform === 'linux' && musl ? '-musl' : '';
  const name = `bun-${system}-${cpu}${libc}`;
  const baseline = `${name}-baseline`;
  if (cpu !== 'x64') return [name];
  return avx2 ? [name, baseline] : [baseline, name];
}

/** Does this process run on musl instead of glibc? */
export function isMusl() {
  if (process.platform !== 'linux') return false;
  // Without this, creating the report would look up the host name of every open connection.
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

/** False only where the processor is known to lack AVX2; elsewhere the plain build is right. */
function hasAvx2() {
  try {
    return /\bavx2\b/.test(fs.readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return true;
  }
}

const executable = process.platform === 'win32' ? 'bin/bun.exe' : 'bin/bun';

/** Absolute path of the pinned Bun binary, or null when it is not installed. */
export function findBun(root) {
  const { resolve } = createRequire(path.join(root, 'package.json'));
  const avx2 = process.arch !== 'x64' || hasAvx2();
  for (const name of binaryPackages(process.platform, process.arch, isMusl(), avx2)) {
    try {
      const file = path.join(path.dirname(resolve(`@oven/${name}/package.json`)), executable);
      if (fs.existsSync(file)) return file;
    } catch {
      // This one is not installed; the next may be.
    }
  }
  return null;
}

/** The same file, whether by link, hard link or a copy made here. Both must exist. */
function isSame(left, right) {
  try {
    const [a, b] = [fs.statSync(left), fs.statSync(right)];
    const second = ({ mtimeMs }) => Math.trunc(mtimeMs / 1000); // All that `utimes` reliably keeps.
    return a.size === b.size && second(a) === second(b);
  } catch {
    return false;
  }
}

/**
 * Ways to make `file` be `target`, in order of preference. The relative link lets the folder move.
 */
const placings = {
  link: (target, file) => fs.symlinkSync(path.relative(path.dirname(file), target), file),
  hardLink: (target, file) => fs.linkSync(fs.realpathSync(target), file),
  copy(target, file) {
    const { atime, mtime } = fs.statSync(target);
    fs.copyFileSync(target, file);
    fs.chmodSync(file, 0o755);
    fs.utimesSync(file, atime, mtime); // `isSame` recognizes a copy by its time.
  },
};

/** Windows grants few users the right to make links; there only hard links and copies are tried. */
const usualWays = process.platform === 'win32' ? ['hardLink', 'copy'] : Object.keys(placings);

/** Throws the last way's error when none works. */
function place(file, target, ways) {
  fs.rmSync(file, { force: true });
  for (const [index, way] of ways.entries()) {
    try {
      return placings[way](target, file);
    } catch (error) {
      if (index === ways.length - 1) throw error;
    }
  }
}

/**
 * Puts the binary where npm's own links expect it: in place of the placeholders in
 * `node_modules/bun/bin`, as Bun's install script would. The content of `.bin` thus stays npm's.
 * Throws file system errors.
 */
export function linkBun(root, binary, ways = usualWays) {
  const modules = path.join(root, 'node_modules');
  for (const name of ['bun', 'bunx']) {
    const placeholder = path.join(modules, 'bun', 'bin', `${name}.exe`);
    if (!isSame(placeholder, binary)) place(placeholder, binary, ways);
    const link = path.join(modules, '.bin', name);
    if (process.platform === 'win32' || isSame(link, binary)) continue;
    fs.mkdirSync(path.dirname(link), { recursive: true });
    place(link, placeholder, ways);
  }
}

/** True when `linkBun` has nothing to do. */
export function isBunLinked(root, binary) {
  const modules = path.join(root, 'node_modules');
  const files = ['bun', 'bunx'].map((name) => path.join(modules, 'bun', 'bin', `${name}.exe`));
  if (process.platform !== 'win32') {
    files.push(path.join(modules, '.bin', 'bun'), path.join(modules, '.bin', 'bunx'));
  }
  return files.every((file) => isSame(file, binary));
}
