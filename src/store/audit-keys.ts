/** The port to the MAC keys of the audit chains, and to the head of each chain. */

import type { ChainHead, KeyChoice } from '../accounts/audit-chain.ts';
import type { AuditKey } from '../accounts/audit-key.ts';
import type { NewEvent } from '../events/event.ts';

/** The newest row of a chain. */
export interface AuditHead extends ChainHead {
  /** Empty for the installation's chain. */
  readonly tenant: string;
}

export interface AuditKeyStore {
  /** Sets the keys for new rows. Before this call the process cannot append to a keyed chain. */
  useAuditKeys(keys: readonly AuditKey[]): Promise<void>;
  /**
   * Appends a row to each chain that is not keyed with the chosen key, which keys it from there on.
   * The installation's chain is first, so that new tenants begin keyed. Returns the chains;
   * `later`, with nothing done, while a node that writes no MACs is serving.
   */
  keyChains(at: number, choice: KeyChoice): Promise<readonly string[] | 'later'>;
  /** The heads of the installation's chain and of each tenant that has rows. */
  auditHeads(): Promise<readonly AuditHead[]>;
  /**
   * Writes the event with a tenant's anchor, unless the log has one from `since` (ms since 1970) or
   * later, or the tenant is suspended or removed. Returns whether it did.
   */
  addAnchorEvent(event: NewEvent, since: number): Promise<boolean>;
}

/** The keys in use, shared by all connections of a store. */
export interface AuditKeysInUse {
  keys: readonly AuditKey[];
}
