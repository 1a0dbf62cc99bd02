/** The sample of docs/guides/compare.md against the real server, as its `play.mjs` plays it. */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../../src/testing/temp-folder.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const PLAY_MS_MAX = 120_000;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** What `npm install` would put there, of this checkout's sources. */
function install(name: string, source: string, exports: Readonly<Record<string, string>>): void {
  const place = path.join(folder, 'node_modules/@matchd', name);
  mkdirSync(place, { recursive: true });
  symlinkSync(path.join(ROOT, source), path.join(place, 'src'));
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ type: 'module', exports }));
}

test(
  '[G-COMPARE] the sample plays, comes back after a cut line and after kill -9, and is verified',
  () => {
    install('game', 'game/src', { '.': './src/index.ts' });
    install('sdk', 'sdk/src', {
      '.': './src/server/index.ts',
      './client': './src/client/index.ts',
    });
    cpSync(path.join(ROOT, 'examples/compare'), path.join(folder, 'examples/compare'), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
    for (const name of ['bin', 'scripts']) {
      symlinkSync(path.join(ROOT, name), path.join(folder, name));
    }
    const cwd = path.join(folder, 'examples/compare/matchd');
    const ended = spawnSync(process.execPath, ['play.mjs'], { cwd, encoding: 'utf8' });
    const said = `${ended.stdout}${ended.stderr}`;
    if (ended.status !== 0) throw new Error(said);
    expect(said.match(/^ok {4}(\w+)/gm)!.length).toBeGreaterThan(15);
  },
  PLAY_MS_MAX,
);
