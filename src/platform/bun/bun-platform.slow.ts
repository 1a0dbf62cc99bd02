/** The slow part of the contract: `bun test ./src/platform/bun/bun-platform.slow.ts`. */

import { test } from 'bun:test';
import { describePlatformSlowly } from '../contract-suite.ts';
import { bunPlatform } from './bun-platform.ts';

const TIMEOUT_MS = 30_000;

describePlatformSlowly(bunPlatform, (name, run) => test(name, run, TIMEOUT_MS));
