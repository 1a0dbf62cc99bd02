/** Writes openapi.json and asyncapi.json from the contract; `--check` only says whether they are up to date. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAsyncApi } from '../src/contract/asyncapi.ts';
import { makeOpenApi } from '../src/contract/openapi.ts';

const ROOT = join(import.meta.dirname, '..');
const INDENT = 2;

const DOCUMENTS = { 'openapi.json': makeOpenApi, 'asyncapi.json': makeAsyncApi };

for (const [name, make] of Object.entries(DOCUMENTS)) {
  const file = join(ROOT, name);
  const text = `${JSON.stringify(make(), null, INDENT)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not what the contract says: bun scripts/generate.ts writes it`);
    process.exitCode = 1;
  }
}
