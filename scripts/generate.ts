/** Writes openapi.json from the contract; with `--check` it only says whether that is up to date. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOpenApi } from '../src/contract/openapi.ts';

const FILE = join(import.meta.dirname, '..', 'openapi.json');
const INDENT = 2;

const text = `${JSON.stringify(makeOpenApi(), null, INDENT)}\n`;
const isFresh = existsSync(FILE) && readFileSync(FILE, 'utf8') === text;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (!isFresh) {
  console.error('openapi.json is not what the contract says: bun scripts/generate.ts writes it');
  process.exitCode = 1;
}
