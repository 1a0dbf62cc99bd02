/** Part 7: the memory of connected matches without moves. */

import type { ReadyContender } from '../contenders.ts';
import type { Contender, IdleFigures } from '../jobs.ts';
import type { Memory } from '../kernel.ts';
import type { Processes } from '../processes.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeSpread, makeTable, median } from '../report.ts';
import { underTest, whileRunning } from '../started-server.ts';

const JOB_WITHIN_MS = 240_000;
/** Garbage is collected, and memory given back, within the rest. */
const LOAD = { warmUpMatches: 1_000, firstMatches: 1_000, matches: 3_000, restMs: 30_000 };
const QUICK_LOAD = { warmUpMatches: 1_000, firstMatches: 1_000, matches: 2_000, restMs: 15_000 };
const MB_BYTES = 1e6;
const PER_MATCHES = 1_000;

export interface IdleRound {
  readonly contender: Contender;
  readonly figures: IdleFigures;
}

export async function measureIdleInTurn(
  contenders: readonly ReadyContender[],
  processes: Processes,
  { rounds: count, quick }: { readonly rounds: number; readonly quick: boolean },
  log: (text: string) => void,
): Promise<IdleRound[]> {
  const rounds: IdleRound[] = [];
  for (let round = 1; round <= count; round++) {
    for (const { contender, start } of contenders) {
      log(`idle, round ${round} of ${count}: ${contender}`);
      const figures = await whileRunning(await start(), (server) => {
        const load = quick ? QUICK_LOAD : LOAD;
        const job = { kind: 'idle', server: underTest(server), contender, ...load } as const;
        return processes.drive<'idle'>(job, JOB_WITHIN_MS);
      });
      rounds.push({ contender, figures });
    }
  }
  return rounds;
}

/** What 1,000 idle matches add, in MB. */
export function idleMb({ matches, before, after }: IdleFigures, pick: keyof Memory): number {
  return ((after[pick] - before[pick]) / MB_BYTES / matches) * PER_MATCHES;
}

const COLUMNS: readonly Column[] = [
  { title: '1,000 idle matches, two sockets each', align: 'left' },
  { title: 'RSS, MB', align: 'right' },
  { title: 'anonymous, MB', align: 'right' },
  { title: 'the process before, MB', align: 'right' },
];

export function makeIdleTable(
  rounds: readonly IdleRound[],
  contenders: readonly ReadyContender[],
): string {
  const rows = contenders.map(({ contender, label }) => {
    const own = rounds.filter((round) => round.contender === contender);
    return [
      label,
      makeSpread(own.map(({ figures }) => idleMb(figures, 'residentBytes'))),
      makeSpread(own.map(({ figures }) => idleMb(figures, 'anonymousBytes'))),
      makeNumber(median(own.map(({ figures }) => figures.before.residentBytes / MB_BYTES))),
    ];
  });
  return makeTable(COLUMNS, rows);
}
