/** Runs many seeds one after another, some of them twice. */

import { ruleOf } from './check/history.ts';
import type { Mutant } from './mutants/mutant.ts';
import { makePlan, type Plan } from './plan.ts';
import { type RunResult, runPlan } from './run.ts';
import { openSimDatabase, type SimDatabase } from './store/database.ts';

export interface SeedsAsked {
  readonly from: number;
  /** The seed after the last. */
  readonly to: number;
  /** The step between seeds, so that several workers share them. */
  readonly step: number;
  readonly clusters: ClusterChoice;
}

/** Seeds of one node, of several, or alternating. */
export type ClusterChoice = 'alone' | 'cluster' | 'both';

export interface SeedsTold {
  seeds: number;
  events: number;
  acks: number;
  frames: number;
  /** Processor time, ms. */
  cpuMs: number;
  /** Runs whose hash was compared with a second one. */
  repeated: number;
  readonly failures: SeedFailure[];
}

export interface SeedFailure {
  readonly plan: Plan;
  readonly findings: readonly string[];
  readonly lastLines: readonly string[];
}

/** One seed in this many is run twice, to see that the result is the same. */
const REPEAT_EVERY = 100;

export function planOf(seed: number, clusters: ClusterChoice): Plan {
  const isCluster = clusters === 'both' ? seed % 2 === 0 : clusters === 'cluster';
  return makePlan(String(seed), isCluster);
}

/** `told` is called after each seed and stops with false; a mutant is searched until it is found. */
export function runSeeds(
  asked: SeedsAsked,
  mutant: Mutant | null,
  told: (result: SeedsTold) => boolean = () => true,
): SeedsTold {
  const all: SeedsTold = {
    seeds: 0,
    events: 0,
    acks: 0,
    frames: 0,
    cpuMs: 0,
    repeated: 0,
    failures: [],
  };
  const before = process.cpuUsage();
  const database = openSimDatabase();
  for (let seed = asked.from; seed < asked.to; seed += asked.step) {
    const plan = planOf(seed, asked.clusters);
    const result = runPlan(plan, mutant, database);
    all.seeds += 1;
    all.events += result.events;
    all.acks += result.acks;
    all.frames += result.frames;
    note(all, result, mutant);
    if (seed % REPEAT_EVERY === 0) repeat(all, result, mutant, database);
    const { user, system } = process.cpuUsage(before);
    all.cpuMs = Math.round((user + system) / 1_000);
    if (!told(all) || (mutant !== null && all.failures.length > 0)) break;
  }
  return all;
}

function note(all: SeedsTold, result: RunResult, mutant: Mutant | null): void {
  const { plan, lastLines } = result;
  const findings = result.findings.filter(
    (each) => mutant === null || mutant.hurts.includes(ruleOf(each)),
  );
  if (findings.length > 0) all.failures.push({ plan, findings, lastLines });
}

function repeat(
  all: SeedsTold,
  { plan, hash, lastLines }: RunResult,
  mutant: Mutant | null,
  database: SimDatabase,
): void {
  const again = runPlan(plan, mutant, database);
  all.repeated += 1;
  if (again.hash === hash) return;
  const findings = [`R: two runs of seed ${plan.seed} differ: ${hash} and ${again.hash}`];
  all.failures.push({ plan, findings, lastLines });
}
