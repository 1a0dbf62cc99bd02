/** Bun's platform keeps the contract. */

import { test } from 'bun:test';
import { describePlatform } from '../contract-suite.ts';
import { bunPlatform } from './bun-platform.ts';

const TIMEOUT_MS = 20_000;

describePlatform(bunPlatform, (name, run) => test(name, run, TIMEOUT_MS));
