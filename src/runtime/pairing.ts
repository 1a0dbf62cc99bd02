/** The terms that players of the queue must share to meet (rule S2). */

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../game/src/json.ts';
import type { SessionSetup } from '../match/record.ts';
import type { SessionOptions } from '../match/setup.ts';

/** The request's terms: only players with identical terms can meet. */
export interface PairingTerms {
  readonly variant: string;
  readonly seats: number;
  readonly options: SessionOptions;
}

/** The terms as one short text, equal for equal terms. */
export function pairingOf({ variant, seats, options }: PairingTerms): string {
  const terms = { variant, seats, options: { ...options, clock: { ...options.clock } } };
  return createHash('sha256').update(canonicalJson(terms)).digest('base64url');
}

/** The pairing of a session that was created for the queue. */
export function pairingOfSetup(setup: SessionSetup): string {
  const { variant, seats, options: game } = setup;
  const { turnTimeoutMs, clock, disconnectGraceMs, afk, botDifficulty } = setup;
  const options = { game, turnTimeoutMs, clock, disconnectGraceMs, afk, botDifficulty };
  return pairingOf({ variant, seats, options });
}
