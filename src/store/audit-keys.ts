/** The port to the keys of the audit's chains, and to where each chain stands. */

import type { ChainHead, KeyChoice } from '../accounts/audit-chain.ts';
import type { AuditKey } from '../accounts/audit-key.ts';
import type { NewEvent } from '../events/event.ts';

/** The newest row of a chain. */
export interface AuditHead extends ChainHead {
  /** Empty for the installation's. */
  readonly tenant: string;
}

export interface AuditKeyStore {
  /** Chains are keyed with them. Until then this process can add no row to a chain that is keyed. */
  useAuditKeys(keys: readonly AuditKey[]): Promise<void>;
  /**
   * Adds a row to each chain that is not keyed with the chosen key, and so keys it from there on; the
   * installation's first, so that tenants made later begin keyed. Answers whose chains;
   * `later`, and nothing was done, while a node serves that writes no MACs.
   */
  keyChains(at: number, choice: KeyChoice): Promise<readonly string[] | 'later'>;
  /** Of the installation and of each tenant that has rows. */
  auditHeads(): Promise<readonly AuditHead[]>;
  /**
   * Writes the event of a tenant's anchor, unless its log has one of `since` (ms since 1970) or later, or the
   * tenant is suspended or gone. Answers whether it did.
   */
  addAnchorEvent(event: NewEvent, since: number): Promise<boolean>;
}

/** The keys in use: one for all connections of a store. */
export interface AuditKeysInUse {
  keys: readonly AuditKey[];
}
