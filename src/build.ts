/** What this build is, and what it runs on. */

import manifest from '../package.json' with { type: 'json' };
import { processRuntime } from './config.ts';

export const VERSION = manifest.version;

const runtime = processRuntime();
/** `bun` or `node` and its own version. */
export const RUNTIME = { name: runtime, version: process.versions[runtime] ?? '' } as const;
