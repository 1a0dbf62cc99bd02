/** The package `@matchd/game` as this build of matchd has it: for games that are begun without a registry. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the executable its files lie inside: see scripts/build/build-executable.ts. */
const PACKAGE = new URL('../../../game/', import.meta.url);
const BUILD = new URL('../../../scripts/build/build-game.ts', import.meta.url);
/** Packages of development may be left out. */
const COMPILER = new URL('../../../node_modules/typescript/bin/tsc', import.meta.url);

const PARTS = ['package.json', 'README.md', 'dist'] as const;

/** Writes the package into a folder. A checkout builds it first where it is not there. */
export function writeGamePackage(folder: string): void {
  const home = placeOf(PACKAGE);
  if (!existsSync(path.join(home, 'dist'))) build();
  for (const part of PARTS) copy(path.join(home, part), path.join(folder, part));
}

function placeOf(place: URL | string): string {
  return place instanceof URL ? fileURLToPath(place) : place;
}

function build(): void {
  if (!existsSync(fileURLToPath(COMPILER))) {
    throw new Error(
      '@matchd/game is not built, and its types need the packages of development: ' +
        'run npm ci without --omit=dev once, or use the one file',
    );
  }
  const script = fileURLToPath(BUILD);
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`@matchd/game cannot be built: ${stderr.trim()}`);
}

/** File by file, as what lies in the executable cannot be copied as a whole. */
function copy(from: string, to: string): void {
  const names = readdirSync(path.dirname(from), { withFileTypes: true });
  const isFolder = names.find(({ name }) => name === path.basename(from))?.isDirectory() === true;
  if (isFolder) {
    for (const name of readdirSync(from)) copy(path.join(from, name), path.join(to, name));
    return;
  }
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, readFileSync(from));
}
