/** CBOR as App Attest encodes it: one encoding for each value, and nothing after it. */

import { Buffer } from 'node:buffer';
import { decode, encode } from 'cborg';

const OPTIONS = {
  strict: true,
  useMaps: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowNaN: false,
  allowInfinity: false,
  rejectDuplicateMapKeys: true,
} as const;

/** A map with text keys; null for anything else, and for another encoding. */
export function readCborMap(bytes: Uint8Array): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = decode(bytes, OPTIONS);
    if (!(value instanceof Map)) return null;
    const isNamed = [...value.keys()].every((key) => typeof key === 'string');
    return isNamed && Buffer.from(encode(value)).equals(bytes) ? value : null;
  } catch {
    return null;
  }
}

/** Has a map exactly these keys? */
export function hasExactly(map: ReadonlyMap<string, unknown>, names: readonly string[]): boolean {
  return map.size === names.length && names.every((name) => map.has(name));
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
