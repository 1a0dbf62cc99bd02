/** The simulator at length: whole seeds of both kinds, and each fault that is put in on purpose is found. */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../src/testing/test-seed.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { runSeeds } from './seeds.ts';

const SEEDS = 200;
const MUTANT_SEEDS_MAX = 200;
const LIMIT_MS = 300_000;

test(
  `[SIM] whole seeds hold all invariants, and come out alike when they are run again (from ${TEST_SEED})`,
  () => {
    const told = runSeeds(
      { from: TEST_SEED, to: TEST_SEED + SEEDS, step: 1, clusters: 'both' },
      null,
    );
    const wrong = told.failures.map(({ plan, findings }) => ({ seed: plan.seed, findings }));
    expect(wrong).toEqual([]);
    expect(told.repeated).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

for (const mutant of MUTANTS) {
  test(
    `[SIM] ${mutant.name} is found within ${MUTANT_SEEDS_MAX} seeds: ${mutant.fault}`,
    () => {
      const clusters = mutant.isOfClusters ? 'cluster' : 'alone';
      const asked = { from: 1, to: 1 + MUTANT_SEEDS_MAX, step: 1, clusters } as const;
      const told = runSeeds(asked, mutant);
      expect(told.failures.length).toBeGreaterThan(0);
      console.log(`${mutant.name}: seed ${told.seeds}, ${told.failures[0]!.findings[0]}`);
    },
    LIMIT_MS,
  );
}
