/** `npm run sim`: seeds of simulated nodes, stores, clients and faults, checked against the invariants. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findMutant, MUTANTS } from './mutants/mutants.ts';
import { makePlan, type Plan } from './plan.ts';
import { keepRegression } from './regressions.ts';
import { runPlan } from './run.ts';
import { type ClusterChoice, runSeeds, type SeedFailure, type SeedsTold } from './seeds.ts';
import { shrinkPlan } from './shrink.ts';

const HELP = `npm run sim -- [options]
  --seeds N        run so many seeds (200)
  --from S         beginning with this one (1)
  --minutes M      and no more after so long; without it, all of them
  --workers K      in so many processes (1)
  --nodes WHICH    alone, cluster or both (both)
  --seed S         run one seed and print the end of its trace; with --nodes alone or cluster
  --plan FILE      run the plan in a file instead
  --mutant NAME    with a fault put in on purpose: ${MUTANTS.map(({ name }) => name).join(', ')}
  --keep           shrink what fails, and keep it in sim/regressions.json
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    workers: { type: 'string', default: '1' },
    nodes: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    plan: { type: 'string' },
    mutant: { type: 'string' },
    keep: { type: 'boolean', default: false },
    step: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    patched: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const LINES_SHOWN = 200;
/** Lines between two of progress. */
const PROGRESS_MS = 60_000;
const PRELOAD = join(import.meta.dirname, 'mutants/preload.ts');

const mutant = values.mutant === undefined ? null : findMutant(values.mutant);
const clusters = readClusters(values.nodes);

if (values.help) console.log(HELP);
else if (mutant?.patch !== undefined && !values.patched) await runPatched();
else if (values.seed !== undefined || values.plan !== undefined) runOne();
else await runMany();

function readClusters(text: string): ClusterChoice {
  if (text === 'alone' || text === 'cluster' || text === 'both') return text;
  throw new Error(`--nodes takes alone, cluster or both, not ${text}`);
}

/**
 * A fault in the source must be in place before anything is loaded, so it runs in a separate
 * process.
 */
async function runPatched(): Promise<void> {
  const args = ['--no-env-file', '--preload', PRELOAD, join(import.meta.dirname, 'main.ts')];
  const child = Bun.spawn([process.execPath, ...args, ...process.argv.slice(2), '--patched'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.exitCode = await child.exited;
}

function runOne(): void {
  const plan: Plan =
    values.plan === undefined
      ? makePlan(values.seed!, clusters === 'cluster')
      : (JSON.parse(readFileSync(values.plan, 'utf8')) as Plan);
  const result = runPlan(plan, mutant);
  console.log(JSON.stringify(plan));
  if (result.findings.length > 0) console.log(result.lastLines.slice(-LINES_SHOWN).join('\n'));
  const named = result.findings.join().match(/ses_[0-9a-z]{26}/g) ?? [];
  for (const id of new Set(named)) console.log([id, ...result.logOf(id)].join('\n  '));
  for (const finding of result.findings) console.log(finding);
  const { hash, events, acks, frames } = result;
  console.log(`trace ${hash}: ${events} events, ${acks} moves acknowledged, ${frames} frames`);
  process.exitCode = result.findings.length === 0 ? 0 : 1;
}

async function runMany(): Promise<void> {
  const from = Number(values.from);
  const to = from + Number(values.seeds);
  const workers = Number(values.workers);
  const startedAt = performance.now();
  const all =
    workers > 1
      ? merge(await Promise.all(Array.from({ length: workers }, (_, i) => runWorker(from + i, to))))
      : runSeeds({ from, to, step: Number(values.step), clusters }, mutant, progress(startedAt));
  if (values.json) {
    console.log(JSON.stringify(all));
    return;
  }
  report(all, (performance.now() - startedAt) / 1_000);
}

/** Reports failures at once, and progress now and then. False once time is up. */
function progress(startedAt: number): (told: SeedsTold) => boolean {
  const endsAt = startedAt + Number(values.minutes) * 60_000;
  let nextAt = startedAt + PROGRESS_MS;
  let shown = 0;
  return ({ seeds, failures }) => {
    for (const { plan, findings } of failures.slice(shown)) {
      console.error(`seed ${plan.seed}, ${plan.isCluster ? 'cluster' : 'alone'}: ${findings[0]}`);
    }
    shown = failures.length;
    const now = performance.now();
    if (now >= nextAt) {
      nextAt = now + PROGRESS_MS;
      console.error(`${seeds} seeds, ${failures.length} failed`);
    }
    return now < endsAt;
  };
}

/** A separate process: it has its own core, and one's memory does not slow the others. */
async function runWorker(from: number, to: number): Promise<SeedsTold> {
  const args = ['--json', '--from', `${from}`, '--seeds', `${to - from}`, '--nodes', clusters];
  const shared = ['--step', values.workers, '--minutes', values.minutes];
  if (mutant !== null) shared.push('--mutant', mutant.name);
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dirname, 'main.ts'), ...args, ...shared],
    {
      stderr: 'inherit',
    },
  );
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('a worker ended badly');
  return JSON.parse(text) as SeedsTold;
}

function merge(parts: readonly SeedsTold[]): SeedsTold {
  const sum = (of: 'seeds' | 'events' | 'acks' | 'frames' | 'repeated' | 'cpuMs'): number =>
    parts.reduce((total, part) => total + part[of], 0);
  return {
    seeds: sum('seeds'),
    events: sum('events'),
    acks: sum('acks'),
    frames: sum('frames'),
    repeated: sum('repeated'),
    cpuMs: sum('cpuMs'),
    failures: parts.flatMap(({ failures }) => failures),
  };
}

function report(all: SeedsTold, seconds: number): void {
  for (const failure of all.failures) show(failure);
  const cpuSeconds = all.cpuMs / 1_000;
  const perMinute = Math.round((all.seeds * 60) / cpuSeconds);
  const perSecond = Math.round(all.events / cpuSeconds);
  const perSeed = Math.round(all.events / Math.max(1, all.seeds));
  console.log(
    `${all.seeds} seeds in ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time: ` +
      `${perMinute} seeds a minute of it, ${perSecond} events a second, ${perSeed} a seed; ` +
      `${all.acks} moves acknowledged, ${all.frames} frames; ${all.repeated} run twice; ` +
      `${all.failures.length} failed`,
  );
  if (mutant !== null) {
    const isFound = all.failures.length > 0;
    console.log(isFound ? `${mutant.name} was found` : `${mutant.name} was NOT found`);
    process.exitCode = isFound ? 0 : 1;
  } else process.exitCode = all.failures.length === 0 ? 0 : 1;
}

function show({ plan, findings }: SeedFailure): void {
  const { seed, isCluster, faults, features } = plan;
  for (const finding of findings.slice(0, 5)) console.log(`seed ${seed}: ${finding}`);
  console.log(`  faults ${faults.join()}; features ${features.join()}`);
  const which = isCluster ? 'cluster' : 'alone';
  const more = mutant === null ? '' : ` --mutant ${mutant.name}`;
  console.log(`  npm run sim -- --seed ${seed} --nodes ${which}${more}`);
  if (!values.keep) return;
  const small = shrinkPlan(plan, findings[0]!, mutant);
  keepRegression(small, findings[0]!);
  console.log(`  kept: ${JSON.stringify(small)}`);
}
