/** The simulator at length: whole seeds of both kinds, and each deliberate fault is found. */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { TEST_SEED } from '../src/testing/test-seed.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { CONTRACT_MUTANTS } from './mutants/script-patches.ts';
import { runSeeds } from './seeds.ts';

const SEEDS = 100;
const MUTANT_SEEDS_MAX = 200;
/**
 * Some faults of the source show rarely: a sleeper's lost deadline needs a match that both players
 * left.
 */
const PATCH_SEEDS_MAX = 600;
const LIMIT_MS = 300_000;
/** The contract suites on the store in memory: of one process, and of nodes. */
const CONTRACT = ['memory-store', 'memory-nodes'].map(
  (name) => `./src/store/sqlite/${name}.test.ts`,
);

test(
  `[SIM] whole seeds violate no invariant, and give the same result when repeated (from ${TEST_SEED})`,
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

for (const mutant of MUTANTS.filter(({ patch }) => patch === undefined)) {
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

/** A mutant is searched in a separate process, which has the fault in its source. */
for (const { name, fault, isOfClusters } of MUTANTS.filter(
  (each) => each.patch && !each.elsewhere,
)) {
  test(
    `[SIM] ${name} is found within ${PATCH_SEEDS_MAX} seeds: ${fault}`,
    async () => {
      const nodes = isOfClusters ? 'cluster' : 'alone';
      const asked = ['--seeds', `${PATCH_SEEDS_MAX}`, '--nodes', nodes, '--mutant', name];
      const main = join(import.meta.dirname, 'main.ts');
      const args = [process.execPath, '--no-env-file', main, ...asked];
      const child = Bun.spawn(args, { stdout: 'pipe', stderr: 'ignore' });
      const told = await new Response(child.stdout).text();
      console.log(told.split('\n')[0]);
      expect(told).toContain(`${name} was found`);
    },
    LIMIT_MS,
  );
}

for (const { name, fault } of CONTRACT_MUTANTS) {
  test(
    `[SIM] ${name} is found by the contract of the store: ${fault}`,
    async () => {
      const args = ['--preload', './sim/mutants/preload.ts', ...CONTRACT];
      const child = Bun.spawn([process.execPath, 'test', '--no-env-file', ...args], {
        cwd: join(import.meta.dirname, '..'),
        env: { ...process.env, SIM_MUTANT: name },
        stdout: 'ignore',
        stderr: 'pipe',
      });
      const found = (await new Response(child.stderr).text()).match(/^\(fail\) .+/gm) ?? [];
      console.log(`${name}: ${found.length} cases, ${found[0]}`);
      expect(found.length).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
}
