/**
 * Writes openapi.json, asyncapi.json and the SDK's types from the contract, llms.txt from the guides, the picture of
 * the layers and the lines in ARCHITECTURE.md; `--check` only says whether they are up to date.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VERSION } from '../src/build.ts';
import { makeAsyncApi } from '../src/contract/documents/asyncapi.ts';
import { makeOpenApi } from '../src/contract/documents/openapi.ts';
import { drawLayers } from './docs/layers-picture.ts';
import { renewLines } from './docs/tour.ts';
import { makeLlmsText } from './guides/llms.ts';
import { readGuidePages } from './guides/pages.ts';
import { printJson } from './print-json.ts';
import { makeApiTypes, makeEventTypes, makeFrameTypes } from './sdk-types/documents.ts';
import { makeGameTypes } from './sdk-types/games.ts';
import { makeViewTypes } from './sdk-types/views.ts';

const ROOT = join(import.meta.dirname, '..');

const openApi = makeOpenApi(VERSION);
const asyncApi = makeAsyncApi(VERSION);

const read = (name: string): string | null =>
  existsSync(join(ROOT, name)) ? readFileSync(join(ROOT, name), 'utf8') : null;
const tour = renewLines(read('ARCHITECTURE.md') ?? '', read);
for (const name of tour.missing) {
  console.error(`ARCHITECTURE.md: ${name}`);
  process.exitCode = 1;
}

const FILES: Readonly<Record<string, string>> = {
  'openapi.json': printJson(openApi),
  'asyncapi.json': printJson(asyncApi),
  'sdk/src/generated/api.ts': makeApiTypes(openApi),
  'sdk/src/generated/events.ts': makeEventTypes(asyncApi),
  'sdk/src/generated/frames.ts': makeFrameTypes(asyncApi),
  'sdk/src/generated/games.ts': makeGameTypes(),
  'sdk/src/generated/views.ts': makeViewTypes(),
  'ARCHITECTURE.md': tour.text,
  'docs/layers.svg': drawLayers(),
  'llms.txt': makeLlmsText(readGuidePages(join(ROOT, 'docs'))),
};

for (const [name, text] of Object.entries(FILES)) {
  const file = join(ROOT, name);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not up to date: bun scripts/generate.ts writes it`);
    process.exitCode = 1;
  }
}
