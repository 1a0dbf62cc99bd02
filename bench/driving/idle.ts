/** Measures the memory of matches with both players connected and no moves. */

import type { IdleFigures, IdleJob } from '../jobs.ts';
import type { Memory } from '../kernel.ts';
import { memoryOf } from '../kernel.ts';
import type { Adapter } from './match.ts';
import { openScripted } from './match.ts';
import { runMany } from './measure.ts';

/** Matches being set up, or played, at the same time. */
const OPENING_MAX = 32;

export async function measureIdle(job: IdleJob, adapter: Adapter): Promise<IdleFigures> {
  const { pid } = job.server;
  let index = 0;
  await runMany(job.warmUpMatches, OPENING_MAX, async () => {
    const match = await openScripted(adapter, index++);
    await match.play([]);
    await match.leave();
  });
  /** The memory with that many more matches connected. */
  const weighWith = async (count: number): Promise<Memory> => {
    await runMany(count, OPENING_MAX, () => openScripted(adapter, index++));
    await Bun.sleep(job.restMs);
    return memoryOf(pid);
  };
  const before = await weighWith(job.firstMatches);
  const after = await weighWith(job.matches);
  return { matches: job.matches, before, after };
}
