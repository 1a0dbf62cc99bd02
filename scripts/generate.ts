/** Writes openapi.json, asyncapi.json and the SDK's types from the contract, and llms.txt from the guides; `--check` only says whether they are up to date. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VERSION } from '../src/build.ts';
import { makeAsyncApi } from '../src/contract/asyncapi.ts';
import { makeOpenApi } from '../src/contract/openapi.ts';
import { makeLlmsText } from './guides/llms.ts';
import { readGuidePages } from './guides/pages.ts';
import { printJson } from './print-json.ts';
import { makeApiTypes, makeEventTypes, makeFrameTypes } from './sdk-types/documents.ts';
import { makeGameTypes } from './sdk-types/games.ts';
import { makeViewTypes } from './sdk-types/views.ts';

const ROOT = join(import.meta.dirname, '..');

const openApi = makeOpenApi(VERSION);
const asyncApi = makeAsyncApi(VERSION);

const FILES: Readonly<Record<string, string>> = {
  'openapi.json': printJson(openApi),
  'asyncapi.json': printJson(asyncApi),
  'sdk/src/generated/api.ts': makeApiTypes(openApi),
  'sdk/src/generated/events.ts': makeEventTypes(asyncApi),
  'sdk/src/generated/frames.ts': makeFrameTypes(asyncApi),
  'sdk/src/generated/games.ts': makeGameTypes(),
  'sdk/src/generated/views.ts': makeViewTypes(),
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
