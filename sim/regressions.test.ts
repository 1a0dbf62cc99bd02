/** Past failures do not recur, and the day's sixty short runs pass. */

import { expect, test } from 'bun:test';
import { readRegressions } from './regressions.ts';
import { runPlan } from './run.ts';
import { planOf } from './seeds.ts';

const SEEDS = 60;
/** Short runs, so that all of them take seconds. */
const SHORT = { matches: 4, activeMs: 20_000 };
const LIMIT_MS = 120_000;

for (const { finding, plan } of readRegressions()) {
  test(
    `[SIM] seed ${plan.seed} no longer finds: ${finding.slice(0, 60)}`,
    () => {
      expect(runPlan(plan).findings).toEqual([]);
    },
    LIMIT_MS,
  );
}

test(
  '[SIM] the seeds of the day violate no invariant',
  () => {
    const from = Math.floor(Date.now() / 86_400_000) * 1_000;
    console.log(`seeds from ${from}`);
    let acks = 0;
    for (let seed = from; seed < from + SEEDS; seed++) {
      const plan = { ...planOf(seed, 'both'), ...SHORT };
      const result = runPlan(plan);
      acks += result.acks;
      if (result.findings.length > 0)
        throw new Error(`${result.findings[0]}\n${JSON.stringify(plan)}`);
    }
    expect(acks).toBeGreaterThan(SEEDS);
  },
  LIMIT_MS,
);

test('[SIM] a run gives the same result when repeated', () => {
  for (const clusters of ['alone', 'cluster'] as const) {
    const plan = { ...planOf(7, clusters), ...SHORT };
    expect(runPlan(plan).hash).toBe(runPlan(plan).hash);
  }
});
