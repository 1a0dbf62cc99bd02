/**
 * The keys of the audit's chain: an attacker who can only write the database cannot make a row that
 * a check accepts.
 */

import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export interface AuditKey {
  /** 16 hex digits: which key made a MAC. */
  readonly kid: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** How a MAC relates to the available keys; `absent`: the row has none. */
export type MacCheck = 'valid' | 'invalid' | 'unknown_key' | 'absent';

/** One from each sealing key: the first makes MACs, all of them check. */
export function deriveAuditKeys(sealingKeys: readonly Uint8Array[]): readonly AuditKey[] {
  return sealingKeys.map((key) => {
    const secret = hkdf(sha256, key, undefined, utf8ToBytes(DERIVATION), KEY_BYTES);
    const kid = bytesToHex(hmac(sha256, secret, utf8ToBytes('kid'))).slice(0, KID_DIGITS);
    return { kid, secret };
  });
}

/** `<kid>.<64 hex digits>`: HMAC-SHA-256 over a row's hash, which covers the row and all before it. */
export function makeMac({ kid, secret }: AuditKey, hash: string): string {
  return `${kid}.${bytesToHex(hmac(sha256, secret, utf8ToBytes(`row ${hash}`)))}`;
}

export function checkMac(keys: readonly AuditKey[], hash: string, mac: string | null): MacCheck {
  if (mac === null) return 'absent';
  const key = findKey(keys, mac);
  if (key === undefined) return 'unknown_key';
  return makeMac(key, hash) === mac ? 'valid' : 'invalid';
}

/** The key with the MAC's `kid`. */
export function findKey(keys: readonly AuditKey[], mac: string): AuditKey | undefined {
  const kid = mac.slice(0, KID_DIGITS);
  return keys.find((key) => key.kid === kid);
}

const KEY_BYTES = 32;
const KID_DIGITS = 16;
/** Binds the derived key to its use: the sealing key itself only ever encrypts. */
const DERIVATION = 'matchd audit chain key 1';
