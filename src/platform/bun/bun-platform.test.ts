/** Bun's platform fulfils the contract. */

import { test } from 'bun:test';
import { loadPlatform } from '../choose.ts';
import { describePlatform } from '../contract-suite.ts';

const TIMEOUT_MS = 20_000;

describePlatform(await loadPlatform('bun'), (name, run) => test(name, run, TIMEOUT_MS));
