/**
 * Reduces a failing plan: the fewest faults, features, nodes and matches, and the shortest time,
 * that still fail.
 */

import { ruleOf } from './check/history.ts';
import type { Mutant } from './mutants/mutant.ts';
import type { Plan } from './plan.ts';
import { runPlan } from './run.ts';
import { openSimDatabase } from './store/database.ts';

/** The number of runs for it. */
const RUNS_MAX = 120;

/** The same invariant must be violated, or another fault would be shown instead. */
export function shrinkPlan(plan: Plan, finding: string, mutant: Mutant | null = null): Plan {
  const rule = ruleOf(finding);
  const database = openSimDatabase();
  let runs = 0;
  const fails = (candidate: Plan): boolean => {
    runs += 1;
    return runPlan(candidate, mutant, database).findings.some((each) => ruleOf(each) === rule);
  };
  let best = plan;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of candidatesOf(best)) {
      if (runs >= RUNS_MAX) return best;
      if (!fails(candidate)) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* candidatesOf(plan: Plan): Generator<Plan> {
  for (const fault of plan.faults) {
    yield { ...plan, faults: plan.faults.filter((each) => each !== fault) };
  }
  for (const feature of plan.features) {
    yield { ...plan, features: plan.features.filter((each) => each !== feature) };
  }
  if (plan.tenants > 1) yield { ...plan, tenants: 1 };
  if (plan.nodes > 2) yield { ...plan, nodes: plan.nodes - 1 };
  if (plan.matches > 1) yield { ...plan, matches: Math.ceil(plan.matches / 2) };
  if (plan.matches > 1) yield { ...plan, matches: plan.matches - 1 };
  if (plan.activeMs > 10_000) yield { ...plan, activeMs: Math.round(plan.activeMs / 2) };
}
