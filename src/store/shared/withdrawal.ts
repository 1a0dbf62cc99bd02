/** What was taken back for good, as a list that outlives the database it was taken back in. */

import type { KeyMode } from '../../tenancy/tenant.ts';

/**
 * What was taken back and must not return with an older copy: a player erased (rule R2, by their
 * pseudonym), a key revoked, a key's text given up. It names nobody.
 */
export interface Withdrawal {
  readonly kind: 'player' | 'key' | 'secret';
  readonly id: string;
  /** When it was, or with a key's text will be, over. */
  readonly at: number;
}

/** Whom a pseudonym stands for. */
export interface Named {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
}
