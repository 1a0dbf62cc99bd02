/** Shows that the SDK is built and packed whatever it weighs, and that its tarball works by itself in a plain Node. */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../src/testing/temp-folder.ts';

const ROOT = path.dirname(import.meta.dirname);
const TEST_MS_MAX = 60_000;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const manifest = JSON.parse(
  fs.readFileSync(path.join(ROOT, 'sdk/package.json'), 'utf8'),
) as Manifest;
const tarball = path.join(ROOT, 'dist', `matchd-sdk-${manifest.version}.tgz`);

/** Runs to its end and answers all that it printed. Throws when it fails. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status} ${stdout}${stderr}`);
  return stdout + stderr;
}

test(
  '[SETUP] an SDK over its aim of weight is reported, built and packed all the same',
  () => {
    fs.rmSync(tarball, { force: true });
    const script = path.join(import.meta.dirname, 'build-sdk.ts');
    const said = run(process.execPath, ['--no-env-file', script, '--aim', '1'], folder);
    for (const name of ['index', 'client', 'embed']) {
      expect(said).toMatch(
        new RegExp(`^\\*\\*\\* OVER \\*\\*\\* @matchd/sdk ${name}: \\d+ B gzip, aim 1 B$`, 'm'),
      );
    }
    expect(fs.existsSync(tarball)).toBe(true);
  },
  TEST_MS_MAX,
);

test(
  '[SETUP] the packed SDK holds every file that it exports, and Node imports each entrance from it',
  () => {
    const home = path.join(folder, 'node_modules', manifest.name);
    fs.mkdirSync(home, { recursive: true });
    run('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'], folder);
    const files = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    for (const file of files)
      expect([file, fs.existsSync(path.join(home, file))]).toEqual([file, true]);
    const code = `
      const [server, client, embed] = await Promise.all(
        ['', '/client', '/embed'].map((entrance) => import('${manifest.name}' + entrance)));
      console.log(typeof server.createMatchd, typeof client.connect, Object.keys(embed).length > 0);`;
    expect(run('node', ['--input-type=module', '-e', code], folder)).toBe(
      'function function true\n',
    );
  },
  TEST_MS_MAX,
);
