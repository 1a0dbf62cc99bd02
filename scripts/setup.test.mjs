/**
 * The setup finds and links the pinned Bun, uses a lock, and detects when there is nothing to do.
 */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { binaryPackages, findBun, isBunLinked, linkBun } from './bun-binary.mjs';
import { parseRuntime } from './launch.mjs';
import { checkNode, isInstalledAsLocked, projectRoot } from './setup.mjs';
import { withLock } from './setup-lock.mjs';

const isWindows = process.platform === 'win32';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'matchd-setup-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const write = (file, text, mode = 0o644) => {
  const full = path.join(folder, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text, { mode });
  return full;
};

describe('which binary', () => {
  const cases = [
    ['linux', 'x64', false, true, ['bun-linux-x64', 'bun-linux-x64-baseline']],
    ['linux', 'x64', false, false, ['bun-linux-x64-baseline', 'bun-linux-x64']],
    ['linux', 'x64', true, true, ['bun-linux-x64-musl', 'bun-linux-x64-musl-baseline']],
    ['linux', 'arm64', false, true, ['bun-linux-aarch64']],
    ['linux', 'arm64', true, true, ['bun-linux-aarch64-musl']],
    ['darwin', 'arm64', false, true, ['bun-darwin-aarch64']],
    ['darwin', 'x64', false, true, ['bun-darwin-x64', 'bun-darwin-x64-baseline']],
    ['win32', 'x64', false, true, ['bun-windows-x64', 'bun-windows-x64-baseline']],
    ['android', 'arm64', false, true, ['bun-linux-aarch64-android']],
  ];
  for (const [platform, arch, musl, avx2, expected] of cases) {
    test(`[SETUP] ${platform} ${arch} musl ${musl} avx2 ${avx2}`, () => {
      expect(binaryPackages(platform, arch, musl, avx2)).toEqual(expected);
    });
  }

  test("[SETUP] the project's own binary is the pinned one", () => {
    const bun = findBun(projectRoot);
    const version = execFileSync(bun, ['--version'], { encoding: 'utf8' }).trim();
    const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
    expect(version).toBe(manifest.dependencies.bun);
  });

  test('[SETUP] a folder without dependencies has none', () => {
    expect(findBun(folder)).toBeNull();
  });
});

describe.skipIf(isWindows)('linking', () => {
  /** A stand-in for the binary: prints its arguments. */
  const binaryText = `#!/bin/sh\necho "real $1 ${' '.repeat(600)}"\n`;
  const makeTree = () => {
    const binary = write('node_modules/@oven/bun-x/bin/bun', binaryText, 0o755);
    for (const name of ['bun', 'bunx']) {
      write(`node_modules/bun/bin/${name}.exe`, 'echo placeholder\n', 0o755);
    }
    return binary;
  };
  const run = (root = folder) =>
    execFileSync(path.join(root, 'node_modules/.bin/bun'), ['x'], { encoding: 'utf8' }).trim();

  for (const ways of [['link'], ['hardLink'], ['copy']]) {
    test(`[SETUP] by ${ways[0]}, and the second time does nothing`, () => {
      const binary = makeTree();
      expect(isBunLinked(folder, binary)).toBe(false);
      linkBun(folder, binary, ways);
      expect(isBunLinked(folder, binary)).toBe(true);
      expect(run()).toBe('real x');
    });
  }

  test('[SETUP] a link that npm made in .bin stays, and its target is replaced', () => {
    const binary = makeTree();
    fs.mkdirSync(path.join(folder, 'node_modules/.bin'));
    fs.symlinkSync('../bun/bin/bun.exe', path.join(folder, 'node_modules/.bin/bun'));
    linkBun(folder, binary);
    expect(fs.readlinkSync(path.join(folder, 'node_modules/.bin/bun'))).toBe('../bun/bin/bun.exe');
    expect(run()).toBe('real x');
  });

  test('[SETUP] survives a move of the folder', () => {
    const binary = makeTree();
    linkBun(folder, binary);
    const moved = `${folder}-moved`;
    fs.renameSync(folder, moved);
    try {
      expect(run(moved)).toBe('real x');
    } finally {
      fs.rmSync(moved, { recursive: true });
    }
  });

  test('[SETUP] a placeholder that reappears is detected and replaced', () => {
    const binary = makeTree();
    linkBun(folder, binary);
    fs.rmSync(path.join(folder, 'node_modules/bun/bin/bun.exe'));
    write('node_modules/bun/bin/bun.exe', 'echo placeholder\n', 0o755);
    expect(isBunLinked(folder, binary)).toBe(false);
    linkBun(folder, binary);
    expect(run()).toBe('real x');
  });
});

describe('staleness', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-a' };
  const makeProject = (present) => {
    const dependencies = { a: '1.0.0' };
    write('package.json', JSON.stringify({ dependencies }));
    const packages = {
      '': { dependencies },
      'node_modules/a': entry,
      'node_modules/elsewhere': { ...entry, optional: true, os: ['none'] },
    };
    write('package-lock.json', JSON.stringify({ packages }));
    write('node_modules/.package-lock.json', JSON.stringify({ packages: present }));
    write('node_modules/a/package.json', '{}');
  };

  test('[SETUP] packages that npm installed itself are accepted', () => {
    makeProject({ 'node_modules/a': entry });
    expect(isInstalledAsLocked(folder)).toBe(true);
  });

  test('[SETUP] another version, a missing package and a changed manifest are stale', () => {
    makeProject({ 'node_modules/a': { ...entry, version: '1.0.1' } });
    expect(isInstalledAsLocked(folder)).toBe(false);
    makeProject({});
    expect(isInstalledAsLocked(folder)).toBe(false);
    makeProject({ 'node_modules/a': entry });
    write('package.json', JSON.stringify({ dependencies: { a: '1.0.0', b: '1.0.0' } }));
    expect(isInstalledAsLocked(folder)).toBe(false);
    makeProject({ 'node_modules/a': entry });
    fs.rmSync(path.join(folder, 'node_modules/a'), { recursive: true });
    expect(isInstalledAsLocked(folder)).toBe(false);
  });
});

describe('the lock file', () => {
  const { packages } = JSON.parse(
    fs.readFileSync(path.join(projectRoot, 'package-lock.json'), 'utf8'),
  );

  test('[SETUP] has an entry for every dependency of its packages, on every system', () => {
    // `npm ci` refuses a lock file made where a package for another system was not available.
    const missing = Object.entries(packages).flatMap(([folder, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).filter(
        (name) => !packages[`${folder}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('[SETUP] has a digest for every package and names no registry', () => {
    for (const [folder, entry] of Object.entries(packages)) {
      if (folder === '' || entry.link) continue;
      expect(entry.integrity).toStartWith('sha512-');
      expect(entry.resolved).toBeUndefined();
    }
  });
});

describe('the lock', () => {
  test('[SETUP] admits one process at a time', async () => {
    const lock = path.join(folder, 'lock');
    const log = path.join(folder, 'log');
    const module = JSON.stringify(path.join(projectRoot, 'scripts', 'setup-lock.mjs'));
    const script = `
      import fs from 'node:fs';
      import { setTimeout as delay } from 'node:timers/promises';
      const { withLock } = await import(${module});
      await withLock(${JSON.stringify(lock)}, async () => {
        fs.appendFileSync(${JSON.stringify(log)}, 'in ');
        await delay(60);
        fs.appendFileSync(${JSON.stringify(log)}, 'out ');
      });`;
    const file = write('take.mjs', script);
    const ends = Array.from({ length: 5 }, () => {
      const child = spawn(process.execPath, [file], { stdio: 'ignore' });
      return new Promise((resolve) => child.on('close', resolve));
    });
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0, 0]);
    expect(fs.readFileSync(log, 'utf8')).toBe('in out '.repeat(5));
    expect(fs.existsSync(lock)).toBe(false);
  });

  test('[SETUP] is taken from a dead process by one of the waiting ones', async () => {
    const lock = write('lock', 'somebody');
    const past = new Date(Date.now() - 60_000);
    fs.utimesSync(lock, past, past);
    const marks = [];
    const take = (name) =>
      withLock(lock, async () => {
        marks.push(`${name} in`);
        await Bun.sleep(20);
        marks.push(`${name} out`);
      });
    await Promise.all([take('a'), take('b')]);
    expect(marks.filter((_, index) => index % 2 === 0).map((mark) => mark.slice(2))).toEqual([
      'in',
      'in',
    ]);
    expect(marks[0][0]).toBe(marks[1][0]);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('[SETUP] is released when the work fails', async () => {
    const lock = path.join(folder, 'lock');
    const work = () => Promise.reject(new Error('no'));
    await expect(withLock(lock, work)).rejects.toThrow('no');
    expect(fs.existsSync(lock)).toBe(false);
  });
});

describe('arguments', () => {
  const cases = [
    [['dev'], 'bun', ['dev']],
    [['--runtime', 'node', 'dev', '--port', '1'], 'node', ['dev', '--port', '1']],
    [['dev', '--runtime=node'], 'node', ['dev']],
    [['dev', '--runtime', 'bun'], 'bun', ['dev']],
    [['x', '--', '--runtime', 'node'], 'bun', ['x', '--', '--runtime', 'node']],
  ];
  for (const [args, runtime, rest] of cases) {
    test(`[SETUP] ${args.join(' ')}`, () => {
      expect(parseRuntime(args)).toEqual({ runtime, rest });
    });
  }

  test('[SETUP] another runtime is refused', () => {
    expect(() => parseRuntime(['--runtime', 'deno'])).toThrow('bun or node, not deno');
    expect(() => parseRuntime(['--runtime'])).toThrow('bun or node, not nothing');
  });

  test('[SETUP] a Node before 20.19 is refused', () => {
    for (const version of ['20.19.0', '20.20.1', '22.0.0', '24.1.0']) checkNode(version);
    for (const version of ['18.20.0', '20.18.9', '20.9.0']) {
      expect(() => checkNode(version)).toThrow(
        `Node 20.19 or newer is needed, this is ${version}.`,
      );
    }
  });
});
