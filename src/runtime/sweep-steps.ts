/** Removes expired data in small steps, taking turns between tenants. */

import type { Clock } from './ports.ts';

/** Steps of one tenant before the next has its turn. */
const STEPS_IN_TURN = 50;
/** After this time no tenant gets a second turn: the rest is left for the next sweep. Ms. */
const PATIENCE_MS = 3_000;

/**
 * Calls `remove` for each of `all` until it returns 0, and returns how many rows were removed. A failure skips
 * none of the others; the error is thrown at the end. Ends early when `signal` says so.
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
