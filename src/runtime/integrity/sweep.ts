/** Removes expired challenges, and tokens that Google no longer decodes (rule R1). */

import type { IntegrityStore } from '../../store/integrity.ts';
import type { Clock } from '../ports.ts';
import { removeInSteps } from '../sweep-steps.ts';

/** An expired challenge is distinguished from an unknown one for this long, ms. */
const CHALLENGE_KEPT_MS = 60 * 60_000;
/** A token is refused as replayed for this long, ms: far longer than Google decodes it. */
const TOKEN_KEPT_MS = 24 * 60 * 60_000;
/** Rows of each kind removed in one transaction. */
const STEP = 500;

/** One sweep; returns how many rows it removed. */
export async function sweepIntegrity(
  store: Pick<IntegrityStore, 'removeIntegrity'>,
  clock: Pick<Clock, 'now'>,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now();
  const step = {
    expiredBefore: now - CHALLENGE_KEPT_MS,
    notedBefore: now - TOKEN_KEPT_MS,
    limit: STEP,
  };
  return removeInSteps(clock, [step], (each) => store.removeIntegrity(each), signal);
}
