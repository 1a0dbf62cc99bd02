/** Part 9: measures the ratios stored in the repository, and reports what got worse. */

import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { ReadyContender } from '../contenders.ts';
import type { MovesFigures } from '../jobs.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeTable } from '../report.ts';
import { measureConnectsInTurn } from './connects.ts';
import { measureCreationInTurn } from './creation.ts';
import { idleMb, measureIdleInTurn } from './idle.ts';
import type { MovesReport } from './moves.ts';
import { measureMovesInTurn } from './moves.ts';
import type { Comparison, Ratios, StoredRatios } from './ratios.ts';
import { compareRatios, ratioOf, WORSE_SHARE } from './ratios.ts';

const ROOT = join(import.meta.dir, '../..');
const RATIOS_FILE = join(import.meta.dir, '../ratios.json');
const PERCENT = 100;

export interface CheckReport {
  readonly kept: StoredRatios | null;
  readonly measured: StoredRatios;
  readonly comparisons: readonly Comparison[];
}

interface Options {
  readonly rounds: number;
  readonly quick: boolean;
  /** Store the measured ratios in place of the old ones. */
  readonly write: boolean;
}

/** `servers` are matchd and the ceiling. */
export async function checkRatios(
  servers: readonly ReadyContender[],
  processes: Processes,
  options: Options,
  log: (text: string) => void,
): Promise<CheckReport> {
  const kept = await readStored();
  const load = loadavg();
  const ratios = await measureRatios(servers, processes, options, log);
  const commit = commitOf(ROOT);
  const date = new Date().toISOString();
  const measured: StoredRatios = { commit, date, rounds: options.rounds, load, ratios };
  if (options.write) await Bun.write(RATIOS_FILE, `${JSON.stringify(measured, null, 2)}\n`);
  return { kept, measured, comparisons: compareRatios(kept?.ratios ?? {}, ratios) };
}

async function measureRatios(
  servers: readonly ReadyContender[],
  processes: Processes,
  options: Options,
  log: (text: string) => void,
): Promise<Ratios> {
  const moves = await measureMovesInTurn(servers, processes, options, log);
  if (moves.failures.length > 0) throw new Error(moves.failures.join('; '));
  const creation = await measureCreationInTurn(processes, options, log);
  const connects = await measureConnectsInTurn(processes, options, log);
  const idle = await measureIdleInTurn(servers, processes, options, log);
  const idleOf = (contender: string): number[] =>
    idle
      .filter((round) => round.contender === contender)
      .map(({ figures }) => idleMb(figures, 'residentBytes'));
  const ceilingIdle = idleOf('ceiling');
  const idlePairs = idleOf('matchd').map((own, i) => ({ own, base: ceilingIdle[i]! }));
  return {
    ...ratiosOfMoves(moves),
    create: ratioOf(
      creation,
      ({ matchd }) => matchd.cpuUsPerRequest,
      ({ bare }) => bare.cpuUsPerRequest,
    ),
    connect: ratioOf(
      connects,
      ({ matchd }) => matchd.cpuUsPerConnect,
      ({ bare }) => bare.cpuUsPerConnect,
    ),
    'memory of an idle match': ratioOf(
      idlePairs,
      ({ own }) => own,
      ({ base }) => base,
    ),
  };
}

/** For each number of sockets: a move, all in, bytes. */
function ratiosOfMoves({ rounds }: MovesReport): Ratios {
  const of = (contender: string): (readonly MovesFigures[])[] =>
    rounds.filter((round) => round.contender === contender).map(({ figures }) => figures);
  const ceiling = of('ceiling');
  const loads = ceiling[0]?.map(({ matches }) => matches * 2) ?? [];
  const entries = loads.flatMap((sockets, load) => {
    const pairs = of('matchd').map((own, i) => ({ own: own[load]!, base: ceiling[i]![load]! }));
    const ratio = (pick: (figures: MovesFigures) => number): number =>
      ratioOf(
        pairs,
        ({ own }) => pick(own),
        ({ base }) => pick(base),
      );
    return [
      [`move, ${makeNumber(sockets)} sockets`, ratio((f) => f.cpuUsPerMove)],
      [`all in, ${makeNumber(sockets)} sockets`, ratio((f) => f.allInUsPerMove)],
      [`bytes a move, ${makeNumber(sockets)} sockets`, ratio((f) => f.bytesPerMove)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

const COLUMNS: readonly Column[] = [
  { title: '× ceiling', align: 'left' },
  { title: 'kept', align: 'right' },
  { title: 'now', align: 'right' },
  { title: 'change', align: 'right' },
  { title: '', align: 'left' },
];

export function makeCheckTable({ comparisons }: CheckReport): string {
  const rows = comparisons.map(({ name, before, now, change, isWorse }) => [
    name,
    makeNumber(before ?? Number.NaN),
    makeNumber(now),
    change === null ? '–' : `${change < 1 ? '' : '+'}${((change - 1) * PERCENT).toFixed(1)} %`,
    isWorse ? '**worse**' : '',
  ]);
  return makeTable(COLUMNS, rows);
}

/** The stored ratios, and what got worse, one sentence each. */
export function makeCheckNotes({ kept, comparisons }: CheckReport): string[] {
  if (kept === null) return ['Nothing is kept to compare with: run with --check --write.'];
  const load = kept.load.map((value) => value.toFixed(1)).join(' ');
  const worse = comparisons.filter(({ isWorse }) => isWorse).map(({ name }) => name);
  return [
    `Kept: commit ${kept.commit}, ${kept.date}, medians of ${kept.rounds} rounds, load ${load}.`,
    worse.length === 0
      ? `Nothing got worse by more than ${WORSE_SHARE * PERCENT} %.`
      : `Worse by more than ${WORSE_SHARE * PERCENT} %: ${worse.join('; ')}.`,
  ];
}

async function readStored(): Promise<StoredRatios | null> {
  const file = Bun.file(RATIOS_FILE);
  return (await file.exists()) ? ((await file.json()) as StoredRatios) : null;
}

function commitOf(folder: string): string {
  const { stdout, success } = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], {
    cwd: folder,
  });
  return success ? stdout.toString().trim() : 'unknown';
}
