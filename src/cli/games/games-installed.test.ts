/** `matchd games` with an operator's production packages only, as after `npm ci --omit=dev`. */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PIG_FILES, writeGames } from '../../testing/matches/own-games.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const TEST_MS_MAX = 120_000;
const SOURCES = ['src', 'game', 'sdk', 'web', 'scripts', 'package.json'];

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** The sources, beside the packages that the lock file does not mark as development. */
function install(): void {
  const filter = (source: string): boolean => !/[/\\](?:node_modules|dist)$/.test(source);
  for (const name of SOURCES) {
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter });
  }
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly dev?: true; readonly devOptional?: true }>
    >;
  };
  for (const [place, { dev, devOptional }] of Object.entries(lock.packages)) {
    const isTop = place.lastIndexOf('node_modules/') === 0;
    // The runtime is the one of this test.
    if (!isTop || /\/(?:bun|@oven\/.*)$/.test(place)) continue;
    if (dev || devOptional || !existsSync(path.join(ROOT, place))) continue;
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
    cpSync(path.join(ROOT, place), path.join(folder, place), { recursive: true });
  }
}

function matchd(...args: readonly string[]): readonly [exit: number | null, said: string] {
  const main = path.join(folder, 'src/cli/main.ts');
  const command = ['--no-env-file', '--no-install', main, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    encoding: 'utf8',
  });
  return [status, stdout + stderr];
}

test(
  '[CLI] a game is checked without development packages; a new game says that it needs them',
  () => {
    install();
    expect(existsSync(path.join(folder, 'node_modules/typescript'))).toBe(false);
    expect(existsSync(path.join(folder, 'node_modules/hono'))).toBe(true);
    writeGames(path.join(folder, 'my-games'), PIG_FILES);
    const few = ['--plays', '20', '--hostile', '200', '--seed', '7'];
    const [exit, said] = matchd('games', 'check', 'pig', ...few);
    expect([said, exit]).toEqual([expect.stringContaining('pig passes.'), 0]);
    expect(matchd('games', 'new', 'push-luck')).toEqual([
      1,
      expect.stringContaining('run npm ci without --omit=dev once, or use the one file'),
    ]);
  },
  TEST_MS_MAX,
);
