/** `npm run bench`: measures matchd against the ceiling and its peers, and prints tables. */

import { mkdirSync } from 'node:fs';
import type { Arguments, Part } from './arguments.ts';
import { parseArguments, USAGE } from './arguments.ts';
import { needsNode } from './contenders.ts';
import { machineFacts, pinnedCores } from './machine.ts';
import type { PartReport } from './parts.ts';
import { printReport, runPart } from './parts.ts';
import { CACHE_DIR, findNode } from './peer-setup.ts';
import type { Processes } from './processes.ts';
import { makeProcesses } from './processes.ts';

/** The benchmark's time limit: after that it ends what it started and gives up. */
const RUN_WITHIN_MS = 60 * 60_000;
const EXIT_INTERRUPTED = 130;

/** Returns whether everything requested could be measured. */
async function runBenchmark(args: Arguments): Promise<boolean> {
  mkdirSync(CACHE_DIR, { recursive: true });
  const processes = makeProcesses(pinnedCores());
  const giveUp = (): never => {
    processes.killAll();
    process.exit(EXIT_INTERRUPTED);
  };
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  const timer = setTimeout(giveUp, RUN_WITHIN_MS);
  try {
    return await runParts(args, processes);
  } finally {
    processes.killAll();
    clearTimeout(timer);
  }
}

async function runParts(args: Arguments, processes: Processes): Promise<boolean> {
  const facts = machineFacts(CACHE_DIR, await versionsFor(args));
  console.log(`${facts.map((fact) => `- ${fact}`).join('\n')}\n`);
  const reports: Partial<Record<Part, PartReport>> = {};
  for (const part of args.parts) {
    const report = await runPart(part, args, processes);
    reports[part] = report;
    printReport(report);
  }
  if (args.jsonFile !== null) {
    const parts = Object.entries(reports).map(([part, { figures }]) => [part, figures]);
    const written = { facts, quick: args.quick, ...Object.fromEntries(parts) };
    await Bun.write(args.jsonFile, `${JSON.stringify(written, null, 2)}\n`);
  }
  return Object.values(reports).every(({ failed }) => !failed);
}

/** The peers' Node is only looked up, or fetched, when one of them is measured. */
async function versionsFor(args: Arguments): Promise<Record<string, string>> {
  const own = { Bun: Bun.version };
  if (
    !args.contenders.some(needsNode) ||
    !args.parts.some((part) => part === 'moves' || part === 'idle')
  )
    return own;
  const node = await findNode();
  return node === null ? own : { ...own, 'Node (peers)': node.version };
}

async function main(): Promise<number> {
  let args: Arguments;
  try {
    args = parseArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (args.help) {
    console.log(USAGE);
    return 0;
  }
  return (await runBenchmark(args)) ? 0 : 1;
}

process.exit(await main());
