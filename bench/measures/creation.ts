/** Part 2: creating a session through the whole stack, compared with an empty handler. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startScript } from '../contenders.ts';
import type { CreationFigures } from '../jobs.ts';
import { startMatchd } from '../matchd-server.ts';
import { CACHE_DIR } from '../peer-setup.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeSpread, makeTable, median } from '../report.ts';
import type { StartedServer } from '../started-server.ts';
import { underTest, whileRunning } from '../started-server.ts';

const JOB_WITHIN_MS = 120_000;
const CONNECTIONS = 64;
const LOAD = { warmUpRequests: 5_000, requests: 20_000 };
const QUICK_LOAD = { warmUpRequests: 2_000, requests: 6_000 };

/** Both servers in one round. */
export interface CreationRound {
  readonly matchd: CreationFigures;
  readonly bare: CreationFigures;
}

export async function measureCreationInTurn(
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  log: (text: string) => void,
): Promise<CreationRound[]> {
  const load = { connections: CONNECTIONS, ...(quick ? QUICK_LOAD : LOAD) };
  const answerFile = join(CACHE_DIR, `answer-${process.pid}.json`);
  const drive = (server: StartedServer): Promise<CreationFigures> =>
    processes.drive<'creation'>(
      { kind: 'creation', server: underTest(server), ...load },
      JOB_WITHIN_MS,
    );
  const rounds: CreationRound[] = [];
  for (let round = 1; round <= count; round++) {
    log(`creation, round ${round} of ${count}`);
    const matchd = await whileRunning(await startMatchd(processes), async (server) => {
      await recordAnswerOf(server, processes, answerFile);
      return drive(server);
    });
    const bare = await whileRunning(
      await startScript(processes, 'bare-create.ts', [answerFile]),
      drive,
    );
    rounds.push({ matchd, bare });
  }
  rmSync(answerFile);
  return rounds;
}

/** Writes down one answer of matchd's for the bare handler. */
export async function recordAnswerOf(
  server: StartedServer,
  processes: Processes,
  file: string,
): Promise<void> {
  const record = { kind: 'record', server: underTest(server) } as const;
  const answer = await processes.drive<'record'>(record, JOB_WITHIN_MS);
  await Bun.write(file, JSON.stringify(answer));
}

const COLUMNS: readonly Column[] = [
  { title: 'POST /v1/sessions', align: 'left' },
  { title: 'µs CPU a request', align: 'right' },
  { title: '× bare', align: 'right' },
  { title: 'requests/s', align: 'right' },
  { title: 'p50 ms', align: 'right' },
  { title: 'p99 ms', align: 'right' },
  { title: 'cores: server', align: 'right' },
  { title: 'driver', align: 'right' },
];

export function makeCreationTable(rounds: readonly CreationRound[]): string {
  const row = (label: string, who: keyof CreationRound): string[] => {
    const value = (pick: (figures: CreationFigures) => number): string =>
      makeNumber(median(rounds.map((round) => pick(round[who]))));
    const ratios = rounds.map((round) => round[who].cpuUsPerRequest / round.bare.cpuUsPerRequest);
    return [
      label,
      makeSpread(rounds.map((round) => round[who].cpuUsPerRequest)),
      makeNumber(median(ratios)),
      value((f) => f.requestsPerSecond),
      value((f) => f.p50Ms),
      value((f) => f.p99Ms),
      value((f) => f.serverCores),
      value((f) => f.driverCores),
    ];
  };
  const rows = [row('**matchd**, durable', 'matchd'), row('bare handler, same answer', 'bare')];
  return makeTable(COLUMNS, rows);
}
