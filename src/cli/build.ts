/** What this build is and what it offers: `matchd version` and `matchd openapi`. */

import { readFileSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };
import { processRuntime } from '../config.ts';
import { type Answer, failed } from './answer.ts';

export const VERSION = manifest.version;

const OPENAPI = new URL('../../openapi.json', import.meta.url);

export function showVersion(): Answer {
  const runtime = processRuntime();
  const runtimeVersion = process.versions[runtime] ?? '';
  return {
    json: { version: VERSION, runtime, runtimeVersion },
    text: `matchd ${VERSION} on ${runtime} ${runtimeVersion}`,
  };
}

export function showOpenapi(): Answer {
  try {
    const text = readFileSync(OPENAPI, 'utf8');
    return { json: JSON.parse(text), text: text.trimEnd() };
  } catch (error) {
    return failed(`openapi.json cannot be read: ${(error as Error).message}`);
  }
}
