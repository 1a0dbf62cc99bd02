/** Withdrawals: erasures and revocations, as a list that outlives the database they were made in. */

import type { KeyMode } from '../../tenancy/tenant.ts';

/**
 * Something that must not return with a restored backup: an erased player (rule R2, by pseudonym),
 * a revoked key, an ended secret. It names nobody.
 */
export interface Withdrawal {
  readonly kind: 'player' | 'key' | 'secret';
  readonly id: string;
  /** When it took effect; for an ended secret, when its overlap ends. */
  readonly at: number;
}

/** The player behind a pseudonym. */
export interface Named {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
}
