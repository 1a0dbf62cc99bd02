#!/usr/bin/env node
/** The command `matchd` for any Node: starts the service's command line on the chosen runtime. */

import { launch } from '../scripts/launch.mjs';

await launch(process.argv.slice(2));
