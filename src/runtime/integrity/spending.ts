/** Spends a token on one request: judged once, and the finding stored for a repeat of that request. */

import { type Finding, makeError } from '../../integrity/verdict.ts';
import type { IntegrityStore, TokenOutcome } from '../../store/integrity.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Clock } from '../ports.ts';
import { digestOf } from './client-data.ts';

/** For this long after the check a repeat gets its finding, ms (rule I4). */
const HELD_MS = 5 * 60_000;

export interface Spending {
  /** Null for a new token, which is then to be judged. Else its known finding. */
  spend(): Promise<Finding | null>;
  /**
   * Stores the finding when no session has it. Does nothing for a token that was spent elsewhere: that finding
   * belongs to another request. It does not wait for a store that has not noted the token yet: the finding is
   * stored after the note. Never rejects.
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

/** `asked` identifies the caller and the request. */
export function openSpending(
  { store, clock, onError }: SpendingDeps,
  { token, world }: SpentToken,
  asked: string,
): Spending {
  // The token is part of it and cannot be guessed, so the digest reveals nothing about the players.
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
