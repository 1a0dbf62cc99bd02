/** Deliveries against a live name server, on Bun. */

import { test } from 'bun:test';
import { liveCases } from '../contract/live-cases.ts';

for (const { name, run } of liveCases) test(name, run);
