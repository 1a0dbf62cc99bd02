/** Part 4: hosted matchmaking, call by call, with every player connected. */

import type { HostedCall, HostedFigures } from '../jobs.ts';
import { startMatchd } from '../matchd-server.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeSpread, makeTable, median } from '../report.ts';
import { underTest, whileRunning } from '../started-server.ts';

const JOB_WITHIN_MS = 5 * 60_000;
const CONNECTIONS = 64;
const LOAD = { players: 4_000, warmUpCycles: 1, cycles: 3 };
const QUICK_LOAD = { players: 2_000, warmUpCycles: 1, cycles: 1 };

export async function measureHostedInTurn(
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  log: (text: string) => void,
): Promise<HostedFigures[]> {
  const rounds: HostedFigures[] = [];
  for (let round = 1; round <= count; round++) {
    log(`hosted, round ${round} of ${count}`);
    const figures = await whileRunning(await startMatchd(processes), (server) => {
      const load = { connections: CONNECTIONS, ...(quick ? QUICK_LOAD : LOAD) };
      const job = { kind: 'hosted', server: underTest(server), ...load } as const;
      return processes.drive<'hosted'>(job, JOB_WITHIN_MS);
    });
    rounds.push(figures);
  }
  return rounds;
}

const COLUMNS: readonly Column[] = [
  { title: 'call', align: 'left' },
  { title: 'µs CPU a call', align: 'right' },
  { title: 'calls/s', align: 'right' },
  { title: 'p50 ms', align: 'right' },
  { title: 'p99 ms', align: 'right' },
  { title: 'cores: server', align: 'right' },
  { title: 'driver', align: 'right' },
];

const CALLS: readonly (readonly [HostedCall, string])[] = [
  ['create', 'POST ticket'],
  ['add', 'POST ticket/:id/players'],
  ['promote', 'POST ticket/:id/promote'],
  ['start', 'POST start-match, two players told'],
];

export function makeHostedTable(rounds: readonly HostedFigures[]): string {
  const rows = CALLS.map(([call, label]) => {
    const value = (pick: (figures: HostedFigures[HostedCall]) => number): string =>
      makeNumber(median(rounds.map((round) => pick(round[call]))));
    return [
      label,
      makeSpread(rounds.map((round) => round[call].cpuUsPerCall)),
      value((f) => f.callsPerSecond),
      value((f) => f.p50Ms),
      value((f) => f.p99Ms),
      value((f) => f.serverCores),
      value((f) => f.driverCores),
    ];
  });
  return makeTable(COLUMNS, rows);
}
