/** `npm run bench`: measures matchd beside the ceiling and its peers, and prints tables. */

import { mkdirSync } from 'node:fs';
import type { Arguments, Part } from './arguments.ts';
import { parseArguments, USAGE } from './arguments.ts';
import type { ReadyContender } from './contenders.ts';
import { isMissing, needsNode, prepare } from './contenders.ts';
import { machineFacts, pinnedCores } from './machine.ts';
import { makeAgainstTable, measureAgainstInTurn } from './measures/against.ts';
import { makeCreationTable, measureCreationInTurn } from './measures/creation.ts';
import { makeHostedTable, measureHostedInTurn } from './measures/hosted.ts';
import { makeMovesTables, measureMovesInTurn } from './measures/moves.ts';
import { makeSleepingTable, measureSleeping } from './measures/sleeping.ts';
import { CACHE_DIR, findNode } from './peer-setup.ts';
import type { Processes } from './processes.ts';
import { makeProcesses } from './processes.ts';

/** Nothing the benchmark does takes longer: then it ends what it started and gives up. */
const RUN_WITHIN_MS = 60 * 60_000;
const EXIT_INTERRUPTED = 130;

/** What is printed and written of a part. */
interface PartReport {
  readonly title: string;
  readonly tables: readonly string[];
  /** What was left out or went wrong, a sentence each. */
  readonly notes: readonly string[];
  /** Did something fail, other than a peer that could not be installed? */
  readonly failed: boolean;
  /** Every figure of every round. */
  readonly figures: unknown;
}

/** Answers whether all that was asked for could be measured. */
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

async function runPart(part: Part, args: Arguments, processes: Processes): Promise<PartReport> {
  try {
    switch (part) {
      case 'moves':
        return await runMoves(args, processes);
      case 'creation': {
        const figures = await measureCreationInTurn(processes, args, log);
        return madeReport('Session creation', [makeCreationTable(figures)], figures);
      }
      case 'sleeping': {
        const figures = await measureSleeping(processes, args, log);
        return madeReport('Sleeping sessions', [makeSleepingTable(figures)], figures);
      }
      case 'hosted': {
        const figures = await measureHostedInTurn(processes, args, log);
        return madeReport('Hosted matchmaking', [makeHostedTable(figures)], figures);
      }
      case 'against': {
        const figures = await measureAgainstInTurn(processes, args, args.against!, log);
        return madeReport(`Against ${args.against}`, [makeAgainstTable(figures)], figures);
      }
    }
  } catch (error) {
    const notes = [(error as Error).message];
    return { title: part, tables: [], notes, failed: true, figures: null };
  }
}

async function runMoves(args: Arguments, processes: Processes): Promise<PartReport> {
  const ready: ReadyContender[] = [];
  const notes: string[] = [];
  for (const contender of args.contenders) {
    const one = await prepare(contender, processes);
    if (isMissing(one)) notes.push(`${contender} is left out: ${one.missing}`);
    else ready.push(one);
  }
  const report = await measureMovesInTurn(ready, processes, args, log);
  return {
    title: 'Moves: tic-tac-toe, two players, both updated',
    tables: makeMovesTables(report, ready),
    notes: [...notes, ...report.failures],
    failed: report.failures.length > 0,
    figures: report,
  };
}

function madeReport(title: string, tables: readonly string[], figures: unknown): PartReport {
  return { title, tables, notes: [], failed: false, figures };
}

function printReport({ title, tables, notes }: PartReport): void {
  const lines = notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')];
  console.log([`## ${title}`, ...tables, ...lines, ''].join('\n\n'));
}

/** The Node of the peers is only looked for, or fetched, when one of them is measured. */
async function versionsFor(args: Arguments): Promise<Record<string, string>> {
  const own = { Bun: Bun.version };
  if (!args.contenders.some(needsNode) || !args.parts.includes('moves')) return own;
  const node = await findNode();
  return node === null ? own : { ...own, 'Node (peers)': node.version };
}

/** What goes on, apart from the tables. */
function log(text: string): void {
  console.error(text);
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
