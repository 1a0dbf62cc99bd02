/** Deliberate faults fit the current source: one that does not would test nothing. */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { MUTANTS } from './mutants.ts';
import { CONTRACT_MUTANTS } from './script-patches.ts';

const ROOT = join(import.meta.dirname, '..', '..');

for (const { name, patch } of [...MUTANTS, ...CONTRACT_MUTANTS]) {
  if (patch === undefined) continue;
  test(`[SIM] ${name} fits one place of ${patch.file}`, async () => {
    const text = await Bun.file(join(ROOT, patch.file)).text();
    expect(text.split(patch.from).length).toBe(2);
  });
}
