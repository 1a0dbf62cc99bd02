/** Part 6: the cost of connecting one player, compared with an upgrade after verifying a token. */

import { startScript } from '../contenders.ts';
import type { ConnectFigures, ConnectsFigures } from '../jobs.ts';
import { startMatchd } from '../matchd-server.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeSpread, makeTable, median } from '../report.ts';
import { underTest, whileRunning } from '../started-server.ts';

const JOB_WITHIN_MS = 180_000;
const LOAD = { matches: 500, warmUpTurns: 4, turns: 8 };
const QUICK_LOAD = { matches: 300, warmUpTurns: 2, turns: 3 };

/** Both servers run at once and are connected to in short turns. */
export async function measureConnectsInTurn(
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  log: (text: string) => void,
): Promise<ConnectsFigures[]> {
  const rounds: ConnectsFigures[] = [];
  for (let round = 1; round <= count; round++) {
    log(`connects, round ${round} of ${count}`);
    const figures = await whileRunning(await startMatchd(processes), async (server) =>
      whileRunning(await startScript(processes, 'bare-connect.ts', []), (bare) =>
        processes.drive<'connects'>(
          {
            kind: 'connects',
            server: underTest(server),
            bare: underTest(bare),
            ...(quick ? QUICK_LOAD : LOAD),
          },
          JOB_WITHIN_MS,
        ),
      ),
    );
    rounds.push(figures);
  }
  return rounds;
}

const COLUMNS: readonly Column[] = [
  { title: 'connecting one player', align: 'left' },
  { title: 'µs CPU a connect', align: 'right' },
  { title: '× bare', align: 'right' },
  { title: 'connects/s', align: 'right' },
  { title: 'cores: server', align: 'right' },
  { title: 'driver', align: 'right' },
];

export function makeConnectsTable(rounds: readonly ConnectsFigures[]): string {
  const row = (label: string, who: keyof ConnectsFigures): string[] => {
    const value = (pick: (figures: ConnectFigures) => number): string =>
      makeNumber(median(rounds.map((round) => pick(round[who]))));
    return [
      label,
      makeSpread(rounds.map((round) => round[who].cpuUsPerConnect)),
      makeSpread(rounds.map((round) => round[who].cpuUsPerConnect / round.bare.cpuUsPerConnect)),
      value((f) => f.connectsPerSecond),
      value((f) => f.serverCores),
      value((f) => f.driverCores),
    ];
  };
  return makeTable(COLUMNS, [
    row('**matchd**, shown the active session', 'matchd'),
    row('bare upgrade, token checked', 'bare'),
  ]);
}
