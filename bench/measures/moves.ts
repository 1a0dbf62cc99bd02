/** Part 1: what a move costs, ours and the others in turn. */

import type { ReadyContender } from '../contenders.ts';
import type { Contender, MovesFigures, MovesLoad } from '../jobs.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeSpread, makeTable, median } from '../report.ts';
import { underTest } from '../started-server.ts';

const JOB_WITHIN_MS = 240_000;
/** 200 and 2,000 sockets. */
const LOADS: readonly MovesLoad[] = [
  { matches: 100, plays: 20, allInMatches: 2_000 },
  { matches: 1_000, plays: 3, allInMatches: 3_000 },
];
const QUICK_LOADS: readonly MovesLoad[] = [
  { matches: 100, plays: 8, allInMatches: 800 },
  { matches: 1_000, plays: 1, allInMatches: 1_500 },
];
const WARM_UP_MATCHES = 1_000;
const QUICK_WARM_UP_MATCHES = 500;

/** The figures of one server in one round, by load. */
export interface MovesRound {
  readonly contender: Contender;
  readonly round: number;
  readonly figures: readonly MovesFigures[];
}

export interface MovesReport {
  readonly rounds: readonly MovesRound[];
  readonly failures: readonly string[];
}

/** Starts every server again in every round. One that fails is left out from then on. */
export async function measureMovesInTurn(
  contenders: readonly ReadyContender[],
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  log: (text: string) => void,
): Promise<MovesReport> {
  const rounds: MovesRound[] = [];
  const failures: string[] = [];
  let left = contenders;
  for (let round = 1; round <= count; round++) {
    for (const one of left) {
      log(`moves, round ${round} of ${count}: ${one.contender}`);
      try {
        const figures = await measureOne(one, processes, quick);
        rounds.push({ contender: one.contender, round, figures });
      } catch (error) {
        failures.push(`${one.contender}: ${(error as Error).message}`);
        left = left.filter((other) => other !== one);
      }
    }
  }
  return { rounds, failures };
}

async function measureOne(
  { contender, start }: ReadyContender,
  processes: Processes,
  quick: boolean,
): Promise<readonly MovesFigures[]> {
  const server = await start();
  try {
    return await processes.drive<'moves'>(
      {
        kind: 'moves',
        server: underTest(server),
        contender,
        warmUpMatches: quick ? QUICK_WARM_UP_MATCHES : WARM_UP_MATCHES,
        loads: quick ? QUICK_LOADS : LOADS,
      },
      JOB_WITHIN_MS,
    );
  } finally {
    await server.stop();
  }
}

const COLUMNS: readonly Column[] = [
  { title: 'Server', align: 'left' },
  { title: 'µs CPU a move', align: 'right' },
  { title: '× ceiling', align: 'right' },
  { title: 'moves/s', align: 'right' },
  { title: 'p50 ms', align: 'right' },
  { title: 'p99 ms', align: 'right' },
  { title: 'all in: µs CPU a move', align: 'right' },
  { title: '× ceiling', align: 'right' },
  { title: 'all in: moves/s', align: 'right' },
  { title: 'frames a move', align: 'right' },
  { title: 'bytes a move', align: 'right' },
  { title: 'bytes a match', align: 'right' },
  { title: 'cores: server', align: 'right' },
  { title: 'driver', align: 'right' },
];

/** A table for each load; medians over the rounds, ratios within each round first. */
export function makeMovesTables(
  { rounds }: MovesReport,
  contenders: readonly ReadyContender[],
): string[] {
  const loads = rounds[0]?.figures.map(({ matches }) => matches) ?? [];
  const tables = loads.map((matches, load) => {
    const rows = contenders.flatMap(({ contender, label }) => {
      const own = rounds.filter((round) => round.contender === contender);
      return own.length === 0 ? [] : [makeRow(label, own, rounds, load)];
    });
    const title = `### ${makeNumber(matches * 2)} sockets, ${makeNumber(matches)} matches at once`;
    return `${title}\n\n${makeTable(COLUMNS, rows)}`;
  });
  return [...tables, ...makeAgainstOthers(rounds, contenders, loads)];
}

/** The cost of matchd divided by that of each other server; nothing if it is alone. */
function makeAgainstOthers(
  rounds: readonly MovesRound[],
  contenders: readonly ReadyContender[],
  loads: readonly number[],
): string[] {
  const own = rounds.filter(({ contender }) => contender === 'matchd');
  const others = contenders.filter(({ contender }) => contender !== 'matchd');
  if (own.length === 0 || others.length === 0) return [];
  const columns = loads.flatMap((matches): Column[] => [
    { title: `a move, ${makeNumber(matches * 2)} sockets`, align: 'right' },
    { title: 'all in', align: 'right' },
  ]);
  const rows = others.map(({ contender, label }) => {
    const cell = (load: number, pick: Pick): string =>
      makeSpread(
        // A server that failed has fewer rounds.
        own
          .map((round) => ratioTo(contender, round, rounds, load, pick))
          .filter((ratio) => Number.isFinite(ratio)),
      );
    const cells = loads.flatMap((_matches, load) => [
      cell(load, (f) => f.cpuUsPerMove),
      cell(load, (f) => f.allInUsPerMove),
    ]);
    return [label, ...cells];
  });
  const title = "### matchd's CPU divided by theirs, within each round";
  return [`${title}\n\n${makeTable([{ title: '', align: 'left' }, ...columns], rows)}`];
}

function makeRow(
  label: string,
  own: readonly MovesRound[],
  all: readonly MovesRound[],
  load: number,
): string[] {
  const values = (pick: Pick): number[] => own.map(({ figures }) => pick(figures[load]!));
  const value = (pick: Pick): string => makeNumber(median(values(pick)));
  const ratio = (pick: Pick): string =>
    makeNumber(median(own.map((round) => ratioTo('ceiling', round, all, load, pick))));
  return [
    label,
    makeSpread(values((f) => f.cpuUsPerMove)),
    ratio((f) => f.cpuUsPerMove),
    value((f) => f.movesPerSecond),
    value((f) => f.p50Ms),
    value((f) => f.p99Ms),
    makeSpread(values((f) => f.allInUsPerMove)),
    ratio((f) => f.allInUsPerMove),
    value((f) => f.allInMovesPerSecond),
    value((f) => f.framesPerMove),
    value((f) => f.bytesPerMove),
    value((f) => f.bytesPerMatch),
    value((f) => f.serverCores),
    value((f) => f.driverCores),
  ];
}

type Pick = (figures: MovesFigures) => number;

function ratioTo(
  contender: Contender,
  { round, figures }: MovesRound,
  all: readonly MovesRound[],
  load: number,
  pick: Pick,
): number {
  const other = all.find((one) => one.contender === contender && one.round === round);
  const base = other?.figures[load];
  return base === undefined ? Number.NaN : pick(figures[load]!) / pick(base);
}
