/** The parts of the benchmark: how each is run, and what is printed of it. */

import type { Arguments, Part } from './arguments.ts';
import type { ReadyContender } from './contenders.ts';
import { isMissing, prepare } from './contenders.ts';
import type { Contender } from './jobs.ts';
import { makeAgainstTable, measureAgainstInTurn } from './measures/against.ts';
import { checkRatios, makeCheckNotes, makeCheckTable } from './measures/check.ts';
import { makeConnectsTable, measureConnectsInTurn } from './measures/connects.ts';
import { makeCreationTable, measureCreationInTurn } from './measures/creation.ts';
import { makeHostedTable, measureHostedInTurn } from './measures/hosted.ts';
import { makeIdleTable, measureIdleInTurn } from './measures/idle.ts';
import { makeMovesTables, measureMovesInTurn } from './measures/moves.ts';
import { measureProfiles } from './measures/profile.ts';
import { makeProfileTables } from './measures/profile-tables.ts';
import { makeSleepingTable, measureSleeping } from './measures/sleeping.ts';
import type { Processes } from './processes.ts';

/** A part's output, printed and written. */
export interface PartReport {
  readonly title: string;
  readonly tables: readonly string[];
  /** What was left out or failed, one sentence each. */
  readonly notes: readonly string[];
  /** Whether something failed, other than a peer that could not be installed. */
  readonly failed: boolean;
  /** Every figure of every round. */
  readonly figures: unknown;
}

export async function runPart(
  part: Part,
  args: Arguments,
  processes: Processes,
): Promise<PartReport> {
  try {
    return await measurePart(part, args, processes);
  } catch (error) {
    const notes = [(error as Error).message];
    return { title: part, tables: [], notes, failed: true, figures: null };
  }
}

export function printReport({ title, tables, notes }: PartReport): void {
  const lines = notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')];
  console.log([`## ${title}`, ...tables, ...lines, ''].join('\n\n'));
}

/** Progress, apart from the tables. */
function log(text: string): void {
  console.error(text);
}

async function measurePart(part: Part, args: Arguments, processes: Processes): Promise<PartReport> {
  switch (part) {
    case 'moves':
      return runMoves(args, processes);
    case 'idle':
      return runIdle(args, processes);
    case 'check':
      return runCheck(args, processes);
    case 'profile':
      return runProfile(args, processes);
    case 'creation': {
      const figures = await measureCreationInTurn(processes, args, log);
      return madeReport('Session creation', [makeCreationTable(figures)], figures);
    }
    case 'connects': {
      const figures = await measureConnectsInTurn(processes, args, log);
      return madeReport('Connecting', [makeConnectsTable(figures)], figures);
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
}

async function runMoves(args: Arguments, processes: Processes): Promise<PartReport> {
  const { ready, notes } = await prepareAll(args.contenders, processes);
  const report = await measureMovesInTurn(ready, processes, args, log);
  return {
    title: 'Moves: tic-tac-toe, two players, both updated',
    tables: makeMovesTables(report, ready),
    notes: [...notes, ...report.failures],
    failed: report.failures.length > 0,
    figures: report,
  };
}

async function runIdle(args: Arguments, processes: Processes): Promise<PartReport> {
  const { ready, notes } = await prepareAll(args.contenders, processes);
  const figures = await measureIdleInTurn(ready, processes, args, log);
  return { ...madeReport('Idle matches', [makeIdleTable(figures, ready)], figures), notes };
}

async function runProfile(args: Arguments, processes: Processes): Promise<PartReport> {
  const figures = await measureProfiles(args.loads, processes, args, log);
  const tables = figures.flatMap(makeProfileTables);
  const notes = figures.flatMap(({ missing }) => missing);
  return { ...madeReport('Profile', tables, figures), notes: [...new Set(notes)] };
}

async function runCheck(args: Arguments, processes: Processes): Promise<PartReport> {
  const { ready } = await prepareAll(['matchd', 'ceiling'], processes);
  const figures = await checkRatios(ready, processes, args, log);
  return {
    title: 'Check against the ratios that are kept',
    tables: [makeCheckTable(figures)],
    notes: makeCheckNotes(figures),
    failed: figures.comparisons.some(({ isWorse }) => isWorse),
    figures,
  };
}

async function prepareAll(
  contenders: readonly Contender[],
  processes: Processes,
): Promise<{ readonly ready: ReadyContender[]; readonly notes: string[] }> {
  const ready: ReadyContender[] = [];
  const notes: string[] = [];
  for (const contender of contenders) {
    const one = await prepare(contender, processes);
    if (isMissing(one)) notes.push(`${contender} is left out: ${one.missing}`);
    else ready.push(one);
  }
  return { ready, notes };
}

function madeReport(title: string, tables: readonly string[], figures: unknown): PartReport {
  return { title, tables, notes: [], failed: false, figures };
}
