/** The slow part of the contract: `bun test ./src/platform/bun/bun-platform.slow.ts`. */

import { test } from 'bun:test';
import { loadPlatform } from '../choose.ts';
import { describePlatformSlowly } from '../contract-suite.ts';

const TIMEOUT_MS = 30_000;

describePlatformSlowly(await loadPlatform('bun'), (name, run) =>
  test.concurrent(name, run, TIMEOUT_MS),
);
