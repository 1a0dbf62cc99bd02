/** The audit as a chain: each row's hash covers the one before, so that none is changed unseen. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What a row says: who did what to which object, in which tenant, when (ms since 1970). */
export interface AuditFact {
  readonly tenant: string;
  readonly actor: string;
  readonly act: string;
  readonly object: string;
  readonly at: number;
}

export interface ChainedAudit extends AuditFact {
  /** Counts the rows of a tenant from 1 on. */
  readonly n: number;
  /** Hex SHA-256 over the row before and this one. */
  readonly hash: string;
}

/** Stands for the row before the first. */
export const CHAIN_START = '';

/** A JSON array, so that no two rows are the same text. */
export function hashAudit(before: string, n: number, fact: AuditFact): string {
  const { tenant, actor, act, object, at } = fact;
  const text = JSON.stringify([before, n, tenant, actor, act, object, at]);
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Where a chain stands. */
export interface ChainLink {
  readonly n: number;
  readonly hash: string;
}

/**
 * Goes on from `before` over rows in order. Answers the last link, or the number of the first row
 * that is not what was written.
 */
export function followChain(
  before: ChainLink,
  rows: readonly ChainedAudit[],
): { readonly ok: true; readonly link: ChainLink } | { readonly ok: false; readonly n: number } {
  let link = before;
  for (const row of rows) {
    const n = link.n + 1;
    if (row.n !== n || row.hash !== hashAudit(link.hash, n, row)) return { ok: false, n };
    link = { n, hash: row.hash };
  }
  return { ok: true, link };
}
