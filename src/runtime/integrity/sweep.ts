/** Forgets challenges that have expired and tokens that Google no longer decodes (rule R1). */

import type { IntegrityStore } from '../../store/integrity.ts';
import type { Clock } from '../ports.ts';

/** An expired challenge is told from an unknown one for so long, ms. */
const CHALLENGE_KEPT_MS = 60 * 60_000;
/** A token is refused as replayed for so long, ms: far longer than Google decodes it. */
const TOKEN_KEPT_MS = 24 * 60 * 60_000;
/** Rows of each kind removed in one transaction. */
const STEP = 500;
const STEPS_MAX = 50;

/** One sweep; answers how many rows went. */
export async function sweepIntegrity(
  store: Pick<IntegrityStore, 'removeIntegrity'>,
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  const now = clock.now();
  const step = {
    expiredBefore: now - CHALLENGE_KEPT_MS,
    notedBefore: now - TOKEN_KEPT_MS,
    limit: STEP,
  };
  let total = 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const removed = await store.removeIntegrity(step);
    total += removed;
    if (removed < STEP) break;
  }
  return total;
}
