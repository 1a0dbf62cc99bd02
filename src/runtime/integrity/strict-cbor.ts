/** CBOR as App Attest writes it: one way to write each value, and nothing after it. */

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

/** A map by names of text; null when the bytes are anything else, or could be written otherwise. */
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

/** Have a map these names and no others? */
export function hasExactly(map: ReadonlyMap<string, unknown>, names: readonly string[]): boolean {
  return map.size === names.length && names.every((name) => map.has(name));
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
