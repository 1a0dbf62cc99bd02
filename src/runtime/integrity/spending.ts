/** A token spent on one request: judged once, and what came of it kept for a repeat of that request. */

import { type Finding, makeError } from '../../integrity/verdict.ts';
import type { IntegrityStore } from '../../store/integrity.ts';
import type { Clock } from '../ports.ts';
import { digestOf } from './client-data.ts';

/** So long after the check a repeat gets its finding, ms (rule I4). */
export const HELD_MS = 5 * 60_000;

export interface Spending {
  /** Null for a token that is new: then it is to be judged. Else what is known of it. */
  spend(): Promise<Finding | null>;
  /**
   * Holds what came of it, as no session bears it. Nothing is done for a token that was not spent
   * here: what came of that one is another request's.
   */
  hold(finding: Finding): Promise<void>;
}

interface SpendingDeps {
  readonly store: Pick<IntegrityStore, 'noteToken' | 'holdFinding'>;
  readonly clock: Pick<Clock, 'now'>;
}

const REPLAYED: Finding = { ...makeError('token_replayed'), status: 'failed' };

/** `asked` says who asks for what. */
export function openSpending(
  { store, clock }: SpendingDeps,
  token: string,
  asked: string,
): Spending {
  // With the token in it, which nobody guesses, the claim's digest tells nothing of the players.
  const claimed = { digest: digestOf(token), claim: digestOf(JSON.stringify([token, asked])) };
  let isOurs = false;
  return {
    async spend() {
      const now = clock.now();
      const outcome = await store.noteToken({ ...claimed, now, heldSince: now - HELD_MS });
      isOurs = outcome.kind !== 'spent';
      switch (outcome.kind) {
        case 'new':
          return null;
        case 'held':
          return JSON.parse(outcome.held) as Finding;
        case 'spent':
          return REPLAYED;
      }
    },
    async hold(finding) {
      if (isOurs) await store.holdFinding(claimed, JSON.stringify(finding));
    },
  };
}
