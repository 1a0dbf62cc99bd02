/** The audit as a chain: each row's hash covers the one before, and its MAC the hash (rule D8). */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type AuditKey, checkMac, findKey, makeMac } from './audit-key.ts';

/** The content of a row: who did what to which object, in which tenant, when (ms since 1970). */
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
  /** Of `hash`, by `makeMac`; null in a row from before the chain was keyed. */
  readonly mac: string | null;
}

/** Stands in for the row before the first. */
export const CHAIN_START = '';

/** The row with which a chain becomes keyed, or keyed with another key. */
const KEYED_ACT = 'audit.keyed';

/** A JSON array, so that no two rows are the same text. */
export function hashAudit(before: string, n: number, fact: AuditFact): string {
  const { tenant, actor, act, object, at } = fact;
  const text = JSON.stringify([before, n, tenant, actor, act, object, at]);
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The state of a chain. */
export interface ChainLink {
  readonly n: number;
  readonly hash: string;
}

// ── writing ────────────────────────────────────────────────────────────────────────────────────

/** The row before the one to be written. */
export interface ChainHead extends ChainLink {
  /** Of the row before; of a tenant's first row, that of the installation's newest row. */
  readonly mac: string | null;
}

/** Thrown, without writing anything, if a chain is keyed and its key is not available. */
export class AuditKeyMissing extends Error {
  override readonly name = 'AuditKeyMissing';
  constructor() {
    super('the audit is keyed, and the sealing key that it was last written with is not here');
  }
}

/** The next row: keyed if the row before is, with the same key. */
export function chainAudit(
  head: ChainHead,
  fact: AuditFact,
  keys: readonly AuditKey[],
): ChainedAudit {
  if (head.mac === null) return link(head, fact, null);
  const key = findKey(keys, head.mac);
  if (key === undefined) throw new AuditKeyMissing();
  return link(head, fact, key);
}

/**
 * The key of a chain from here on: `newest` is the first of the available ones; with `any` a chain
 * that is keyed with one of them stays so, as long as other nodes may not have the first.
 */
export type KeyChoice = 'newest' | 'any';

/** The row that says that a chain is keyed with the first key from here on; null where it is already. */
export function beginKeyed(
  head: ChainHead,
  tenant: string,
  at: number,
  keys: readonly AuditKey[],
  choice: KeyChoice,
): ChainedAudit | null {
  const [first] = keys;
  if (first === undefined) return null;
  const now = head.mac === null ? undefined : findKey(keys, head.mac);
  if (now === first || (now !== undefined && choice === 'any')) return null;
  return link(head, { tenant, actor: 'service', act: KEYED_ACT, object: '', at }, first);
}

function link({ n: before, hash: last }: ChainLink, fact: AuditFact, key: AuditKey | null) {
  const { tenant, actor, act, object, at } = fact;
  const n = before + 1;
  const hash = hashAudit(last, n, fact);
  const mac = key === null ? null : makeMac(key, hash);
  return { tenant, actor, act, object, at, n, hash, mac };
}

// ── checking ───────────────────────────────────────────────────────────────────────────────────

/** How far a chain was followed. */
export interface Followed extends ChainLink {
  /** The first row whose MAC is valid; from it on, all are. Null: none so far. */
  readonly keyedFrom: number | null;
}

/**
 * The fault of a row: it was changed or is not the next; its MAC is not of this row, of no
 * available key, or missing behind keyed rows; or nothing says that the chain begins to be keyed
 * here.
 */
export type ChainFault = 'changed' | 'mac_invalid' | 'mac_missing' | 'keyed_unannounced';

export const NOTHING_FOLLOWED: Followed = { n: 0, hash: CHAIN_START, keyedFrom: null };

/**
 * Continues from `before` over rows in order. Returns how far it came, or the number of the first
 * changed row. Without keys only the hashes are checked.
 */
export function followChain(
  before: Followed,
  rows: readonly ChainedAudit[],
  keys: readonly AuditKey[] = [],
):
  | { readonly ok: true; readonly link: Followed }
  | { readonly ok: false; readonly n: number; readonly fault: ChainFault } {
  let { n, hash, keyedFrom } = before;
  for (const row of rows) {
    n += 1;
    if (row.n !== n || row.hash !== hashAudit(hash, n, row))
      return { ok: false, n, fault: 'changed' };
    hash = row.hash;
    const check = checkMac(keys, hash, row.mac);
    if (check === 'invalid') return { ok: false, n, fault: 'mac_invalid' };
    if (check === 'valid') {
      // Else rows could be put before those that are keyed as if they were older.
      const isAnnounced = keyedFrom !== null || n === 1 || row.act === KEYED_ACT;
      if (!isAnnounced) return { ok: false, n, fault: 'keyed_unannounced' };
      keyedFrom ??= n;
    } else if (keyedFrom !== null) return { ok: false, n, fault: 'mac_missing' };
  }
  return { ok: true, link: { n, hash, keyedFrom } };
}
