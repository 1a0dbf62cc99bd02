/** Part 5: two checkouts of matchd in short turns, to see what changes between them cost. */

import { AGAINST_V1 } from '../arguments.ts';
import type { MatchCosts } from '../jobs.ts';
import type { MatchdServer } from '../matchd-server.ts';
import { startMatchd } from '../matchd-server.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeSpread, makeTable, median } from '../report.ts';
import { underTest } from '../started-server.ts';
import { weigh } from './weight.ts';

const JOB_WITHIN_MS = 240_000;
const LOAD = { matches: 700, warmUpTurns: 2, turns: 4 };
const QUICK_LOAD = { matches: 300, warmUpTurns: 1, turns: 2 };
/** A server is weighed after its initial work. */
const STARTED_MS = 2_000;
const MIB_BYTES = 1024 ** 2;

/** For an idle, fresh server. */
interface Start {
  /** From the command to the line that says it is ready. */
  readonly startMs: number;
  readonly residentMib: number;
}

type Side = MatchCosts & Start;

interface AgainstRound {
  readonly own: Side;
  readonly other: Side;
}

/** Restarts both servers in every round: how a process is compiled is random, too. */
export async function measureAgainstInTurn(
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  against: string,
  log: (text: string) => void,
): Promise<AgainstRound[]> {
  if (against === AGAINST_V1) return measureSubprotocols(processes, { rounds: count, quick }, log);
  const rounds: AgainstRound[] = [];
  for (let n = 1; n <= count; n++) {
    log(`against, round ${n} of ${count}`);
    // Each is the first to start, and to be played on, in every other round.
    const isOwnFirst = n % 2 === 1;
    const [first, second] = isOwnFirst
      ? await measureBoth(processes, undefined, against, quick)
      : await measureBoth(processes, against, undefined, quick);
    const round = isOwnFirst ? { own: first, other: second } : { own: second, other: first };
    rounds.push(round);
    logRound(round, log);
  }
  return rounds;
}

function logRound(round: AgainstRound, log: (text: string) => void): void {
  log(ROWS.map(([label, pick]) => `  ${label}: ${makeNumber(ratioOf(round, pick))}`).join('\n'));
}

/** One process a round, played on by both: how it happened to be compiled is the same for both. */
async function measureSubprotocols(
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  log: (text: string) => void,
): Promise<AgainstRound[]> {
  const rounds: AgainstRound[] = [];
  for (let n = 1; n <= count; n++) {
    log(`matchd.v2 against matchd.v1, round ${n} of ${count}`);
    const { server, start } = await startAndWeigh(processes, undefined);
    try {
      const tested = underTest(server);
      const sides = { server: tested, version: 2, other: tested, otherVersion: 1 } as const;
      const job = { kind: 'against', ...sides, ...(quick ? QUICK_LOAD : LOAD) } as const;
      const costs = await processes.drive<'against'>(job, JOB_WITHIN_MS);
      const round = {
        own: { ...costs.server, ...start },
        other: { ...costs.other, ...start },
      };
      rounds.push(round);
      logRound(round, log);
    } finally {
      await server.stop();
    }
  }
  return rounds;
}

/** The folders the servers are started from; undefined for this checkout. */
async function measureBoth(
  processes: Processes,
  firstRoot: string | undefined,
  secondRoot: string | undefined,
  quick: boolean,
): Promise<[Side, Side]> {
  const first = await startAndWeigh(processes, firstRoot);
  try {
    const second = await startAndWeigh(processes, secondRoot);
    try {
      const servers = { server: underTest(first.server), other: underTest(second.server) };
      // Another checkout may know no newer subprotocol.
      const versions = { version: 1, otherVersion: 1 } as const;
      const job = {
        kind: 'against',
        ...servers,
        ...versions,
        ...(quick ? QUICK_LOAD : LOAD),
      } as const;
      const costs = await processes.drive<'against'>(job, JOB_WITHIN_MS);
      return [
        { ...costs.server, ...first.start },
        { ...costs.other, ...second.start },
      ];
    } finally {
      await second.server.stop();
    }
  } finally {
    await first.server.stop();
  }
}

async function startAndWeigh(
  processes: Processes,
  root: string | undefined,
): Promise<{ readonly server: MatchdServer; readonly start: Start }> {
  const server = await startMatchd(processes, root);
  await Bun.sleep(STARTED_MS);
  const residentMib = weigh(server).residentBytes / MIB_BYTES;
  return { server, start: { startMs: server.startMs, residentMib } };
}

const COLUMNS: readonly Column[] = [
  { title: 'µs of server CPU a match', align: 'left' },
  { title: 'the other', align: 'right' },
  { title: 'this one', align: 'right' },
  { title: 'this ÷ other', align: 'right' },
];

type Pick = (side: Side) => number;

const ROWS: readonly (readonly [string, Pick])[] = [
  ['create alone', ({ create }) => create],
  ['create and connect both', ({ open }) => open],
  ['all moves', ({ play }) => play],
  ['both leave', ({ leave }) => leave],
  ['from create to leave', ({ allIn }) => allIn],
  ['of it, compiling', ({ compiling }) => compiling],
  ['start, ms', ({ startMs }) => startMs],
  ['memory just started, MiB', ({ residentMib }) => residentMib],
];

function ratioOf({ own, other }: AgainstRound, pick: Pick): number {
  return pick(own) / pick(other);
}

/** Medians over the rounds; the ratio is taken within each round first. */
export function makeAgainstTable(rounds: readonly AgainstRound[]): string {
  const rows = ROWS.map(([label, pick]) => {
    const ratios = rounds.map((round) => ratioOf(round, pick));
    return [
      label,
      makeNumber(median(rounds.map(({ other }) => pick(other)))),
      makeNumber(median(rounds.map(({ own }) => pick(own)))),
      makeSpread(ratios),
    ];
  });
  return makeTable(COLUMNS, rows);
}
