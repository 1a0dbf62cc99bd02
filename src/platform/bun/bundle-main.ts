/** Bundles for another process: a request as JSON on standard input, the result as JSON on standard output. */

import { readFileSync } from 'node:fs';
import type { BundleRequest } from '../bundler.ts';
import { bunBundle } from './bun-bundler.ts';

const STANDARD_INPUT = 0;

const request = JSON.parse(readFileSync(STANDARD_INPUT, 'utf8')) as BundleRequest;
process.stdout.write(JSON.stringify(await bunBundle(request)));
