/** A token spent on one request: judged once, and what came of it kept for a repeat of that request. */

import { type Finding, makeError } from '../../integrity/verdict.ts';
import type { IntegrityStore, TokenOutcome } from '../../store/integrity.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Clock } from '../ports.ts';
import { digestOf } from './client-data.ts';

/** So long after the check a repeat gets its finding, ms (rule I4). */
const HELD_MS = 5 * 60_000;

export interface Spending {
  /** Null for a token that is new: then it is to be judged. Else what is known of it. */
  spend(): Promise<Finding | null>;
  /**
   * Holds what came of it, as no session has it. Nothing is done for a token that was not spent
   * here: what came of that one is another request's. A store that has not even noted the token yet
   * is not waited for: it holds this as soon as it has. Never rejects.
   */
  hold(finding: Finding): Promise<void>;
}

interface SpendingDeps {
  readonly store: Pick<IntegrityStore, 'noteToken' | 'holdFinding'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onError: (error: unknown) => void;
}

const REPLAYED: Finding = { ...makeError('token_replayed'), status: 'failed' };

/** A token, and the world in which it is spent. */
export interface SpentToken {
  readonly token: string;
  readonly world: KeyMode;
}

/** `asked` says who asks for what. */
export function openSpending(
  { store, clock, onError }: SpendingDeps,
  { token, world }: SpentToken,
  asked: string,
): Spending {
  // With the token in it, which nobody guesses, the claim's digest tells nothing of the players.
  const claim = digestOf(JSON.stringify([token, asked]));
  const digest = digestOf(world === 'live' ? token : JSON.stringify([world, token]));
  const claimed = { digest, claim };
  let isOurs = false;
  let isNoting = false;
  let toHold: Finding | null = null;
  const keep = (finding: Finding): Promise<void> =>
    store.holdFinding(claimed, JSON.stringify(finding)).catch(onError);
  const note = async (): Promise<TokenOutcome> => {
    const now = clock.now();
    isNoting = true;
    try {
      return await store.noteToken({ ...claimed, now, heldSince: now - HELD_MS });
    } finally {
      isNoting = false;
    }
  };
  return {
    async spend() {
      const outcome = await note();
      isOurs = outcome.kind !== 'spent';
      if (isOurs && toHold !== null) await keep(toHold);
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
      if (isNoting) toHold = finding;
      else if (isOurs) await keep(finding);
    },
  };
}
