/** Loaded before everything else: patches the fault that `--mutant NAME` names into its source. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plugin } from 'bun';
import { PATCHES } from './patches.ts';
import { CONTRACT_MUTANTS, SCRIPT_PATCHES } from './script-patches.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The test runner keeps its arguments: the environment passes them on. */
const name = process.env['SIM_MUTANT'] ?? process.argv[process.argv.indexOf('--mutant') + 1];
const all = [...PATCHES, ...SCRIPT_PATCHES, ...CONTRACT_MUTANTS];
const patch = all.find((each) => each.name === name)?.patch;
if (patch !== undefined) {
  const path = join(ROOT, patch.file);
  const parts = readFileSync(path, 'utf8').split(patch.from);
  // A fault that no longer fits its source would be a test of nothing.
  if (parts.length !== 2) throw new Error(`${name}: ${parts.length - 1} places fit in ${path}`);
  const contents = parts.join(patch.to);
  plugin({
    name: 'mutant',
    setup(build) {
      const filter = new RegExp(`${patch.file.replaceAll('/', '[\\\\/]').replaceAll('.', '\\.')}$`);
      build.onLoad({ filter }, () => ({ contents, loader: 'ts' }));
    },
  });
}
