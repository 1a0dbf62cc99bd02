/** What this build is and what it offers: `matchd version` and `matchd openapi`. */

import { readFileSync } from 'node:fs';
import { RUNTIME, VERSION } from '../build.ts';
import { type Answer, failed } from './terminal/answer.ts';

const OPENAPI = new URL('../../openapi.json', import.meta.url);

export function showVersion(): Answer {
  const { name, version } = RUNTIME;
  return {
    json: { version: VERSION, runtime: name, runtimeVersion: version },
    text: `matchd ${VERSION} on ${name} ${version}`,
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
