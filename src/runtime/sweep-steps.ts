/** Removing what was kept long enough: in small steps, a part of everybody's before the rest of anybody's. */

import type { Clock } from './ports.ts';

/** Steps of one, after which the next has its turn. */
const STEPS_IN_TURN = 50;
/** After so long nobody has a second turn: what is left goes with the next sweep. Ms. */
const PATIENCE_MS = 3_000;

/**
 * Calls `remove` for each of `all` until it answers 0, and answers how many rows went. One that fails keeps none
 * after it from its turn; throws its error when all had theirs. Ends early when `signal` says so.
 */
export async function removeInSteps<T>(
  clock: Pick<Clock, 'now'>,
  all: readonly T[],
  remove: (each: T) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  const until = clock.now() + PATIENCE_MS;
  const failures: unknown[] = [];
  let total = 0;
  let left = all;
  do {
    const longer: T[] = [];
    for (const each of left) {
      try {
        for (let step = 1, count = 1; count > 0 && signal?.aborted !== true; step++) {
          count = await remove(each);
          total += count;
          if (count > 0 && step === STEPS_IN_TURN) {
            longer.push(each);
            break;
          }
        }
      } catch (error) {
        failures.push(error);
      }
    }
    left = longer;
  } while (left.length > 0 && clock.now() < until && signal?.aborted !== true);
  if (failures.length > 0) throw failures[0];
  return total;
}
